import { builder } from '../graphql/builder.ts';
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
} from './figures.ts';
import { RevenueType, money } from './revenue-schema.ts';

export const PeriodEnum = builder.enumType('OversightPeriod', {
  description: 'A period that people are counted in.',
  values: { day: { description: 'A UTC day.' }, month: { description: 'A month.' }, year: { description: 'A year.' } } satisfies Record<
    Period,
    object
  >,
});

const seconds = (part: string) => ({
  nullable: true as const,
  description: `Seconds from assessed to paid that ${part} of what was paid took at most; null where fewer than ${FEWEST_PAYERS} people paid.`,
});
export const CollectionsType = builder.objectRef<CollectionFigures>('CollectionFigures').implement({
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

export const AnomalyType = builder.objectRef<OverseenAnomaly>('OverseenAnomaly').implement({
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

export const ConsentsType = builder.objectRef<ConsentFigures>('ConsentFigures').implement({
  description: 'How many people consented.',
  fields: (t) => ({
    mda: t.exposeID('mda', { nullable: true, description: 'For which agency; null: for none in particular.' }),
    period: t.exposeString('period', { description: 'When: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`.' }),
    count: t.exposeInt('count', { nullable: true, description: `How many; null where they were fewer than ${FEWEST_PAYERS}.` }),
  }),
});

export const ShiftsType = builder.objectRef<ShiftFigures>('ShiftFigures').implement({
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

export const SealType = builder.objectRef<AgencySeal>('AgencySeal').implement({
  description: "The last seal of an agency's chain. Kept outside, it shows later whether anything before it was changed.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.' }),
    sequence: t.exposeInt('sequence', { description: 'How many events are sealed.' }),
    hash: t.exposeString('hash', { description: 'Hex SHA-256 over the last event and all before it.' }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When.' }),
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

export const StatisticsType = builder.objectRef<Statistics>('OversightStatistics').implement({
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
