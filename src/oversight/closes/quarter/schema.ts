import { builder } from '../../../graphql/builder.ts';
import { currencyCode } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { addAgency, addAgencyOf } from '../../common/edges.ts';
import { money } from '../../common/stations.ts';
import { FEWEST_PEOPLE } from '../../common/small-cells.ts';
import { holdSlice } from '../../figures/held.ts';
import { Oversight } from '../../figures/oversight.ts';
import { QUARTER } from './quarter.ts';
import {
  type Flow,
  type Reconciled,
  type ReconciledDays,
  type ReconciledProvider,
  type ReconciledTotal,
  Reconciliation,
  WEEKS_TO_SIGN,
  reconcileQuarter,
} from './reconcile.ts';

const amount = (description: string) => ({ type: 'Decimal' as const, nullable: true as const, description });
const few = `Null where fewer than ${FEWEST_PEOPLE} people are behind it.`;

const FlowType = builder.objectRef<Flow>('ReconciledFlow').implement({
  description: 'An amount followed through a quarter: its opening and what the quarter adds make its closing.',
  fields: (t) => ({
    opening: t.expose('opening', amount(`The amount up to the day before the quarter. ${few}`)),
    during: t.expose('during', amount(`The amount that the quarter adds, or takes away if negative. ${few}`)),
    closing: t.expose('closing', amount(`The opening and what the quarter adds. ${few}`)),
  }),
});

const FLOWS = {
  assessed: 'The amount assessed, by the month (UTC) of its assessment.',
  waived: 'The amount that exemptions waived of it.',
  arrears: 'The part of the amount assessed that awaits payment at the moment of the answer.',
  collected: 'The amount collected, less what was reversed.',
  expected: 'The amount that providers are to pay out: paid through them, less what went back and fees that they keep.',
  arrived: 'The amount of it that is at the bank, by the statements that were uploaded.',
  inTransit: 'The amount of it that is not, and not yet due.',
  missing: 'The amount of it that is not, and overdue.',
} as const satisfies Partial<Record<keyof Reconciled, string>>;

const AmountsType = builder.objectRef<Reconciled>('ReconciledAmounts').implement({
  description: 'Amounts of a quarter in one currency: of an agency, or of all of them.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    ...Object.fromEntries(
      (Object.keys(FLOWS) as (keyof typeof FLOWS)[]).map((name) => [
        name,
        t.expose(name, { type: FlowType, description: FLOWS[name] }),
      ]),
    ),
  }),
});
addAgency(AmountsType, 'whose amounts they are; null for those of all');

const share = (description: string) => ({ nullable: true as const, description });

