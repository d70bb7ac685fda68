import { Channel, IntentStatus, PaymentProof } from '../../../generated/prisma/enums.ts';
import type { PaymentIntent as IntentRecord } from '../../../generated/prisma/client.ts';
import type { NextAction } from '../../../adapters/payment/port.ts';
import { isWholeWithin, partsWithin } from '../../../platform/access/owned.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../../graphql/graph/node.ts';
import { agencyCode, currencyCode, docname, ownDocname } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { LONGEST_LABEL } from '../../../kernel/text/free-text.ts';
import { addAnomalySubject } from '../../anomalies/subject.ts';
import { metadataFor } from '../../assessments/labels.ts';
import { AssessmentType, metadataFilter } from '../../assessments/schema.ts';
import {
  type IntentOrder,
  type PaymentIntent,
  intentLoader,
  listIntents,
  listIntentsOf,
  readSplitsOf,
} from '../find.ts';
import { concealFrom } from './conceal.ts';
import { readResponse } from '../initiate.ts';
import { nextActionFor } from '../payer/next-action.ts';
import { changeOf, maskMsisdn } from '../snapshot.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { assessmentField } from '../../assessments/edges.ts';

export const ChannelEnum = builder.enumType(Channel, {
  name: 'Channel',
  description: 'Method by which money is collected from a payer.',
  values: {
    mtn_momo: { description: 'MTN Mobile Money, from a phone.' },
    airtel_money: { description: 'Airtel Money, from a phone.' },
    card: { description: 'A payment card, on a page of the provider.' },
    cash: { description: 'Cash at a counter.' },
    bank: { description: 'At a bank, by a payment reference.' },
    agent: { description: 'At an agent, by a payment reference.' },
    ussd: { description: 'By a code on a phone, with a payment reference.' },
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

export const PaymentProofEnum = builder.enumType(PaymentProof, {
  name: 'PaymentProof',
  description: 'Proof by which a payment was confirmed.',
  values: {
    callback: { description: 'A message that the payment point signed.' },
    enquiry: { description: 'The answer of the aggregator or payment point when it was asked.' },
    cash: { description: 'Cash that a clerk confirmed in an Open shift of their own.' },
    approval: { description: 'A statement that two independent people approved.' },
    simulated: {
      description: 'Nobody outside the rail: a simulated provider of a sandbox, or what a sandbox takes unproved.',
    },
  },
});

const SplitType = builder.prismaObject('SplitRule', {
  name: 'Split',
  description: "The part of an intent's amount that the aggregator pays into one agency's collection account.",
  fields: (t) => ({
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency that is paid.')),
    amount: t.expose('amount', { type: 'Decimal', description: "The agency's share, in the intent's currency." }),
  }),
});

const NextActionTypeEnum = defineEnum<NextAction['type']>('NextActionType', "Kind of the payer's next step.", {
  redirect: 'Open `url`, a page of the aggregator, and pay there.',
  push: 'Answer the request to pay on their phone.',
  reference: 'Pay by the number that they are shown.',
  none: 'Nothing: the payment takes no step of theirs.',
});

export const NextActionType = builder.objectRef<NextAction>('NextAction').implement({
  description: 'Step that a payer has to take to complete a collection.',
  fields: (t) => ({
    type: t.expose('type', { type: NextActionTypeEnum, description: 'Kind of step that the payer has to take.' }),
    url: t.exposeString('url', {
      nullable: true,
      description:
        'The page to send the payer to, for `redirect`; otherwise null. For the account that made the intent: null for everybody else.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it can be done; null if the aggregator does not say.',
    }),
  }),
});

/** A payment intent that was read with its splits, or without. */
type WithSplits = Pick<PaymentIntent, 'name'> & Partial<Pick<PaymentIntent, 'splits'>>;

export const IntentType = builder.prismaObject('PaymentIntent', {
  description: 'An attempt to collect the total of an assessment, and how the aggregator splits it among agencies.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('intent')),
    assessmentId: t.exposeID('assessment', {
      description: 'The docname of the assessment to be paid.',
      ...docname('assessment'),
    }),
    assessment: t.field(assessmentField('The assessment to be paid.')),
    channel: t.expose('channel', {
      type: ChannelEnum,
      description: 'The payment channel: how the money is collected.',
    }),
    status: t.expose('status', {
      type: IntentStatusEnum,
      description: 'The current status. Only Confirmed is final: money may arrive after an intent failed or expired.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: "The amount: the assessment's total." }),
    currency: t.exposeString('currency', { description: 'The currency of all amounts (ISO 4217).', ...currencyCode }),
    splits: t.field({
      type: [SplitType],
      description:
        'The share of each agency. Who is bound to agencies sees the shares of these alone, and the amount of all.',
      resolve: async (intent: WithSplits, _args, call) =>
        partsWithin(call.viewer, intent.splits ?? (await readSplitsOf(call, intent.name))),
    }),
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
    nextAction: t.field({
      type: NextActionType,
      nullable: true,
      description: "The payer's next step, as the aggregator said; null unless the intent is Sent.",
      resolve: (intent: WithSplits & IntentRecord, _args, call) => nextActionFor(call, intent),
    }),
    tendered: t.expose('tendered', {
      type: 'Decimal',
      nullable: true,
      description:
        "The cash that the payer handed over, in the intent's currency; null if nobody said, and for other channels.",
    }),
    change: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The change due to the payer: `tendered` less `amount`; null where `tendered` is.',
      resolve: (intent) => changeOf(intent),
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The reference that its creator gave; null if there is none.',
    }),
    metadata: t.field({
      type: 'Metadata',
      nullable: true,
      description: 'Texts that the account that made it attached to it; null for everybody else, and without any.',
      resolve: (intent, _args, { viewer }) => metadataFor(viewer, intent),
    }),
    adapterResponse: t.field({
      type: 'JSON',
      nullable: true,
      description:
        "The aggregator's response when it was asked to collect, in a format that depends on the channel. Null before that, and for who is bound to some of several agencies that are paid.",
      resolve: async (intent: WithSplits & IntentRecord, _args, call) => {
        if (intent.aggregatorReference === null) return null;
        const splits = intent.splits ?? (await readSplitsOf(call, intent.name));
        return isWholeWithin(call.viewer, splits) ? concealFrom(call.viewer, await readResponse(call, intent)) : null;
      },
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Reason why the collection failed, as reported by the aggregator.',
    }),
    initiatedAt: t.expose('initiatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the aggregator accepted the request to collect.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the payment was confirmed; null if it was not.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time at which the intent expires unless it is confirmed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

export const SplitInputType = builder.inputType('SplitInput', {
  description: "One agency's share of the amount.",
  fields: (t) => ({
    mda: t.id({ required: true, description: "The agency's short code, such as `URA`.", ...agencyCode }),
    amount: t.field({ type: 'Decimal', required: true, description: 'The share; more than 0.' }),
  }),
});

defineNode({
  typename: 'PaymentIntent',
  needs: ['payments.read'],
  matches: (id) => isDocname('intent', id),
  loader: intentLoader,
});

// Collections that are strange are found of an intent, reversals of an assessment.
addAnomalySubject(IntentType);
addAnomalySubject(AssessmentType);

export const IntentConnection = defineConnection('PaymentIntent', IntentType, 'payment intents', {
  sums: 'the amounts',
});

const IntentOrderEnum = defineEnum<IntentOrder>('PaymentIntentOrder', 'The order of a list of payment intents.', {
  created_desc: 'By time of creation, the newest first.',
  created_asc: 'By time of creation, the oldest first.',
  amount_desc: 'The largest amount first.',
  amount_asc: 'The smallest amount first.',
  due_asc: 'The one that expires next, or expired first, first.',
  due_desc: 'The one that expires last first.',
});

builder.prismaObjectFields('Assessment', (t) => ({
  intents: t.field({
    description: 'The payment intents for this assessment, oldest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(IntentConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listIntentsOf(call, name, args),
  }),
}));

builder.queryFields((t) => ({
  paymentIntents: t.field({
    description: "The caller's payment intents, newest first. Scope `payments.read`.",
    ...needs('payments.read'),
    ...connection(IntentConnection, {
      most: 200,
      searched: ['status', 'channel', 'proof', 'agency', 'minAmount', 'maxAmount'],
      args: {
        status: t.arg({ type: IntentStatusEnum, description: 'Only intents in this status. Default: in any.' }),
        channel: t.arg({ type: ChannelEnum, description: 'Filter by payment channel.' }),
        proof: t.arg({ type: [PaymentProofEnum], description: 'Only those that were confirmed by one of these.' }),
        assessment: t.arg.id({ description: 'Filter by assessment (docname).', ...docname('assessment') }),
        agency: t.arg.id({ description: 'Filter by agency code: those in which it has a share.', ...agencyCode }),
        reference: t.arg.id({
          description:
            "Filter by any reference: yours to the intent or its assessment, the docname of either, the aggregator's, or its transaction ID.",
          ...shape({ maxLength: LONGEST_LABEL }),
        }),
        ...metadataFilter,
        from: t.arg({
          type: 'DateTime',
          description:
            'Only intents created at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
        }),
        to: t.arg({
          type: 'DateTime',
          description:
            'Only intents created at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
        }),
        minAmount: t.arg({ type: 'Decimal', description: 'Only intents of at least this amount.' }),
        maxAmount: t.arg({ type: 'Decimal', description: 'Only intents of at most this amount.' }),
        surplus: t.arg.boolean({
          description:
            'True: only payments that paid nothing, since their assessment was paid or cancelled before. False: only others.',
        }),
        orderBy: t.arg({ type: IntentOrderEnum, description: 'The order of the list. Default: the newest first.' }),
      },
    }),
    resolve: (_root, args, call) => listIntents(call, args, args),
  }),
}));
