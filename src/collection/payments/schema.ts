import { getAssessment } from '../assessments/find.ts';
import { Channel, IntentStatus, PaymentEventKind } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, currencyCode, docname, freeText, payerPhone } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { refusedFor } from '../../kernel/reasons.ts';
import { cancelAssessment } from './settlement/cancel.ts';
import { type Confirmation, confirmPayment, confirmationOf } from './confirm.ts';
import { MOST_SPLITS, createPaymentIntent } from './create.ts';
import { getIntent, listEvents } from './find.ts';
import { type Initiation, initiatePayment, initiationOf } from './initiate.ts';
import { type LiveStatus, liveStatus } from './enquiries/live-status.ts';
import { actorFor, shownTo } from './shown.ts';
import { maskMsisdn } from './snapshot.ts';
import { type PaymentTrace, type TimelineRow, tracePayment } from './trace.ts';

export const ChannelEnum = builder.enumType(Channel, {
  name: 'Channel',
  description: 'A way of paying.',
  values: {
    mtn_momo: { description: 'MTN Mobile Money.' },
    airtel_money: { description: 'Airtel Money.' },
    card: { description: 'A payment card.' },
    cash: { description: 'Cash at a counter.' },
  },
});

const IntentStatusEnum = builder.enumType(IntentStatus, {
  name: 'PaymentIntentStatus',
  description: 'Where a payment intent stands.',
  values: {
    Pending: { description: 'Made; nobody has been asked to pay yet.' },
    Sent: { description: 'The aggregator has been asked to collect.' },
    Confirmed: { description: 'The aggregator collected; payment events prove it.' },
    Failed: { description: 'The aggregator says that the collection failed.' },
    Expired: { description: 'Not confirmed in time.' },
  },
});

export const EventKindEnum = builder.enumType(PaymentEventKind, {
  name: 'PaymentEventKind',
  description: 'Which way money went.',
  values: { payment: { description: 'To the agency.' }, reversal: { description: 'Back; its amount is negative.' } },
});

builder.prismaObject('SplitRule', {
  name: 'Split',
  description: "The part of an intent's amount that the aggregator pays into one agency's collection account.",
  fields: (t) => ({
    mda: t.exposeID('mda', { description: 'The agency.', ...agencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: "Its part, in the intent's currency." }),
  }),
});

builder.prismaObject('PaymentIntent', {
  description: 'The intention to collect the total of an assessment, with the rules by which an aggregator splits it.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `PI-<yyyy>-<mm>-<6 digits>`.', ...docname('intent') }),
    assessment: t.exposeID('assessment', { description: 'The docname of the assessment that it pays.', ...docname('assessment') }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The way of paying.' }),
    status: t.expose('status', { type: IntentStatusEnum, description: 'Where it stands.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "The assessment's total." }),
    currency: t.exposeString('currency', { description: 'The currency of all its amounts (ISO 4217).', ...currencyCode }),
    splits: t.relation('splits', { description: 'Who gets how much of it, by agency.', query: { orderBy: { mda: 'asc' } } }),
    aggregator: t.exposeString('aggregator', { description: 'Who collects.' }),
    aggregatorReference: t.exposeString('aggregatorReference', {
      nullable: true,
      description: "The aggregator's reference; null until it was first asked to collect.",
    }),
    payerMsisdn: t.string({
      nullable: true,
      description: "The payer's number, masked but for its last 3 digits.",
      resolve: (intent) => maskMsisdn(intent.payerMsisdn),
    }),
    failureReason: t.exposeString('failureReason', { nullable: true, description: "Why the collection failed, in the aggregator's words." }),
    initiatedAt: t.expose('initiatedAt', { type: 'DateTime', nullable: true, description: 'When the aggregator accepted it.' }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true, description: 'When it was confirmed.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be confirmed before it expires.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.prismaObject('EventSeal', {
  description: "An event's place in its agency's chain of events.",
  fields: (t) => ({
    sequence: t.int({ description: "Its number among the agency's events, without gaps.", resolve: (seal) => Number(seal.sequence) }),
    hash: t.exposeString('hash', { description: 'SHA-256 over the event and the hash before it, in hex.' }),
  }),
});

builder.prismaObject('PaymentEvent', {
  description: 'Proof of receipt by one agency, or of its reversal. Events are only ever added.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `PEV-<yyyy>-<mm>-<6 digits>`.', ...docname('event') }),
    intent: t.exposeID('intent', { description: 'The docname of the payment intent.', ...docname('intent') }),
    assessment: t.exposeID('assessment', { description: 'The docname of the assessment.', ...docname('assessment') }),
    mda: t.exposeID('mda', { description: 'The agency that received it.', ...agencyCode }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount; negative for a reversal.' }),
    currency: t.exposeString('currency', { description: 'Its currency (ISO 4217).', ...currencyCode }),
    channel: t.expose('channel', { type: ChannelEnum, description: 'The way of paying.' }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'Which way the money went.' }),
    aggregatorReference: t.exposeString('aggregatorReference', { description: "The aggregator's reference of the collection." }),
    txnId: t.exposeString('txnId', { nullable: true, description: "The aggregator's transaction." }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the rail recorded it.' }),
    seal: t.relation('seal', { nullable: true, description: "Its place in the agency's chain; null for the first seconds." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('createdAt', { type: 'DateTime', description: 'The same as `createdAt`, since events never change.' }),
  }),
});

const InitiationType = builder.objectRef<Initiation>('PaymentInitiation').implement({
  description: 'The outcome of an initiation.',
  fields: (t) => ({
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The intent, Sent.', resolve: (_query, { intent }) => intent }),
    adapterResponse: t.field({
      type: 'JSON',
      description: "The aggregator's answer; its shape is the channel's own.",
      resolve: ({ adapterResponse }, _args, { viewer }) => shownTo(viewer, adapterResponse),
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description: "In sandbox mode: what a live rail would have refused, such as mobile money without the payer's number. Null elsewhere.",
    }),
  }),
});

const ConfirmationType = builder.objectRef<Confirmation>('PaymentConfirmation').implement({
  description: 'The outcome of a confirmation.',
  fields: (t) => ({
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The intent, Confirmed.', resolve: (_query, { intent }) => intent }),
    events: t.prismaField({ type: ['PaymentEvent'], description: 'One event a split.', resolve: (_query, { events }) => events }),
    assessment: t.prismaField({ type: 'Assessment', description: 'The assessment.', resolve: (_query, { assessment }) => assessment }),
  }),
});

const TimelineRowType = builder.objectRef<TimelineRow>('TimelineRow').implement({
  description: 'Something that happened to a payment.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    kind: t.exposeString('kind', {
      description: 'What: `assessment.update`, `payment_intent.update`, `adapter.initiate`, `adapter.verify` or `payment_event.created`.',
    }),
    actor: t.string({
      description: "Who: an integrator's code, `staff` (whose address staff see), or the part of the rail that acted by itself.",
      resolve: ({ actor }, _args, { viewer }) => actorFor(viewer, actor),
    }),
    summary: t.exposeString('summary', { description: 'In a few words.' }),
    doc: t.exposeID('doc', { nullable: true, description: 'The document that it is about.' }),
    detail: t.field({
      type: 'JSON',
      description: 'The particulars; what aggregators were sent and answered without credentials or accounts (operators see the last 4 characters).',
      resolve: ({ detail }, _args, { viewer }) => shownTo(viewer, detail),
    }),
  }),
});

