import { Channel, IntentStatus } from '../../../generated/prisma/enums.ts';
import { builder } from '../../../graphql/builder.ts';
import { agencyCode, currencyCode, docname } from '../../../graphql/input/forms.ts';
import { maskMsisdn } from '../snapshot.ts';

export const ChannelEnum = builder.enumType(Channel, {
  name: 'Channel',
  description: 'A payment channel.',
  values: {
    mtn_momo: { description: 'MTN Mobile Money.' },
    airtel_money: { description: 'Airtel Money.' },
    card: { description: 'A payment card.' },
    cash: { description: 'Cash at a counter.' },
  },
});

export const IntentStatusEnum = builder.enumType(IntentStatus, {
  name: 'PaymentIntentStatus',
  description: 'The status of a payment intent.',
  values: {
    Pending: { description: 'Created; the payer has not been asked to pay yet.' },
    Sent: { description: 'The aggregator has been asked to collect.' },
    Confirmed: { description: 'The aggregator confirmed the collection; payment events were recorded.' },
    Failed: { description: 'The aggregator reported that the collection failed.' },
    Expired: { description: 'Not confirmed before it expired.' },
  },
});

builder.prismaObject('SplitRule', {
  name: 'Split',
  description: "The part of an intent's amount that the aggregator pays into one agency's collection account.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: "The agency's share, in the intent's currency." }),
  }),
});

builder.prismaObject('PaymentIntent', {
  description: 'An attempt to collect the total of an assessment, and how the aggregator splits it among agencies.',
  fields: (t) => ({
    name: t.exposeID('name', {
      description: 'The unique identifier (docname), `PI-<yyyy>-<mm>-<6 digits>`.',
      ...docname('intent'),
    }),
    assessment: t.exposeID('assessment', {
      description: 'The docname of the assessment to be paid.',
      ...docname('assessment'),
    }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel.' }),
    status: t.expose('status', { type: IntentStatusEnum, description: 'The current status.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "The amount: the assessment's total." }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    splits: t.relation('splits', { description: 'The share of each agency.', query: { orderBy: { mda: 'asc' } } }),
    aggregator: t.exposeString('aggregator', { description: 'The aggregator that collects the payment.' }),
    aggregatorReference: t.exposeString('aggregatorReference', {
      nullable: true,
      description: "The aggregator's reference; null until the payment is initiated.",
    }),
    payerMsisdn: t.string({
      nullable: true,
      description: "The payer's phone number, masked except for the last 3 digits.",
      resolve: (intent) => maskMsisdn(intent.payerMsisdn),
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why the collection failed, as reported by the aggregator.',
    }),
    initiatedAt: t.expose('initiatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the aggregator accepted the request to collect.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the payment was confirmed; null if it was not.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the intent expires unless it is confirmed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

export const SplitInputType = builder.inputType('SplitInput', {
  description: "One agency's share of the amount.",
  fields: (t) => ({
    mda: t.id({ required: true, description: "The agency's code.", ...agencyCode }),
    amount: t.field({ type: 'Decimal', required: true, description: 'The share; more than 0.' }),
  }),
});
