import { builder, needs } from '../graphql/builder.ts';
import { anyOf, between, countryCode, docname, freeText } from '../graphql/input/forms.ts';
import { dataset } from '../graphql/files/rows.ts';
import { shape } from '../graphql/input/shapes.ts';
import { connection } from '../graphql/graph/connection.ts';
import { pageArgs } from '../graphql/paging.ts';
import { AnomalyKindEnum, AnomalyStatusEnum, SeverityEnum } from '../collection/anomalies/schema.ts';
import { listOverseenAnomalies } from './anomalies/find.ts';
import { OverseenAnomalyType } from './anomalies/schema.ts';
import { EventKindEnum } from '../collection/payments/schema/event-schema.ts';
import { compareRevenue } from './revenue/comparison.ts';
import { EventConnection, EventType } from './events/events-schema.ts';
import { MOST_EVENTS, listOverseenEvents } from './events/find.ts';
import {
  CollectionsType,
  ConsentsType,
  PeriodEnum,
  SealType,
  ShiftsType,
  StatisticsType,
} from './figures/figures-schema.ts';
import { readConsents } from './figures/consents.ts';
import { readCollections, readLatestSeals, readShiftFigures, readStatistics } from './figures/figures.ts';
import { ComparisonType, GroupingEnum, OrderEnum, RevenueType } from './revenue/revenue-schema.ts';
import { MOST_GROUP_ROWS, listRevenue } from './revenue/revenue.ts';
import { listFees } from './fees/find.ts';
import { HeldFeeType } from './fees/schema.ts';
import { type StreamedEvent, streamEvents } from './events/stream.ts';
import {
  agenciesArg,
  agencyArg,
  channelArg,
  channelsArg,
  currencyArg,
  figuresSpan,
  listSpan,
} from './root/arguments.ts';
import { Oversight } from './root/oversight.ts';
import { LONGEST_LABEL } from '../kernel/text/free-text.ts';