const TraceType = builder.objectRef<PaymentTrace>('PaymentTrace').implement({
  description: 'All that happened to a payment.',
  fields: (t) => ({
    assessment: t.prismaField({ type: 'Assessment', description: 'The assessment.', resolve: (_query, { assessment }) => assessment }),
    intent: t.prismaField({ type: 'PaymentIntent', description: 'The intent.', resolve: (_query, { intent }) => intent }),
    events: t.prismaField({ type: ['PaymentEvent'], description: "The intent's events.", resolve: (_query, { events }) => events }),
    timeline: t.expose('timeline', { type: [TimelineRowType], description: 'What happened, in order.' }),
  }),
});

const StoredStateType = builder.objectRef<LiveStatus['intent']>('StoredPaymentState').implement({
  description: 'How an intent is stored.',
  fields: (t) => ({
    status: t.expose('status', { type: IntentStatusEnum, description: 'Where it stands.' }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true, description: 'When it was confirmed.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Its amount.' }),
    currency: t.exposeString('currency', { description: 'Its currency.', ...currencyCode }),
  }),
});

const LiveStateType = builder.objectRef<LiveStatus>('LivePaymentState').implement({
  description: 'How a collection stands at the aggregator.',
  fields: (t) => ({
    status: t.string({ description: '`SUCCESSFUL`, `FAILED`, `PENDING` or `NOT_FOUND`.', resolve: ({ live }) => live.status }),
    txnId: t.string({ nullable: true, description: "The aggregator's transaction.", resolve: ({ live }) => live.txnId }),
    amount: t.field({ type: 'Decimal', nullable: true, description: 'What was collected.', resolve: ({ live }) => live.amount }),
    currency: t.string({ nullable: true, description: 'In which currency.', resolve: ({ live }) => live.currency }),
    settledAt: t.field({ type: 'DateTime', nullable: true, description: 'When it was settled.', resolve: ({ live }) => live.settledAt }),
    stub: t.exposeBoolean('stub', { description: 'True while answers of the aggregator are made up.' }),
    rawResponse: t.field({
      type: 'JSON',
      description: "The aggregator's answer without credentials.",
      resolve: ({ live }, _args, { viewer }) => shownTo(viewer, live.response),
    }),
  }),
});

