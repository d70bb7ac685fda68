import { builder } from '../graphql/builder.ts';
import type { Comparison } from './comparison.ts';
import type { Grouping, Order, RevenueRow } from './revenue.ts';

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
    mda: t.exposeID('mda', { nullable: true, description: 'The agency.' }),
    sector: t.exposeString('sector', { nullable: true, description: 'The sector of the services; null too for what no service explains.' }),
    family: t.exposeString('family', { nullable: true, description: 'The family of the services.' }),
    service: t.exposeID('service', { nullable: true, description: 'The docname of the service.' }),
    channel: t.exposeString('channel', { nullable: true, description: 'The way of paying.' }),
    country: t.exposeString('country', { nullable: true, description: "The agency's country." }),
    day: t.exposeString('day', { nullable: true, description: 'The UTC day, `YYYY-MM-DD`.' }),
    week: t.exposeString('week', { nullable: true, description: 'The ISO week, `YYYY-Www`.' }),
    month: t.exposeString('month', { nullable: true, description: 'The month, `YYYY-MM`.' }),
    kind: t.exposeString('kind', { nullable: true, description: '`payment` or `reversal`.' }),
    currency: t.field({ type: 'ID', description: 'The currency of its amounts.', resolve: ({ currency }) => currency! }),
    collected: t.expose('collected', money('What was paid.')),
    reversed: t.expose('reversed', money('What went back, as a positive amount.')),
    net: t.expose('net', money('Collected less reversed.')),
    count: t.exposeInt('count', { description: 'Payment events; in groups by service, an event counts once for each service that it pays.' }),
    average: t.expose('average', { ...money('Collected for each payment; null where there was none.'), nullable: true }),
    share: t.exposeFloat('share', { nullable: true, description: 'Net as a part of the net of the whole question in its currency, 0 to 1.' }),
  }),
});

export const ComparisonType = builder.objectRef<Comparison>('RevenueComparison').implement({
  description: 'Net revenue of a period beside the period before, and beside the same a year ago.',
  fields: (t) => ({
    mda: t.exposeID('mda', { nullable: true, description: 'The agency, where it was asked by agency.' }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.' }),
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
