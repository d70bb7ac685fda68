import { builder } from '../../graphql/builder.ts';
import { agencyCode, currencyCode } from '../../graphql/input/forms.ts';
import { ChannelEnum } from '../../collection/payments/schema/intent-schema.ts';
import type { ConsentFigures, Period } from './consents.ts';
import { FEWEST_PEOPLE, WHOLE_MONTHS } from './small-cells.ts';
import type { CollectionFigures } from './collections.ts';
import { type AgencySeal, type ChannelFigures, type ShiftFigures, type Statistics } from './figures.ts';
import { RevenueType, money } from '../revenue/revenue-schema.ts';
import { addAgencyOf, agencyEdgeIfAny } from '../root/edges.ts';

export const PeriodEnum = builder.enumType('OversightPeriod', {
  description: 'The length of a period.',
  values: {
    day: { description: 'A day each (UTC).' },
    month: { description: 'A month each (UTC).' },
    year: { description: 'A calendar year each (UTC).' },
  } satisfies Record<Period, object>,
});

const nullable = { nullable: true as const };
/** An amount that may be about too few people. */
const someMoney = (description: string) => ({ ...money(description), ...nullable });
const seconds = (part: string) => ({
  ...nullable,
  description: `The time in seconds from assessment to payment within which ${part} of payments were made, over months in which at least ${FEWEST_PEOPLE} people paid.`,
});
export const CollectionsType = builder.objectRef<CollectionFigures>('CollectionFigures').implement({
  description: `Amounts assessed for an agency in a period, and how much was paid. The people counted are the payers. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    assessments: t.exposeInt('assessments', {
      ...nullable,
      description: 'The number of assessments that include the agency.',
    }),
    assessed: t.expose('assessed', someMoney('The amount assessed in the period.')),
    paid: t.expose('paid', someMoney('The amount of paid assessments.')),
    outstanding: t.expose('outstanding', someMoney('The amount awaiting payment.')),
    cancelled: t.expose('cancelled', someMoney('The amount of cancelled assessments.')),
    secondsP50: t.exposeFloat('secondsP50', seconds('half')),
    secondsP90: t.exposeFloat('secondsP90', seconds('90 %')),
    secondsP99: t.exposeFloat('secondsP99', seconds('99 %')),
  }),
});
addAgencyOf(CollectionsType, 'that is owed');

export const ConsentsType = builder.objectRef<ConsentFigures>('ConsentFigures').implement({
  description: 'The number of people who gave consent. Each person counts once per agency, at their first consent.',
  fields: (t) => ({
    agencyId: t.exposeID('mda', {
      nullable: true,
      description: 'The code of the agency; null for consent that names no agency.',
      ...agencyCode,
    }),
    agency: t.field(agencyEdgeIfAny('The agency; null for consent that names no agency.')),
    period: t.exposeString('period', {
      description:
        'The period, `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. Periods are always counted in full, even at the ends of the requested range.',
    }),
    count: t.exposeInt('count', {
      nullable: true,
      description: `The number of people; null if fewer than ${FEWEST_PEOPLE}, or if a smaller number could be derived from the other counts.`,
    }),
  }),
});