const LiveStatusType = builder.objectRef<LiveStatus>('PaymentLiveStatus').implement({
  description: 'What is stored of a payment beside what its aggregator says now.',
  fields: (t) => ({
    queriedAt: t.expose('queriedAt', { type: 'DateTime', description: 'When the aggregator was asked.' }),
    aggregator: t.string({ description: 'Who collects.', resolve: ({ intent }) => intent.aggregator }),
    aggregatorReference: t.string({
      nullable: true,
      description: "The aggregator's reference.",
      resolve: ({ intent }) => intent.aggregatorReference,
    }),
    stored: t.field({ type: StoredStateType, description: 'As stored.', resolve: ({ intent }) => intent }),
    live: t.field({ type: LiveStateType, description: 'As the aggregator says.', resolve: (status) => status }),
    match: t.exposeBoolean('match', { description: 'True when both agree.' }),
  }),
});

const SplitInputType = builder.inputType('SplitInput', {
  description: 'A part of the amount for one agency.',
  fields: (t) => ({
    mda: t.id({ required: true, description: "The agency's short code.", ...agencyCode }),
    amount: t.field({ type: 'Decimal', required: true, description: 'Its part; more than 0.' }),
  }),
});

builder.queryFields((t) => ({
  paymentIntent: t.prismaField({
    type: 'PaymentIntent',
    description: "One of the caller's payment intents. Scope `payments.initiate`. `not_found` where there is none.",
    ...needs('payments.initiate'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('intent') }) },
    resolve: (_query, _root, { name }, call) => getIntent(call, name),
  }),
  paymentTrace: t.field({
    type: TraceType,
    description: 'All that happened to a payment intent and its assessment. Scope `payments.initiate`.',
    ...needs('payments.initiate'),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_root, { name }, call) => tracePayment(call, name),
  }),
  paymentLiveStatus: t.field({
    type: LiveStatusType,
    description: 'Asks the aggregator how an intent stands; changes nothing. Scope `payments.initiate`.',
    ...needs('payments.initiate', { outside: true }),
    args: { name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }) },
    resolve: (_root, { name }, call) => liveStatus(call, name),
  }),
  paymentEvents: t.prismaField({
    type: ['PaymentEvent'],
    description: "The caller's payment events, newest first. Scope `payments.initiate`.",
    ...needs('payments.initiate'),
    args: {
      intent: t.arg.id({ description: 'Only those of this intent.', ...docname('intent') }),
      mda: t.arg.id({ description: 'Only those of this agency.', ...agencyCode }),
      fromDate: t.arg({
        type: 'DateTime',
        description: 'Only those that occurred at this moment or later; a bare day, `YYYY-MM-DD`, is its beginning.',
      }),
      toDate: t.arg({
        type: 'DateTime',
        description: 'Only those that occurred at this moment or earlier; a bare day, `YYYY-MM-DD`, is included whole.',
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
      "Opens an intent to pay an Assessed assessment. Its amount is the assessment's total. Scope `payments.initiate`. In live mode `cash` is for staff at a counter, or a key that operators trust with one, in an Open shift of their own at an agency of the assessment: `forbidden` elsewhere." +
      refusedFor(
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
      channel: t.arg({ type: ChannelEnum, required: true, description: 'The way of paying.' }),
      splits: t.arg({
        type: [SplitInputType],
        description:
          'Who gets how much. Left out: what each agency is owed by the lines, which is all that may be given; with the scope `payments.split` other amounts that add up, within the country and currency of the lines. Each such intent is flagged.',
        ...shape({ maxItems: MOST_SPLITS }),
      }),
    },
    resolve: (_query, _root, args, call) => createPaymentIntent(call, args),
    answerAgain: getIntent,
  }),
  initiatePayment: t.field({
    type: InitiationType,
    description:
      'Asks the aggregator to collect a Pending intent. Scope `payments.initiate`. `adapter_timeout` and `adapter_failed` leave it Pending; initiating again reaches the same collection.' +
      refusedFor('not_pending', 'expired', 'being_initiated', 'assessment_not_payable', 'payer_required', 'channel_closed', 'collection_refused'),
    ...needs('payments.initiate', { outside: true }),
    args: {
      name: t.arg.id({ required: true, description: "The intent's docname.", ...docname('intent') }),
      payerMsisdn: t.arg.string({
        description: "The payer's phone number with its country code. Mobile money needs it in live mode: it is the phone that rings.",
        ...payerPhone,
      }),
    },
    resolve: (_root, args, call) => initiatePayment(call, args),
    answerAgain: initiationOf,
  }),
  confirmPayment: t.field({
    type: ConfirmationType,
    description:
      'Asks the aggregator about a Sent intent, and confirms it if the collection is complete. Scope `payments.initiate`. Cash is counted in the shift of its assessment, or else in the Open one of the clerk who confirms it; in live mode nobody else can.' +
      refusedFor(
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
      'Cancels an assessment; the payments of a Paid one are reversed, within 30 days. Scope `assessments.cancel`.' +
      refusedFor('already_cancelled', 'reversal_too_late', 'shift_closed'),
    ...needs('assessments.cancel'),
    args: {
      name: t.arg.id({ required: true, description: 'Its docname.', ...docname('assessment') }),
      reason: t.arg.string({ description: 'Why, at most 1,000 characters.', ...freeText() }),
    },
    resolve: (_query, _root, args, call) => cancelAssessment(call, args),
    answerAgain: getAssessment,
  }),
}));