builder.objectFields(Oversight, (t) => ({
  revenue: t.field({
    type: [RevenueType],
    description: 'Revenue, grouped by any combination of dimensions. Always exact, including the most recent payments.',
    args: {
      groupBy: t.arg({
        type: [GroupingEnum],
        required: true,
        defaultValue: [],
        description: 'The dimensions to group by. Default: none, one row per currency.',
        ...shape({ maxItems: 20 }),
      }),
      ...figuresSpan,
      ...agenciesArg,
      sector: t.arg.stringList({
        description: 'Filter by sectors of services: any of them.',
        ...anyOf(freeText(LONGEST_LABEL)),
      }),
      family: t.arg.stringList({
        description: 'Filter by families of services: any of them.',
        ...anyOf(freeText(LONGEST_LABEL)),
      }),
      service: t.arg.idList({
        description: 'Filter by services (docnames): any of them.',
        ...anyOf(docname('service')),
      }),
      ...channelsArg,
      country: t.arg.idList({
        description: "Filter by the agencies' countries: any of them.",
        ...anyOf(countryCode),
      }),
      ...currencyArg,
      orderBy: t.arg({ type: OrderEnum, required: true, defaultValue: 'key', description: 'The sort order.' }),
      first: t.arg.int({
        required: true,
        defaultValue: 1_000,
        description: 'The number of rows to return, 1 to 10,000.',
        ...between(1, MOST_GROUP_ROWS),
      }),
      after: t.arg.id({ description: 'The cursor of the next page, as returned with the previous page.' }),
    },
    complexity: (args) => ({ field: 20, multiplier: Math.min(args.first, 500) }),
    // Each page groups the whole span anew.
    ...dataset(MOST_GROUP_ROWS),
    resolve: (_root, { groupBy, orderBy, first, after, ...filter }, call) =>
      listRevenue(call, { groupBy, filter, orderBy, limit: first, after }),
  }),
  revenueComparison: t.field({
    type: [ComparisonType],
    description: 'Net revenue of a period compared with the preceding period and with the same period a year earlier.',
    args: {
      byAgency: t.arg.boolean({ required: true, defaultValue: false, description: 'Whether to compare by agency.' }),
      ...figuresSpan,
      ...agenciesArg,
      ...channelsArg,
      ...currencyArg,
    },
    complexity: { field: 60, multiplier: 10 },
    resolve: (_root, args, call) => compareRevenue(call, args),
  }),
  collections: t.field({
    type: [CollectionsType],
    description: 'Amounts assessed in a period by agency: paid, outstanding and cancelled, and how long payment took.',
    args: { ...figuresSpan, ...agenciesArg, ...currencyArg },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, args, call) => readCollections(call, args),
  }),
  anomalies: t.field({
    type: [OverseenAnomalyType],
    description: 'Anomalies, newest first.',
    args: {
      kind: t.arg({
        type: [AnomalyKindEnum],
        description: 'Filter by kinds: any of them.',
        ...shape({ items: { maxLength: LONGEST_LABEL } }),
      }),
      ...agencyArg,
      severity: t.arg({
        type: [SeverityEnum],
        description: 'Filter by severities: any of them.',
        ...shape({ items: { maxLength: LONGEST_LABEL } }),
      }),
      status: t.arg({ type: AnomalyStatusEnum, description: 'Filter by status.' }),
      ...listSpan,
      ...pageArgs(50, 1_000),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listOverseenAnomalies(call, args, args),
  }),
  fees: t.field({
    type: [HeldFeeType],
    description:
      'The official fees that services have and had, with the times between which each held; the latest first.',
    args: {
      service: t.arg.id({ description: 'Filter by service (docname).', ...docname('service') }),
      ...agencyArg,
      ...pageArgs(50, 1_000),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listFees(call, args, args),
  }),
  consents: t.field({
    type: [ConsentsType],
    description: 'The number of people who gave consent, by agency and period.',
    args: {
      period: t.arg({
        type: PeriodEnum,
        required: true,
        defaultValue: 'month',
        description: 'The length of the periods.',
      }),
      ...agencyArg,
      ...figuresSpan,
    },
    complexity: { field: 20, multiplier: 10 },
    resolve: (_root, args, call) => readConsents(call, args),
  }),
  paymentEvents: t.field({
    description: 'Payment events, newest first, with stable cursors.',
    ...connection(EventConnection, {
      most: MOST_EVENTS,
      args: {
        ...agencyArg,
        ...channelArg,
        kind: t.arg({ type: EventKindEnum, description: 'Filter by kind.' }),
        ...currencyArg,
        ...listSpan,
      },
    }),
    ...dataset(250),
    resolve: (_root, args, call) => listOverseenEvents(call, args, args),
  }),
  shifts: t.field({
    type: [ShiftsType],
    description: 'Results of counter shifts, by agency.',
    args: { ...figuresSpan, ...agencyArg },
    complexity: { field: 20, multiplier: 10 },
    resolve: (_root, args, call) => readShiftFigures(call, args),
  }),
  statistics: t.field({
    type: StatisticsType,
    description:
      'Key figures of a period: totals, success rates of channels, and delivery to integrators and agencies.',
    args: figuresSpan,
    complexity: { field: 100, multiplier: 5 },
    resolve: (_root, args, call) => readStatistics(call, args),
  }),
  seals: t.field({
    type: [SealType],
    description: 'The most recent seal of each agency.',
    complexity: { field: 20, multiplier: 10 },
    resolve: (_root, _args, call) => readLatestSeals(call),
  }),
}));

const HappeningType = builder.objectRef<StreamedEvent>('OversightHappening').implement({
  description: 'A payment event or an anomaly, in real time.',
  fields: (t) => ({
    cursor: t.exposeID('cursor', { description: 'The cursor from which to resume without gaps or duplicates.' }),
    event: t.field({
      type: EventType,
      nullable: true,
      description: 'The payment event; null for an anomaly.',
      resolve: ({ event }) => event,
    }),
    anomaly: t.field({
      type: OverseenAnomalyType,
      nullable: true,
      description: 'The anomaly; null for a payment event.',
      resolve: ({ anomaly }) => anomaly,
    }),
  }),
});

builder.subscriptionType({ description: 'All subscriptions, delivered as server-sent events.' });
builder.subscriptionFields((t) => ({
  oversight: t.field({
    type: HappeningType,
    description:
      'Payment events and anomalies in real time, each once and in order. A stream lasts 15 minutes; resume from the last cursor. It ends with `unauthenticated` within 5 s after its credential is revoked, suspended or expired. `rate_limited` beyond 5 concurrent streams per key. Scope `oversight.read`.',
    ...needs('oversight.read'),
    args: { after: t.arg.id({ description: 'The cursor to resume from. Default: from now on.' }) },
    subscribe: (_root, { after }, call) => streamEvents(call, after ?? null),
    resolve: (happening) => {
      if ('error' in happening) throw happening.error;
      return happening;
    },
  }),
}));
