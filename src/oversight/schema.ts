import { builder, needs } from '../graphql/builder.ts';
import { agencyCode, between, countryCode, currencyCode, docname, freeText } from '../graphql/input/forms.ts';
import { dataset } from '../graphql/files/rows.ts';
import { shape } from '../graphql/input/shapes.ts';
import { pageArgs } from '../graphql/paging.ts';
import { AnomalyStatusEnum } from '../collection/anomalies/schema.ts';
import { overseenAnomalies } from './anomalies/find.ts';
import { OverseenAnomalyType } from './anomalies/schema.ts';
import { ChannelEnum, EventKindEnum } from '../collection/payments/schema.ts';
import { compareRevenue } from './revenue/comparison.ts';
import { ConnectionType, EventType } from './events/events-schema.ts';
import { MOST_EVENTS, pageOfEvents } from './events/events.ts';
import { CollectionsType, ConsentsType, PeriodEnum, SealType, ShiftsType, StatisticsType } from './figures/figures-schema.ts';
import { consents } from './figures/consents.ts';
import { collections, latestSeals, shiftFigures, statistics } from './figures/figures.ts';
import { ComparisonType, GroupingEnum, OrderEnum, RevenueType } from './revenue/revenue-schema.ts';
import { MOST_GROUP_ROWS, listRevenue } from './revenue/revenue.ts';
import { type Happening, happenings } from './events/stream.ts';
import { LONGEST_LABEL } from '../kernel/text.ts';

const spanArgs = (first: string, last: string) => ({
  fromDate: builder.args((t) => ({ fromDate: t.field({ type: 'Date', description: `The first day; left out: ${first}.` }) })).fromDate,
  toDate: builder.args((t) => ({ toDate: t.field({ type: 'Date', description: `The last day; left out: ${last}.` }) })).toDate,
});
/** Of lists, which are complete unless something else is asked for. */
const listSpan = spanArgs('from the beginning', 'up to now');
/** Of all figures alike. */
const figuresSpan = spanArgs('29 days before the last, so that figures are about 30 days', 'today');
const agencyArg = { mda: builder.args((t) => ({ mda: t.id({ description: "Only this agency's.", ...agencyCode }) })).mda };
const currencyArg = { currency: builder.args((t) => ({ currency: t.id({ description: 'Only in this currency.', ...currencyCode }) })).currency };
const channelArg = { channel: builder.args((t) => ({ channel: t.field({ type: ChannelEnum, description: 'Only through this channel.' }) })).channel };

