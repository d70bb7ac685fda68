import { getAssessment } from '../assessments/find.ts';
import { Channel, IntentStatus, PaymentEventKind } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, currencyCode, docname, freeText, payerPhone } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { cancelAssessment } from './settlement/cancel.ts';
import { type Confirmation, confirmPayment, confirmationOf } from './confirm.ts';
import { MOST_SPLITS, createPaymentIntent } from './create.ts';
import { getIntent, listEvents } from './find.ts';
import { type Initiation, initiatePayment, initiationOf } from './initiate.ts';
import { type LiveStatus, readLiveStatus } from './enquiries/live-status.ts';
import { actorAsShownTo, concealFrom } from './conceal.ts';
import { maskMsisdn } from './snapshot.ts';
import { type PaymentTrace, type TimelineRow, tracePayment } from './trace.ts';

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

const IntentStatusEnum = builder.enumType(IntentStatus, {
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

export const EventKindEnum = builder.enumType(PaymentEventKind, {
  name: 'PaymentEventKind',
  description: 'The kind of payment event.',
  values: { payment: { description: 'Money received by the agency.' }, reversal: { description: 'Money returned; the amount is negative.' } },
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
    name: t.exposeID('name', { description: 'The unique identifier (docname), `PI-<yyyy>-<mm>-<6 digits>`.', ...docname('intent') }),
    assessment: t.exposeID('assessment', { description: 'The docname of the assessment to be paid.', ...docname('assessment') }),
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
    failureReason: t.exposeString('failureReason', { nullable: true, description: 'Why the collection failed, as reported by the aggregator.' }),
    initiatedAt: t.expose('initiatedAt', { type: 'DateTime', nullable: true, description: 'When the aggregator accepted the request to collect.' }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true, description: 'When the payment was confirmed; null if it was not.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the intent expires unless it is confirmed.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.prismaObject('EventSeal', {
  description: "The seal of a payment event: its position in its agency's tamper-evident chain.",
  fields: (t) => ({
    sequence: t.int({ description: "The event's number in the agency's chain, without gaps.", resolve: (seal) => Number(seal.sequence) }),
    hash: t.exposeString('hash', { description: "SHA-256 (hex) over the event and the previous event's hash." }),
  }),
});

builder.prismaObject('PaymentEvent', {
  description: 'Proof that an agency received a payment, or that it was reversed. Payment events are never changed or deleted.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'The unique identifier (docname), `PEV-<yyyy>-<mm>-<6 digits>`.', ...docname('event') }),
    intent: t.exposeID('intent', { description: 'The docname of the payment intent.', ...docname('intent') }),
    assessment: t.exposeID('assessment', { description: 'The docname of the assessment.', ...docname('assessment') }),
    mda: t.exposeID('mda', { description: 'The code of the agency that received the payment.', ...agencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount; negative for a reversal.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The payment channel.' }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'The kind of event: payment or reversal.' }),
    aggregatorReference: t.exposeString('aggregatorReference', { description: "The aggregator's reference for the collection." }),
    txnId: t.exposeString('txnId', { nullable: true, description: "The aggregator's transaction ID." }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the rail recorded the event.' }),
    seal: t.relation('seal', { nullable: true, description: "The seal in the agency's chain; null for the first seconds." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('createdAt', { type: 'DateTime', description: 'Equal to `createdAt`: events never change.' }),
  }),
});

const InitiationType = builder.objectRef<Initiation>('PaymentInitiation').implement({
  description: 'The result of initiating a payment.',
  fields: (t) => ({
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The intent, now Sent.', resolve: (_query, { intent }) => intent }),
    adapterResponse: t.field({
      type: 'JSON',
      description: "The aggregator's response, in a format that depends on the channel.",
      resolve: ({ adapterResponse }, _args, { viewer }) => concealFrom(viewer, adapterResponse),
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description: "In sandbox mode: why live mode would have refused the request, such as a missing payer's phone number. Otherwise null.",
    }),
  }),
});

const ConfirmationType = builder.objectRef<Confirmation>('PaymentConfirmation').implement({
  description: 'The result of a confirmation.',
  fields: (t) => ({
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The confirmed intent.', resolve: (_query, { intent }) => intent }),
    events: t.prismaField({ type: ['PaymentEvent'], description: 'The payment events: one per split.', resolve: (_query, { events }) => events }),
    assessment: t.prismaField({ type: 'Assessment', description: 'The assessment.', resolve: (_query, { assessment }) => assessment }),
  }),
});

const TimelineRowType = builder.objectRef<TimelineRow>('TimelineRow').implement({
  description: 'An entry in the history of a payment.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    kind: t.exposeString('kind', {
      description:
        'The kind of entry: `assessment.update`, `payment_intent.update`, `adapter.initiate`, `adapter.verify` or `payment_event.created`.',
    }),
    actor: t.string({
      description: "Who acted: an integrator's code, `staff` (staff see the e-mail address), or the component of the rail that acted automatically.",
      resolve: ({ actor }, _args, { viewer }) => actorAsShownTo(viewer, actor),
    }),
    summary: t.exposeString('summary', { description: 'A short description.' }),
    doc: t.exposeID('doc', { nullable: true, description: 'The docname of the document concerned.' }),
    detail: t.field({
      type: 'JSON',
      description:
        'Details, such as requests to and responses from aggregators. Credentials are removed, and account numbers masked (operators see the last 4 characters).',
      resolve: ({ detail }, _args, { viewer }) => concealFrom(viewer, detail),
    }),
  }),
});

const TraceType = builder.objectRef<PaymentTrace>('PaymentTrace').implement({
  description: 'The history of a payment.',
  fields: (t) => ({
    assessment: t.prismaField({ type: 'Assessment', description: 'The assessment.', resolve: (_query, { assessment }) => assessment }),
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The intent.', resolve: (_query, { intent }) => intent }),
    events: t.prismaField({ type: ['PaymentEvent'], description: 'The payment events of the intent.', resolve: (_query, { events }) => events }),
    timeline: t.expose('timeline', { type: [TimelineRowType], description: 'What happened, in chronological order.' }),
  }),
});

const StoredStateType = builder.objectRef<LiveStatus['intent']>('StoredPaymentState').implement({
  description: 'The recorded state of a payment intent.',
  fields: (t) => ({
    status: t.expose('status', { type: IntentStatusEnum, description: 'The current status.' }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true, description: 'When the payment was confirmed; null if it was not.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
  }),
});

const LiveStateType = builder.objectRef<LiveStatus>('LivePaymentState').implement({
  description: 'The state of a collection at the aggregator.',
  fields: (t) => ({
    status: t.string({
      description: 'The status at the aggregator: `SUCCESSFUL`, `FAILED`, `PENDING` or `NOT_FOUND`.',
      resolve: ({ live }) => live.status,
    }),
    txnId: t.string({ nullable: true, description: "The aggregator's transaction ID.", resolve: ({ live }) => live.txnId }),
    amount: t.field({ type: 'Decimal', nullable: true, description: 'The amount collected.', resolve: ({ live }) => live.amount }),
    currency: t.string({ nullable: true, description: 'The currency (ISO 4217).', resolve: ({ live }) => live.currency }),
    settledAt: t.field({ type: 'DateTime', nullable: true, description: 'When the collection was settled.', resolve: ({ live }) => live.settledAt }),
    stub: t.exposeBoolean('stub', { description: "True if the aggregator's response is simulated." }),
    rawResponse: t.field({
      type: 'JSON',
      description: "The aggregator's response, with credentials removed.",
      resolve: ({ live }, _args, { viewer }) => concealFrom(viewer, live.response),
    }),
  }),
});

const LiveStatusType = builder.objectRef<LiveStatus>('PaymentLiveStatus').implement({
  description: 'The recorded state of a payment compared with its state at the aggregator.',
  fields: (t) => ({
    queriedAt: t.expose('queriedAt', { type: 'DateTime', description: 'When the aggregator was asked.' }),
    aggregator: t.string({ description: 'The aggregator that collects the payment.', resolve: ({ intent }) => intent.aggregator }),
    aggregatorReference: t.string({
      nullable: true,
      description: "The aggregator's reference.",
      resolve: ({ intent }) => intent.aggregatorReference,
    }),
    stored: t.field({ type: StoredStateType, description: 'The recorded state.', resolve: ({ intent }) => intent }),
    live: t.field({ type: LiveStateType, description: 'The state at the aggregator.', resolve: (status) => status }),
    match: t.exposeBoolean('match', { description: 'True if both states agree.' }),
  }),
});

const SplitInputType = builder.inputType('SplitInput', {
  description: "One agency's share of the amount.",
  fields: (t) => ({
    mda: t.id({ required: true, description: "The agency's code.", ...agencyCode }),
    amount: t.field({ type: 'Decimal', required: true, description: 'The share; more than 0.' }),
  }),
});

builder.queryFields((t) => ({
  paymentIntent: t.prismaField({
    type: 'PaymentIntent',
    description: "Returns one of the caller's payment intents. Scope `payments.initiate`. `not_found` if it does not exist.",
    ...needs('payments.initiate'),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_query, _root, { name }, call) => getIntent(call, name),
  }),
  paymentTrace: t.field({
    type: TraceType,
    description: 'The history of a payment intent and its assessment. Scope `payments.initiate`.',
    ...needs('payments.initiate'),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_root, { name }, call) => tracePayment(call, name),
  }),
  paymentLiveStatus: t.field({
    type: LiveStatusType,
    description: 'Asks the aggregator for the state of a payment. Changes nothing. Scope `payments.initiate`.',
    ...needs('payments.initiate', { outside: true }),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_root, { name }, call) => readLiveStatus(call, name),
  }),
  paymentEvents: t.prismaField({
    type: ['PaymentEvent'],
    description: "The caller's payment events, newest first. Scope `payments.initiate`.",
    ...needs('payments.initiate'),
    args: {
      intent: t.arg.id({ description: 'Filter by payment intent (docname).', ...docname('intent') }),
      mda: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
      fromDate: t.arg({
        type: 'DateTime',
        description: 'Only events that occurred at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
      }),
      toDate: t.arg({
        type: 'DateTime',
        description: 'Only events that occurred at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
      }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listEvents(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  createPaymentIntent: t.prismaField({
    type: 'PaymentIntent',
    description:
      'Creates a payment intent for an Assessed assessment, for its total. Scope `payments.initiate`. In live mode, `cash` requires a member of staff or a key granted that counter, with an Open shift of their own at an agency of the assessment; otherwise `forbidden`.' +
      listReasons(
        'not_found',
        'assessment_not_payable',
        'nothing_to_pay',
        'channel_closed',
        'currency_not_collected',
        'splits_differ',
        'cash_needs_counter',
        'cash_needs_shift',
        'cash_in_other_shift',
        'shift_closed',
      ),
    ...needs('payments.initiate'),
    args: {
      assessment: t.arg.id({ required: true, description: 'The docname of an Assessed assessment.', ...docname('assessment') }),
      channel: t.arg({ type: ChannelEnum, required: true, description: 'The payment channel.' }),
      splits: t.arg({
        type: [SplitInputType],
        description:
          "Each agency's share. Default: what the lines owe to each agency. Other amounts require the scope `payments.split`, must add up to the total, and must stay within the country and currency of the lines; such intents are flagged for review.",
        ...shape({ maxItems: MOST_SPLITS }),
      }),
    },
    resolve: (_query, _root, args, call) => createPaymentIntent(call, args),
    answerAgain: getIntent,
  }),
  initiatePayment: t.field({
    type: InitiationType,
    description:
      'Asks the aggregator to collect a Pending intent. Scope `payments.initiate`. After `adapter_timeout` or `adapter_failed` the intent stays Pending; initiating it again refers to the same collection and does not charge twice.' +
      listReasons('not_pending', 'expired', 'being_initiated', 'assessment_not_payable', 'payer_required', 'channel_closed', 'collection_refused'),
    ...needs('payments.initiate', { outside: true }),
    args: {
      name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }),
      payerMsisdn: t.arg.string({
        description: "The payer's phone number with country code. Required for mobile money in live mode: the payment request is sent to this phone.",
        ...payerPhone,
      }),
    },
    resolve: (_root, args, call) => initiatePayment(call, args),
    answerAgain: initiationOf,
  }),
  confirmPayment: t.field({
    type: ConfirmationType,
    description:
      'Asks the aggregator about a Sent intent and confirms it if the collection is complete. Scope `payments.initiate`. Cash is added to the shift of the assessment, or else to the Open shift of the clerk who confirms it; in live mode only a clerk with an Open shift can confirm cash.' +
      listReasons(
        'collection_pending',
        'collection_failed',
        'amount_mismatch',
        'not_sent',
        'already_confirmed',
        'cash_needs_counter',
        'cash_needs_shift',
        'cash_in_other_shift',
        'shift_closed',
        'assessment_not_payable',
      ),
    ...needs('payments.initiate', { outside: true }),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_root, { name }, call) => confirmPayment(call, name),
    answerAgain: confirmationOf,
  }),
  cancelAssessment: t.prismaField({
    type: 'Assessment',
    description:
      'Cancels an assessment. The payments of a Paid assessment are reversed, which is possible within 30 days. Scope `assessments.cancel`.' +
      listReasons('already_cancelled', 'reversal_too_late', 'shift_closed'),
    ...needs('assessments.cancel'),
    args: {
      name: t.arg.id({ required: true, description: "The assessment's docname.", ...docname('assessment') }),
      reason: t.arg.string({ description: 'The reason, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_query, _root, args, call) => cancelAssessment(call, args),
    answerAgain: getAssessment,
  }),
}));
