import { builder, needs } from '../graphql/builder.ts';
import { pageArgs } from '../graphql/paging.ts';
import { AnomalyStatusEnum } from '../operations/schema.ts';
import { ChannelEnum, EventKindEnum } from '../payments/schema.ts';
import { type Comparison, compareRevenue } from './comparison.ts';
import { type EventPage, type OverseenEvent, pageOfEvents } from './events.ts';
import {
  type AgencySeal,
  type ChannelFigures,
  type CollectionFigures,
  type ConsentFigures,
  FEWEST_PAYERS,
  type OverseenAnomaly,
  type Period,
  type ShiftFigures,
  type Statistics,
  collections,
  consents,
  latestSeals,
  overseenAnomalies,
  shiftFigures,
  statistics,
} from './figures.ts';
import { type Grouping, type Order, type RevenueRow, revenue } from './revenue.ts';
import { type Rule, rulesOf } from './rules.ts';
import { type Happening, happenings } from './stream.ts';

const GroupingEnum = builder.enumType('RevenueGrouping', {
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
const OrderEnum = builder.enumType('RevenueOrder', {
  description: 'How revenue is ordered.',
  values: {
    key: { description: 'By its groups.' },
    collected: { description: 'By what was paid, most first.' },
    reversed: { description: 'By what went back, most first.' },
    net: { description: 'By net, most first.' },
    count: { description: 'By the number of events, most first.' },
  } satisfies Record<Order, object>,
});
const PeriodEnum = builder.enumType('OversightPeriod', {
  description: 'A period that people are counted in.',
  values: { day: { description: 'A UTC day.' }, month: { description: 'A month.' }, year: { description: 'A year.' } } satisfies Record<
    Period,
    object
  >,
});

const money = (description: string) => ({ type: 'Decimal' as const, description });

const RevenueType = builder.objectRef<RevenueRow>('RevenueRow').implement({
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

const ComparisonType = builder.objectRef<Comparison>('RevenueComparison').implement({
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

const seconds = (part: string) => ({
  nullable: true as const,
  description: `Seconds from assessed to paid that ${part} of what was paid took at most; null where fewer than ${FEWEST_PAYERS} people paid.`,
});
const CollectionsType = builder.objectRef<CollectionFigures>('CollectionFigures').implement({
  description: 'What an agency was owed by assessments of a span, and what became of it.',
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.' }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.' }),
    assessments: t.exposeInt('assessments', { description: 'Assessments with lines of the agency.' }),
    assessed: t.expose('assessed', money("All of the agency's lines.")),
    paid: t.expose('paid', money('Those of paid assessments.')),
    outstanding: t.expose('outstanding', money('Those that wait to be paid.')),
    cancelled: t.expose('cancelled', money('Those of cancelled assessments.')),
    secondsP50: t.exposeFloat('secondsP50', seconds('half')),
    secondsP90: t.exposeFloat('secondsP90', seconds('90 %')),
    secondsP99: t.exposeFloat('secondsP99', seconds('99 %')),
  }),
});

const AnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
  description:
    'Something that somebody should look at, with what of its evidence leads to nobody. `GET /v1/anomaly-rules`, and the page `/docs/anomalies`, say what each kind means.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname.' }),
    kind: t.exposeString('kind', { description: 'What it is.' }),
    mda: t.exposeID('mda', { nullable: true, description: 'The agency that it is about.' }),
    severity: t.exposeString('severity', { description: '`low`, `medium` or `high`.' }),
    status: t.field({ type: 'String', description: '`Open` or `Resolved`.', resolve: ({ status }) => status }),
    raisedAt: t.expose('raisedAt', { type: 'DateTime', description: 'When it was found.' }),
    evidence: t.expose('evidence', { type: 'JSON', description: 'Figures and thresholds.' }),
  }),
});

const ConsentsType = builder.objectRef<ConsentFigures>('ConsentFigures').implement({
  description: 'How many people consented.',
  fields: (t) => ({
    mda: t.exposeID('mda', { nullable: true, description: 'For which agency; null: for none in particular.' }),
    period: t.exposeString('period', { description: 'When: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.' }),
    count: t.exposeInt('count', { nullable: true, description: `How many; null where they were fewer than ${FEWEST_PAYERS}.` }),
  }),
});

