import { builder } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { PeriodEnum } from '../../figures/figures-schema.ts';
import { FEWEST_PEOPLE } from '../../figures/small-cells.ts';
import { agencyListArg, figuresSpan, pricedBySpan } from '../../root/arguments.ts';
import { addAgency } from '../../root/edges.ts';
import { Oversight } from '../../root/oversight.ts';
import { type RegistrationFigures, type RegistrationSource, readRegistrations } from './registrations.ts';

const SourceEnum = defineEnum<RegistrationSource>('RegistrationSource', 'Where the record of a person comes from.', {
  identity_authority: 'The identity authority, with consent.',
  by_hand: 'Entered by hand, unverified.',
});

const RegistrationType = builder.objectRef<RegistrationFigures>('RegistrationFigures').implement({
  description: 'How many people were registered in a period, by source and agency.',
  fields: (t) => ({
    source: t.expose('source', { type: SourceEnum, description: 'Where the records come from.' }),
    period: t.exposeString('period', {
      description:
        'The period, `YYYY-MM-DD`, `YYYY-MM` or `YYYY` (UTC). Periods are always counted in full, even at the ends of the requested range.',
    }),
    people: t.exposeInt('people', {
      nullable: true,
      description: `The number of people; null if fewer than ${FEWEST_PEOPLE}, or if a smaller number could be derived from the other counts.`,
    }),
  }),
});
addAgency(RegistrationType, 'for which they were registered; null where that is not known');

builder.objectFields(Oversight, (t) => ({
  registrations: t.field({
    type: [RegistrationType],
    description: 'The number of people who were registered, by source, agency and period.',
    args: {
      period: t.arg({
        type: PeriodEnum,
        required: true,
        defaultValue: 'month',
        description: 'The length of the periods.',
      }),
      ...figuresSpan,
      source: t.arg({ type: SourceEnum, description: 'Only registrations from this source. Default: from any.' }),
      ...agencyListArg,
    },
    complexity: pricedBySpan(1_400, 4, 10),
    resolve: (_root, { period, fromDate, toDate, ...filter }, call) =>
      readRegistrations(call, { period, fromDate, toDate }, filter),
  }),
}));