export const ShiftsType = builder.objectRef<ShiftFigures>('ShiftFigures').implement({
  description: `Combined results of all closed shifts of an agency, without personal data. The people counted are the clerks. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The currency of the amounts (ISO 4217).', ...currencyCode }),
    shifts: t.exposeInt('shifts', { ...nullable, description: 'The number of closed shifts.' }),
    withVariance: t.exposeInt('withVariance', { ...nullable, description: 'The number of shifts with a variance.' }),
    expectedCash: t.expose('expectedCash', someMoney('The cash expected in the tills, by what was collected.')),
    variance: t.expose('variance', someMoney('The total variance; negative if cash was missing.')),
    meanVariance: t.expose('meanVariance', someMoney('The mean variance per shift.')),
    standardDeviation: t.expose('standardDeviation', someMoney('The standard deviation of variances.')),
    largestShortage: t.expose(
      'largestShortage',
      someMoney(`The largest cash shortage, over months in which at least ${FEWEST_PEOPLE} clerks had a shortage.`),
    ),
    largestSurplus: t.expose(
      'largestSurplus',
      someMoney(`The largest cash surplus, over months in which at least ${FEWEST_PEOPLE} clerks had a surplus.`),
    ),
    pending: t.exposeInt('pending', { ...nullable, description: 'The number of variances awaiting a decision.' }),
    approved: t.exposeInt('approved', { ...nullable, description: 'The number of approved variances.' }),
    rejected: t.exposeInt('rejected', { ...nullable, description: 'The number of rejected variances.' }),
    escalated: t.exposeInt('escalated', { ...nullable, description: 'The number of escalated variances.' }),
  }),
});
addAgencyOf(ShiftsType, 'of the counters');

export const SealType = builder.objectRef<AgencySeal>('AgencySeal').implement({
  description:
    "The most recent seal of an agency's chain of payment events. A copy kept outside the system proves later whether any earlier event was changed.",
  fields: (t) => ({
    sequence: t.exposeInt('sequence', { description: 'The number of sealed events.' }),
    hash: t.exposeString('hash', {
      description: "SHA-256 (hex) over the last event and, through its predecessor's hash, all events before it.",
    }),
    sealedAt: t.expose('sealedAt', { type: 'DateTime', description: 'When the last event was sealed.' }),
  }),
});
addAgencyOf(SealType, 'whose chain it is');

const ChannelFiguresType = builder.objectRef<ChannelFigures>('ChannelFigures').implement({
  description: `Results of payment attempts through a channel. The people counted are the payers. ${WHOLE_MONTHS}`,
  fields: (t) => ({
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel that the figures are of.' }),
    available: t.exposeBoolean('available', {
      description: 'Whether the aggregator of this channel is connected and responding.',
    }),
    confirmed: t.exposeInt('confirmed', { ...nullable, description: 'The number of intents that were paid.' }),
    failed: t.exposeInt('failed', { ...nullable, description: 'The number of intents that failed.' }),
    expired: t.exposeInt('expired', { ...nullable, description: 'The number of intents that expired unpaid.' }),
    open: t.exposeInt('open', { ...nullable, description: 'The number of intents awaiting payment.' }),
    successRate: t.exposeFloat('successRate', {
      nullable: true,
      description: 'The share of paid intents among those that are final, 0 to 1.',
    }),
  }),
});

const tally = (name: string, description: string, done: string) =>
  builder
    .objectRef<{ readonly pending: number; readonly dead: number } & Readonly<Record<string, number>>>(name)
    .implement({
      description,
      fields: (t) => ({
        done: t.int({ description: 'The number of successful deliveries.', resolve: (row) => row[done]! }),
        pending: t.exposeInt('pending', { description: 'The number of pending deliveries.' }),
        dead: t.exposeInt('dead', { description: 'The number of failed deliveries that are no longer retried.' }),
      }),
    });
const WebhookTallyType = tally('WebhookTally', 'Results of webhook deliveries to integrators.', 'delivered');
const PropagationTallyType = tally('PropagationTally', 'Results of notifying agencies.', 'done');

export const StatisticsType = builder.objectRef<Statistics>('OversightStatistics').implement({
  description: 'Key figures of a period.',
  fields: (t) => ({
    totals: t.field({
      type: [RevenueType],
      description: 'Total revenue by currency.',
      resolve: ({ totals }) => [...totals],
    }),
    channelMix: t.field({
      type: [RevenueType],
      description: 'Revenue by channel and currency.',
      resolve: ({ channelMix }) => [...channelMix],
    }),
    channels: t.field({
      type: [ChannelFiguresType],
      description: 'Collection results by channel.',
      resolve: ({ channels }) => [...channels],
    }),
    webhooks: t.field({
      type: WebhookTallyType,
      description: 'Results of webhook deliveries to integrators.',
      resolve: ({ webhooks }) => webhooks,
    }),
    propagations: t.field({
      type: PropagationTallyType,
      description: 'Results of notifying agencies.',
      resolve: ({ propagations }) => propagations,
    }),
    openAnomalies: t.exposeInt('openAnomalies', {
      description: 'The number of open anomalies, whenever they were raised.',
    }),
  }),
});