const ShiftsType = builder.objectRef<ShiftFigures>('ShiftFigures').implement({
  description: "How all closed shifts of an agency came out together; nothing of any person's.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.' }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.' }),
    shifts: t.exposeInt('shifts', { description: 'Closed shifts.' }),
    withVariance: t.exposeInt('withVariance', { description: 'Those whose count was not what was expected.' }),
    expectedCash: t.expose('expectedCash', money('What should have been there.')),
    variance: t.expose('variance', money('What was there more, or less where it is negative.')),
    meanVariance: t.expose('meanVariance', money('The same, on average.')),
    standardDeviation: t.expose('standardDeviation', { ...money('How far variances lie apart; null for a single shift.'), nullable: true }),
    largestShortage: t.expose('largestShortage', money('The most that was missing.')),
    largestSurplus: t.expose('largestSurplus', money('The most that was too much.')),
    pending: t.exposeInt('pending', { description: 'Variances that nobody decided on yet.' }),
    approved: t.exposeInt('approved', { description: 'Variances that were approved.' }),
    rejected: t.exposeInt('rejected', { description: 'Variances that were rejected.' }),
    escalated: t.exposeInt('escalated', { description: 'Variances that were escalated.' }),
  }),
});

const SealType = builder.objectRef<AgencySeal>('AgencySeal').implement({
  description: "The last seal of an agency's chain. Kept outside, it shows later whether anything before it was changed.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.' }),
    sequence: t.exposeInt('sequence', { description: 'How many events are sealed.' }),
    hash: t.exposeString('hash', { description: 'Hex SHA-256 over the last event and all before it.' }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When.' }),
  }),
});

const EventType = builder.objectRef<OverseenEvent>('OverseenPaymentEvent').implement({
  description: 'A payment event, with nothing that leads to a person.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, and the cursor after which others follow.' }),
    mda: t.exposeID('mda', { description: 'The agency.' }),
    amount: t.expose('amount', money('Its amount; negative for a reversal.')),
    currency: t.exposeID('currency', { description: 'The currency.' }),
    channel: t.field({ type: 'String', description: 'The way of paying.', resolve: ({ channel }) => channel }),
    kind: t.field({ type: 'String', description: '`payment` or `reversal`.', resolve: ({ kind }) => kind }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it was recorded.' }),
    seal: t.expose('seal', {
      type: 'JSON',
      nullable: true,
      description: "Its place in its agency's chain, `{sequence, hash}`; null for the first seconds.",
    }),
  }),
});

const EdgeType = builder.objectRef<OverseenEvent>('OverseenPaymentEventEdge').implement({
  description: 'A payment event in a list.',
  fields: (t) => ({
    cursor: t.exposeID('name', { description: 'After or before which others are asked for.' }),
    node: t.field({ type: EventType, description: 'The event.', resolve: (event) => event }),
  }),
});

const PageInfoType = builder.objectRef<EventPage>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNext', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPrevious', { description: 'Whether others come before.' }),
    startCursor: t.id({ nullable: true, description: 'The cursor of its first.', resolve: ({ events }) => events[0]?.name ?? null }),
    endCursor: t.id({ nullable: true, description: 'The cursor of its last.', resolve: ({ events }) => events.at(-1)?.name ?? null }),
  }),
});

const ConnectionType = builder.objectRef<EventPage>('OverseenPaymentEventConnection').implement({
  description: 'Payment events, newest first, a page of them.',
  fields: (t) => ({
    edges: t.field({
      type: [EdgeType],
      description: 'The events with their cursors.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    nodes: t.field({
      type: [EventType],
      description: 'The events alone.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ events }) => [...events],
    }),
    pageInfo: t.field({ type: PageInfoType, description: 'Where the page lies.', resolve: (page) => page }),
  }),
});

const ChannelFiguresType = builder.objectRef<ChannelFigures>('ChannelFigures').implement({
  description: 'How collections through a channel went.',
  fields: (t) => ({
    channel: t.field({ type: 'String', description: 'The way of paying.', resolve: ({ channel }) => channel }),
    available: t.exposeBoolean('available', { description: 'Whether its aggregator is connected and answers at present.' }),
    confirmed: t.exposeInt('confirmed', { description: 'Intents that were paid.' }),
    failed: t.exposeInt('failed', { description: 'Intents that failed.' }),
    expired: t.exposeInt('expired', { description: 'Intents that nobody paid in time.' }),
    open: t.exposeInt('open', { description: 'Intents that wait to be paid.' }),
    successRate: t.exposeFloat('successRate', { nullable: true, description: 'Paid intents as a part of those that ended, 0 to 1.' }),
  }),
});

