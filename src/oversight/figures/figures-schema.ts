import { builder } from '../../graphql/builder.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import type { ConsentFigures, Period } from './consents.ts';
import { FEWEST_PEOPLE, WHOLE_MONTHS } from './few.ts';
import { type AgencySeal, type ChannelFigures, type CollectionFigures, type ShiftFigures, type Statistics } from './figures.ts';
import { RevenueType, money } from '../revenue/revenue-schema.ts';

export const PeriodEnum = builder.enumType('OversightPeriod', {
  description: 'A period that people are counted in.',
  values: { day: { description: 'A UTC day.' }, month: { description: 'A month.' }, year: { description: 'A year.' } } satisfies Record<
    Period,
    object
  >,
});

const few = { nullable: true as const };
/** An amount that may be about too few people. */
const someMoney = (description: string) => ({ ...money(description), ...few });
const seconds = (part: string) => ({
  ...few,
  description: `Seconds from assessed to paid that ${part} of what was paid took at most, of the months in which at least ${FEWEST_PEOPLE} people paid.`,
});
export const CollectionsType = builder.objectRef<CollectionFigures>('CollectionFigures').implement({
  description: `What an agency was owed by assessments of a span, and what became of it. The people that it is about are the payers. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.', ...currencyCode }),
    assessments: t.exposeInt('assessments', { ...few, description: 'Assessments with lines of the agency.' }),
    assessed: t.expose('assessed', someMoney("All of the agency's lines.")),
    paid: t.expose('paid', someMoney('Those of paid assessments.')),
    outstanding: t.expose('outstanding', someMoney('Those that wait to be paid.')),
    cancelled: t.expose('cancelled', someMoney('Those of cancelled assessments.')),
    secondsP50: t.exposeFloat('secondsP50', seconds('half')),
    secondsP90: t.exposeFloat('secondsP90', seconds('90 %')),
    secondsP99: t.exposeFloat('secondsP99', seconds('99 %')),
  }),
});

export const ConsentsType = builder.objectRef<ConsentFigures>('ConsentFigures').implement({
  description: 'How many people consented. Each person counts once for an agency, with the first consent.',
  fields: (t) => ({
    mda: t.exposeID('mda', { nullable: true, description: 'For which agency; null: for none in particular.' }),
    period: t.exposeString('period', {
      description: 'When: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. Always the whole of it, whatever span was asked for.',
    }),
    count: t.exposeInt('count', {
      nullable: true,
      description: `How many; null where they were fewer than ${FEWEST_PEOPLE}, or where fewer would follow from the other counts.`,
    }),
  }),
});

export const ShiftsType = builder.objectRef<ShiftFigures>('ShiftFigures').implement({
  description: `How all closed shifts of an agency came out together; nothing of any person's. The people that it is about are the clerks. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    currency: t.exposeID('currency', { description: 'The currency of its amounts.', ...currencyCode }),
    shifts: t.exposeInt('shifts', { ...few, description: 'Closed shifts.' }),
    withVariance: t.exposeInt('withVariance', { ...few, description: 'Those whose count was not what was expected.' }),
    expectedCash: t.expose('expectedCash', someMoney('What should have been there.')),
    variance: t.expose('variance', someMoney('What was there more, or less where it is negative.')),
    meanVariance: t.expose('meanVariance', someMoney('The same, on average.')),
    standardDeviation: t.expose('standardDeviation', someMoney('How far variances lie apart.')),
    largestShortage: t.expose(
      'largestShortage',
      someMoney(`The most that was missing, of the months in which at least ${FEWEST_PEOPLE} clerks missed something.`),
    ),
    largestSurplus: t.expose(
      'largestSurplus',
      someMoney(`The most that was too much, of the months in which at least ${FEWEST_PEOPLE} clerks had too much.`),
    ),
    pending: t.exposeInt('pending', { ...few, description: 'Variances that nobody decided on yet.' }),
    approved: t.exposeInt('approved', { ...few, description: 'Variances that were approved.' }),
    rejected: t.exposeInt('rejected', { ...few, description: 'Variances that were rejected.' }),
    escalated: t.exposeInt('escalated', { ...few, description: 'Variances that were escalated.' }),
  }),
});

export const SealType = builder.objectRef<AgencySeal>('AgencySeal').implement({
  description: "The last seal of an agency's chain. Kept outside, it shows later whether anything before it was changed.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    sequence: t.exposeInt('sequence', { description: 'How many events are sealed.' }),
    hash: t.exposeString('hash', { description: 'Hex SHA-256 over the last event and all before it.' }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When.' }),
  }),
});

const ChannelFiguresType = builder.objectRef<ChannelFigures>('ChannelFigures').implement({
  description: `How attempts to pay through a channel went. The people that it is about are the payers. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    channel: t.field({ type: 'String', description: 'The way of paying.', resolve: ({ channel }) => channel }),
    available: t.exposeBoolean('available', { description: 'Whether its aggregator is connected and answers at present.' }),
    confirmed: t.exposeInt('confirmed', { ...few, description: 'Intents that were paid.' }),
    failed: t.exposeInt('failed', { ...few, description: 'Intents that failed.' }),
    expired: t.exposeInt('expired', { ...few, description: 'Intents that nobody paid in time.' }),
    open: t.exposeInt('open', { ...few, description: 'Intents that wait to be paid.' }),
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