const TotalType = builder.objectRef<ReconciledTotal>('ReconciledTotal').implement({
  description: 'Amounts of a quarter in one currency, of all agencies, and what PEFA asks of them.',
  fields: (t) => ({
    amounts: t.field({ type: AmountsType, description: 'The amounts of all agencies.', resolve: (total) => total }),
    arrearsShare: t.exposeFloat(
      'arrearsShare',
      share('PEFA PI-19.4: the closing arrears as a share of what was collected in the 12 months up to the end.'),
    ),
    oldArrearsShare: t.exposeFloat(
      'oldArrearsShare',
      share('PEFA PI-19.4: the part of the closing arrears that was assessed more than 12 months before the end.'),
    ),
    byServiceShare: t.exposeFloat(
      'byServiceShare',
      share('PEFA PI-20.1: the part of the revenue of the quarter that is recorded by service.'),
    ),
    arrivedShare: t.exposeFloat(
      'arrivedShare',
      share('PEFA PI-20.2: the part of what providers are to pay out of the quarter that is at the bank now.'),
    ),
  }),
});
const ProviderType = builder.objectRef<ReconciledProvider>('ReconciledProvider').implement({
  description: 'Payouts of a provider for the days of a quarter, in one currency, as they stand now.',
  fields: (t) => ({
    provider: t.exposeString('provider', { description: 'The provider that pays out, by its name.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    expected: t.expose('expected', money(FLOWS.expected)),
    arrived: t.expose('arrived', money(FLOWS.arrived)),
    inTransit: t.expose('inTransit', money(FLOWS.inTransit)),
    missing: t.expose('missing', money(FLOWS.missing)),
    daysToBank: t.exposeFloat(
      'daysToBank',
      share('PEFA PI-20.2: the days within which half of its payouts were at the bank; null if none is.'),
    ),
    daysToBankP90: t.exposeFloat('daysToBankP90', share('The days within which 90 % of them were; null if none is.')),
  }),
});

const DaysType = builder.objectRef<ReconciledDays>('ReconciledDays').implement({
  description: 'Days of an agency in a quarter, as they were closed and signed.',
  fields: (t) => ({
    closed: t.exposeInt('closed', { description: 'The number of days that are closed.' }),
    signed: t.exposeInt('signed', { description: 'The number of these that a person of the agency signed.' }),
    signedInTime: t.exposeInt('signedInTime', {
      description: `PEFA PI-20.3: the number of these that were signed within ${WEEKS_TO_SIGN} weeks of the end of the quarter.`,
    }),
  }),
});
addAgencyOf(DaysType, 'whose days they are');

const ReconciliationType = builder.objectType(Reconciliation, {
  name: 'QuarterReconciliation',
  description:
    'A quarter of the calendar from opening to closing: assessments, waivers, arrears, collections, and how far these came to the bank. Collections and payouts follow the clock of each country.',
  fields: (t) => ({
    quarter: t.string({
      description: 'The quarter of the calendar year, such as `2026-Q4`.',
      ...shape({ pattern: QUARTER.source, examples: ['2026-Q4'] }),
      resolve: ({ quarter }) => quarter.name,
    }),
    fromDate: t.field({
      type: 'Date',
      description: 'The first day of the quarter.',
      resolve: ({ quarter }) => quarter.from,
    }),
    toDate: t.field({
      type: 'Date',
      description: 'The last day of the quarter.',
      resolve: ({ quarter }) => quarter.to,
    }),
    upTo: t.expose('upTo', { type: 'Date', description: 'The last day that counts: that of the quarter, or today.' }),
    totals: t.field({
      type: [TotalType],
      description: 'Amounts of all agencies, by currency.',
      complexity: { field: 1_000, multiplier: 2 },
      resolve: (books) => books.totals(),
    }),
    agencies: t.field({
      type: [AmountsType],
      description: 'Amounts of each agency, by currency.',
      complexity: { field: 1_000, multiplier: 60 },
      resolve: (books) => books.agencies(),
    }),
    providers: t.field({
      type: [ProviderType],
      description: 'Payouts of each provider, by currency.',
      complexity: { field: 500, multiplier: 10 },
      resolve: (books) => books.providers(),
    }),
    days: t.field({
      type: [DaysType],
      description: 'Days of each agency that has closed some.',
      complexity: { field: 100, multiplier: 60 },
      resolve: (books) => books.days(),
    }),
  }),
});

builder.objectField(Oversight, 'reconciliation', (t) =>
  t.field({
    type: ReconciliationType,
    description:
      'A quarter from opening to closing, for all agencies of the slice. `validation_failed` for one to come, or before the first payment.',
    args: {
      quarter: t.arg.string({
        description: 'The quarter of the calendar. Default: the present one.',
        ...shape({ pattern: QUARTER.source, examples: ['2026-Q4'] }),
      }),
    },
    resolve: (held, { quarter }, call) => {
      const slice = holdSlice<{ agency?: readonly string[] | null; currency?: readonly string[] | null }>(
        held,
        {},
        {
          agency: 'agency',
          currency: 'currency',
        },
      );
      return reconcileQuarter(call, quarter ?? null, slice);
    },
  }),
);