const Oversight = builder.objectRef<object>('Oversight').implement({
  description: 'What auditors, the finance ministry and the statistics bureau see: no row of it leads to a person.',
  fields: (t) => ({
    revenue: t.field({
      type: [RevenueType],
      description:
        'Revenue in any combination of groups: exact at the moment of asking, from sums by day and month and what is not yet part of them.',
      args: {
        groupBy: t.arg({
          type: [GroupingEnum],
          required: true,
          defaultValue: [],
          description: 'The groups; none: one row a currency.',
          ...shape({ maxItems: 20 }),
        }),
        ...figuresSpan,
        ...agencyArg,
        sector: t.arg.string({ description: 'Only services of this sector.', ...freeText(LONGEST_LABEL) }),
        family: t.arg.string({ description: 'Only services of this family.', ...freeText(LONGEST_LABEL) }),
        service: t.arg.id({ description: 'Only this service.', ...docname('service') }),
        ...channelArg,
        country: t.arg.id({ description: "Only this country's agencies.", ...countryCode }),
        ...currencyArg,
        orderBy: t.arg({ type: OrderEnum, required: true, defaultValue: 'key', description: 'The order.' }),
        first: t.arg.int({ required: true, defaultValue: 1_000, description: 'How many rows, 1 to 10,000.', ...between(1, MOST_GROUP_ROWS) }),
        after: t.arg.id({ description: 'How many rows to skip, as the last page told.' }),
      },
      complexity: (args) => ({ field: 20, multiplier: Math.min(args.first, 500) }),
      // Each page groups the whole span anew.
      ...dataset(MOST_GROUP_ROWS),
      resolve: (_root, { groupBy, orderBy, first, after, ...filter }, call) => listRevenue(call, { groupBy, filter, orderBy, limit: first, after }),
    }),
    revenueComparison: t.field({
      type: [ComparisonType],
      description: 'Net revenue of a period beside the period before it, and beside the same a year ago.',
      args: {
        byAgency: t.arg.boolean({ required: true, defaultValue: false, description: 'Whether by agency.' }),
        ...figuresSpan,
        ...agencyArg,
        ...channelArg,
        ...currencyArg,
      },
      complexity: { field: 60, multiplier: 10 },
      resolve: (_root, args, call) => compareRevenue(call, args),
    }),
    collections: t.field({
      type: [CollectionsType],
      description: 'What was assessed in a span, by agency: paid, outstanding, cancelled, and how long it took to be paid.',
      args: { ...figuresSpan, ...agencyArg, ...currencyArg },
      complexity: { field: 50, multiplier: 10 },
      resolve: (_root, args, call) => collections(call, args),
    }),
    anomalies: t.field({
      type: [OverseenAnomalyType],
      description: 'Anomalies, newest first.',
      args: {
        kind: t.arg.string({ description: 'Only of this kind.', ...freeText(LONGEST_LABEL) }),
        ...agencyArg,
        severity: t.arg.string({ description: 'Only of this severity.', ...freeText(LONGEST_LABEL) }),
        status: t.arg({ type: AnomalyStatusEnum, description: 'Only those that stand so.' }),
        ...listSpan,
        ...pageArgs(50, 1_000),
      },
      complexity: (args) => ({ field: 1, multiplier: args.limit }),
      resolve: (_root, args, call) => overseenAnomalies(call, args, args),
    }),
    consents: t.field({
      type: [ConsentsType],
      description: 'How many people consented, by agency and period.',
      args: { period: t.arg({ type: PeriodEnum, required: true, defaultValue: 'month', description: 'The period.' }), ...agencyArg, ...figuresSpan },
      complexity: { field: 20, multiplier: 10 },
      resolve: (_root, args, call) => consents(call, args),
    }),
    paymentEvents: t.field({
      type: ConnectionType,
      description: 'Payment events, newest first, with cursors that stay the same however many come.',
      args: {
        first: t.arg.int({
          description: 'How many from the top or after a cursor, 1 to 1,000; left out together with `last`: 50.',
          ...between(1, MOST_EVENTS),
        }),
        after: t.arg.id({ description: 'Those that follow this event.' }),
        last: t.arg.int({ description: 'How many from the end or before a cursor, 1 to 1,000.', ...between(1, MOST_EVENTS) }),
        before: t.arg.id({ description: 'Those that come before this event.', ...docname('event') }),
        ...agencyArg,
        ...channelArg,
        kind: t.arg({ type: EventKindEnum, description: 'Only of this kind.' }),
        ...currencyArg,
        ...listSpan,
      },
      complexity: (args) => ({ field: 1, multiplier: args.first ?? args.last ?? 50 }),
      ...dataset(250),
      resolve: async (_root, { first, after, last, before, ...filter }, call) => {
        const page = await pageOfEvents(call, filter, { first, after, last, before });
        if (page.hasNext) call.nextAfter = page.events.at(-1)!.name;
        return page;
      },
    }),
    shifts: t.field({
      type: [ShiftsType],
      description: 'How counter shifts came out, by agency.',
      args: { ...figuresSpan, ...agencyArg },
      complexity: { field: 20, multiplier: 10 },
      resolve: (_root, args, call) => shiftFigures(call, args),
    }),
    statistics: t.field({
      type: StatisticsType,
      description: 'A span in a few figures: totals, channels and their success, and the health of what is outside.',
      args: figuresSpan,
      complexity: { field: 100, multiplier: 5 },
      resolve: (_root, args, call) => statistics(call, args),
    }),
    seals: t.field({
      type: [SealType],
      description: 'The last seal of each agency.',
      complexity: { field: 20, multiplier: 10 },
      resolve: (_root, _args, call) => latestSeals(call),
    }),
  }),
});

builder.queryFields((t) => ({
  oversight: t.field({
    type: Oversight,
    description: 'What oversight sees. Scope `oversight.read`.',
    ...needs('oversight.read'),
    resolve: () => ({}),
  }),
}));

const HappeningType = builder.objectRef<Happening>('OversightHappening').implement({
  description: 'A payment event or an anomaly, as it happens.',
  fields: (t) => ({
    cursor: t.exposeID('cursor', { description: 'From where to read on: what follows it comes without gap or duplicate.' }),
    event: t.field({ type: EventType, nullable: true, description: 'The payment event, where it is one.', resolve: ({ event }) => event }),
    anomaly: t.field({ type: OverseenAnomalyType, nullable: true, description: 'The anomaly, where it is one.', resolve: ({ anomaly }) => anomaly }),
  }),
});

builder.subscriptionType({ description: 'What is told as it happens, by server-sent events.' });
builder.subscriptionFields((t) => ({
  oversight: t.field({
    type: HappeningType,
    description:
      'Payment events and anomalies as they happen, each once and in order; for 15 minutes, after which it is read on from the last cursor. It ends with `unauthenticated` within 5 s of the credential that opened it being revoked, suspended or expired. `rate_limited` beyond 5 at a time of one key. Scope `oversight.read`.',
    ...needs('oversight.read'),
    args: { after: t.arg.id({ description: 'The cursor to read on from; left out: from now on.' }) },
    subscribe: (_root, { after }, call) => happenings(call, after ?? null),
    resolve: (happening) => {
      if ('error' in happening) throw happening.error;
      return happening;
    },
  }),
}));