const tally = (name: string, description: string, done: string) =>
  builder.objectRef<{ readonly pending: number; readonly dead: number } & Readonly<Record<string, number>>>(name).implement({
    description,
    fields: (t) => ({
      done: t.int({ description: 'Those that arrived.', resolve: (row) => row[done]! }),
      pending: t.exposeInt('pending', { description: 'Those that are still tried.' }),
      dead: t.exposeInt('dead', { description: 'Those that are not tried any more.' }),
    }),
  });
const WebhookTallyType = tally('WebhookTally', 'How messages to integrators fared.', 'delivered');
const PropagationTallyType = tally('PropagationTally', 'How notices to agencies fared.', 'done');

const StatisticsType = builder.objectRef<Statistics>('OversightStatistics').implement({
  description: 'A span in a few figures.',
  fields: (t) => ({
    totals: t.field({ type: [RevenueType], description: 'All revenue, by currency.', resolve: ({ totals }) => [...totals] }),
    channelMix: t.field({ type: [RevenueType], description: 'Revenue by channel and currency.', resolve: ({ channelMix }) => [...channelMix] }),
    channels: t.field({ type: [ChannelFiguresType], description: 'How collections went, by channel.', resolve: ({ channels }) => [...channels] }),
    webhooks: t.field({ type: WebhookTallyType, description: 'How messages to integrators fared.', resolve: ({ webhooks }) => webhooks }),
    propagations: t.field({ type: PropagationTallyType, description: 'How notices to agencies fared.', resolve: ({ propagations }) => propagations }),
    openAnomalies: t.exposeInt('openAnomalies', { description: 'Anomalies that nobody looked into yet, whenever they were raised.' }),
  }),
});

const spanArgs = (usual: string) => ({
  fromDate: builder.args((t) => ({ fromDate: t.field({ type: 'Date', description: `The first day; left out: ${usual}.` }) })).fromDate,
  toDate: builder.args((t) => ({ toDate: t.field({ type: 'Date', description: 'The last day; left out: today.' }) })).toDate,
});
const everSpan = spanArgs('from the beginning');
const monthSpan = spanArgs('29 days before the last');
const agencyArg = { mda: builder.args((t) => ({ mda: t.id({ description: "Only this agency's." }) })).mda };
const currencyArg = { currency: builder.args((t) => ({ currency: t.id({ description: 'Only in this currency.' }) })).currency };
const channelArg = { channel: builder.args((t) => ({ channel: t.field({ type: ChannelEnum, description: 'Only through this channel.' }) })).channel };

