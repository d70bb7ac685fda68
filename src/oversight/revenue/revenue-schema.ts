import { builder } from '../../graphql/builder.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import type { Comparison } from './comparison.ts';
import { type Grouping, type Order, type RevenueRow, averageOf, netOf, shareOf } from './revenue.ts';

export const GroupingEnum = builder.enumType('RevenueGrouping', {
  description: 'What revenue is grouped by. Amounts are never added over currencies, whatever it is.',
  values: {
    mda: { description: 'The agency.' },
    sector: { description: 'The sector of services.' },
    family: { description: 'The family of services.' },
    service: { description: 'The service.' },
    channel: { description: 'The way of paying.' },
    country: { description: "The agency's country." },
    currency: { description: 'The currency, by which it is grouped in any case.' },
    day: { description: 'The UTC day.' },
    week: { description: 'The ISO week.' },
    month: { description: 'The month.' },
    kind: { description: 'Payments and reversals, each for themselves.' },
  } satisfies Record<Grouping, object>,
});
export const OrderEnum = builder.enumType('RevenueOrder', {
  description: 'How revenue is ordered.',
  values: {
    key: { description: 'By its groups.' },
    collected: { description: 'By what was paid, most first.' },
    reversed: { description: 'By what went back, most first.' },
    net: { description: 'By net, most first.' },
    count: { description: 'By the number of events, most first.' },
  } satisfies Record<Order, object>,
});

/** An amount in the currency beside it. */
export const money = (description: string) => ({ type: 'Decimal' as const, description });

export const RevenueType = builder.objectRef<RevenueRow>('RevenueRow').implement({
  description: 'Revenue of one group in one currency. What it is not grouped by is null.',
  fields: (t) => ({
    mda: t.id({ nullable: true, description: 'The agency.', resolve: (row) => row.mda ?? null }),
    sector: t.string({
      nullable: true,
      description: 'The sector of the services; null too for what no service explains.',
      resolve: (row) => row.sector ?? null,
    }),
    family: t.string({ nullable: true, description: 'The family of the services.', resolve: (row) => row.family ?? null }),
    service: t.id({ nullable: true, description: 'The docname of the service.', resolve: (row) => row.service ?? null }),
    channel: t.string({ nullable: true, description: 'The way of paying.', resolve: (row) => row.channel ?? null }),
    country: t.string({ nullable: true, description: "The agency's country.", resolve: (row) => row.country ?? null }),
    day: t.field({
      type: 'Date',
      nullable: true,
      description: 'The UTC day.',
      resolve: ({ day }) => (day == null ? null : new Date(`${day}T00:00:00Z`)),
    }),
    week: t.string({ nullable: true, description: 'The ISO week, `YYYY-Www`.', resolve: (row) => row.week ?? null }),
    month: t.string({ nullable: true, description: 'The month, `YYYY-MM`.', resolve: (row) => row.month ?? null }),
    kind: t.string({ nullable: true, description: '`payment` or `reversal`.', resolve: (row) => row.kind ?? null }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.', ...currencyCode }),
    collected: t.expose('collected', money('What was paid.')),
    reversed: t.expose('reversed', money('What went back, as a positive amount.')),
    net: t.field({ ...money('Collected less reversed.'), resolve: netOf }),
    count: t.int({
      description: 'Payment events; in groups by service, an event counts once for each service that it pays.',
      resolve: ({ payments, reversals }) => payments + reversals,
    }),
    average: t.field({ ...money('Collected for each payment; null where there was none.'), nullable: true, resolve: averageOf }),
    share: t.float({ nullable: true, description: 'Net as a part of the net of the whole question in its currency, 0 to 1.', resolve: shareOf }),
  }),
});

export const ComparisonType = builder.objectRef<Comparison>('RevenueComparison').implement({
  description: 'Net revenue of a period beside the period before, and beside the same a year ago.',
  fields: (t) => ({
    mda: t.exposeID('mda', { nullable: true, description: 'The agency, where it was asked by agency.', ...agencyCode }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.', ...currencyCode }),
    current: t.expose('current', money('Net of the period.')),
    before: t.expose('before', money('Net of the as many days before it.')),
    yearAgo: t.expose('yearAgo', money('Net of the same days a year ago.')),
    changeOnBefore: t.exposeFloat('changeOnBefore', {
      nullable: true,
      description: 'The change as a part of what was before; null where that was nothing.',
    }),
    changeOnYearAgo: t.exposeFloat('changeOnYearAgo', { nullable: true, description: 'The change as a part of what was a year ago.' }),
  }),
});
