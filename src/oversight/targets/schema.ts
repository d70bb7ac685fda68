import { builder } from '../../graphql/builder.ts';
import { currencyCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { money } from '../common/stations.ts';
import { agencyListArg, currenciesArg } from '../common/arguments.ts';
import { holdSlice } from '../figures/held.ts';
import { addAgencyOf } from '../common/edges.ts';
import { Oversight } from '../figures/oversight.ts';
import { type TargetFigures, readTargetFigures, shareOfTarget } from './find.ts';

const TargetType = builder.objectRef<TargetFigures>('RevenueTarget').implement({
  description: 'The target of an agency for a fiscal year, with what it has collected so far.',
  fields: (t) => ({
    fiscalYear: t.exposeString('fiscalYear', {
      description: 'The fiscal year of the agency’s country: `2026/27`, or `2026` where it begins with January.',
    }),
    fromDate: t.expose('fromDate', { type: 'Date', description: 'The first day of the fiscal year.' }),
    toDate: t.expose('toDate', { type: 'Date', description: 'The last day of the fiscal year.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    target: t.expose('target', money('The amount to collect in the whole year.')),
    collected: t.field({
      ...money('Net revenue of the year up to now: collected less reversed.'),
      resolve: ({ collected }) => collected(),
    }),
    share: t.float({
      description: 'The share of the target that is collected; more than 1 once the target is exceeded.',
      resolve: shareOfTarget,
    }),
    elapsed: t.exposeFloat('elapsed', { description: 'The share of the year that is over, 0 to 1.' }),
    expected: t.expose('expected', money('The part of the target that corresponds to the time elapsed.')),
    ahead: t.field({
      ...money('Amount collected above the expected one by now; negative if less.'),
      resolve: async ({ collected, expected }) => (await collected()).minus(expected),
    }),
  }),
});

addAgencyOf(TargetType, 'whose target it is');

builder.objectFields(Oversight, (t) => ({
  targets: t.field({
    type: [TargetType],
    description:
      'Revenue targets of agencies by fiscal year, with what was collected. Operators load them with `targets:load`.',
    args: {
      fiscalYear: t.arg.string({
        description: 'The fiscal year, such as `2026/27`. Default: the one that is running.',
        ...shape({ pattern: String.raw`^\d{4}(/\d{2})?$`, examples: ['2026/27'] }),
      }),
      ...agencyListArg,
      ...currenciesArg,
    },
    complexity: { field: 50, multiplier: 10 },
    resolve: (held, args, call) =>
      readTargetFigures(call, holdSlice(held, args, { agency: 'agency', currency: 'currency' })),
  }),
}));