const Oversight = builder.objectRef<object>('Oversight').implement({
  description: 'What auditors, the finance ministry and the statistics bureau see: no row of it leads to a person.',
  fields: (t) => ({
    revenue: t.field({
      type: [RevenueType],
      description:
        'Revenue in any combination of groups: exact at the moment of asking, from sums by day and month and what is not yet part of them.',
      args: {
        groupBy: t.arg({ type: [GroupingEnum], required: true, defaultValue: [], description: 'The groups; none: one row a currency.' }),
        ...everSpan,
        ...agencyArg,
        sector: t.arg.string({ description: 'Only services of this sector.' }),
        family: t.arg.string({ description: 'Only services of this family.' }),
        service: t.arg.id({ description: 'Only this service.' }),
        ...channelArg,
        country: t.arg.id({ description: "Only this country's agencies." }),
        ...currencyArg,
        orderBy: t.arg({ type: OrderEnum, required: true, defaultValue: 'key', description: 'The order.' }),
        first: t.arg.int({ required: true, defaultValue: 1_000, description: 'How many rows, 1 to 10,000.' }),
        after: t.arg.id({ description: 'How many rows to skip, as the last page told.' }),
      },
      complexity: (args) => ({ field: 20, multiplier: Math.min(args.first, 500) }),
      resolve: (_root, { groupBy, orderBy, first, after, ...filter }, call) =>
        revenue(call, { groupBy, filter, orderBy, limit: first, start: after == null ? 0 : Number.parseInt(after, 10) || -1 }),
    }),
    revenueComparison: t.field({
      type: [ComparisonType],
      description: 'Net revenue of a period beside the period before it, and beside the same a year ago.',
      args: {
        byAgency: t.arg.boolean({ required: true, defaultValue: false, description: 'Whether by agency.' }),
        ...monthSpan,
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
      args: { ...monthSpan, ...agencyArg, ...currencyArg },
      complexity: { field: 50, multiplier: 10 },
      resolve: (_root, args, call) => collections(call, args),
    }),
    anomalies: t.field({
      type: [AnomalyType],
      description: 'Anomalies, newest first.',
      args: {
        kind: t.arg.string({ description: 'Only of this kind.' }),
        ...agencyArg,
        severity: t.arg.string({ description: 'Only of this severity.' }),
        status: t.arg({ type: AnomalyStatusEnum, description: 'Only those that stand so.' }),
        ...everSpan,
        ...pageArgs(50, 1_000),
      },
      complexity: (args) => ({ field: 1, multiplier: args.limit }),
      resolve: (_root, args, call) => overseenAnomalies(call, args, args),
    }),
    consents: t.field({
      type: [ConsentsType],
      description: 'How many people consented, by agency and period.',
      args: { period: t.arg({ type: PeriodEnum, required: true, defaultValue: 'month', description: 'The period.' }), ...agencyArg, ...everSpan },
      complexity: { field: 20, multiplier: 10 },
      resolve: (_root, args, call) => consents(call, args),
    }),
    paymentEvents: t.field({
      type: ConnectionType,
      description: 'Payment events, newest first, with cursors that stay the same however many come.',
      args: {
        first: t.arg.int({ description: 'How many from the top or after a cursor, 1 to 1,000; left out together with `last`: 50.' }),
        after: t.arg.id({ description: 'Those that follow this event.' }),
        last: t.arg.int({ description: 'How many from the end or before a cursor, 1 to 1,000.' }),
        before: t.arg.id({ description: 'Those that come before this event.' }),
        ...agencyArg,
        ...channelArg,
        kind: t.arg({ type: EventKindEnum, description: 'Only of this kind.' }),
        ...currencyArg,
        ...everSpan,
      },
      complexity: (args) => ({ field: 1, multiplier: args.first ?? args.last ?? 50 }),
      resolve: async (_root, { first, after, last, before, ...filter }, call) => {
        const page = await pageOfEvents(call, filter, { first, after, last, before });
        if (page.hasNext) call.nextAfter = page.events.at(-1)!.name;
        return page;
      },
    }),
    shifts: t.field({
      type: [ShiftsType],
      description: 'How counter shifts came out, by agency.',
      args: { ...monthSpan, ...agencyArg },
      complexity: { field: 20, multiplier: 10 },
      resolve: (_root, args, call) => shiftFigures(call, args),
    }),
    statistics: t.field({
      type: StatisticsType,
      description: 'A span in a few figures: totals, channels and their success, and the health of what is outside.',
      args: monthSpan,
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

const RuleType = builder.objectRef<Rule>('AnomalyRule').implement({
  description: 'What a kind of anomaly means, and what to do about it.',
  fields: (t) => ({
    kind: t.field({ type: 'ID', description: 'The kind.', resolve: ({ kind }) => kind }),
    title: t.exposeString('title', { description: 'In short.' }),
    meaning: t.exposeString('meaning', { description: 'What happened.' }),
    whatToDo: t.exposeString('whatToDo', { description: 'What somebody should do about it.' }),
    thresholds: t.expose('thresholds', { type: 'JSON', nullable: true, description: 'From when on it is flagged; null: always.' }),
  }),
});

builder.queryFields((t) => ({
  anomalyRules: t.field({
    type: [RuleType],
    description: 'What is flagged, and what it means. Open to everyone.',
    resolve: (_root, _args, { config }) => rulesOf(config.thresholds),
  }),
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
    anomaly: t.field({ type: AnomalyType, nullable: true, description: 'The anomaly, where it is one.', resolve: ({ anomaly }) => anomaly }),
  }),
});

builder.subscriptionType({ description: 'What is told as it happens, by server-sent events.' });
builder.subscriptionFields((t) => ({
  oversight: t.field({
    type: HappeningType,
    description:
      'Payment events and anomalies as they happen, each once and in order; for 15 minutes, after which it is read on from the last cursor. Scope `oversight.read`.',
    ...needs('oversight.read'),
    args: { after: t.arg.id({ description: 'The cursor to read on from; left out: from now on.' }) },
    subscribe: (_root, { after }, call) => happenings(call, after ?? null),
    resolve: (happening) => happening,
  }),
}));
