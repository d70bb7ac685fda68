import { isWholeWithin, partsWithin } from '../../../platform/access/owned.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { NodeType, followToAny } from '../../../graphql/graph/node.ts';
import { currencyCode, docnameArg } from '../../../graphql/input/forms.ts';
import { type LiveStatus, readLiveStatus } from '../enquiries/live-status.ts';
import { actorAsShownTo, concealFrom } from './conceal.ts';
import { type PaymentTrace, type TimelineRow, timelineOf, tracePayment } from '../trace.ts';
import { Said } from '../../../kernel/text/said.ts';
import { IntentStatusEnum } from './intent-schema.ts';

const TimelineKindEnum = defineEnum<TimelineRow['kind']>(
  'TimelineKind',
  'The kind of an entry in the history of a payment.',
  {
    'assessment.update': 'The assessment was created or changed.',
    'payment_intent.update': 'The payment intent was created or changed.',
    'adapter.initiate': 'An aggregator was asked to collect.',
    'adapter.refund': 'An aggregator was asked for a refund, or how it stands.',
    'adapter.verify': 'An aggregator was asked how the collection stands, or reported it.',
    'adapter.withdraw': 'An aggregator was asked to let nobody pay the collection any more.',
    'payment_event.created': 'A payment or a reversal was recorded.',
    'receipt.update': 'A receipt was issued, printed or voided.',
  },
);

const TimelineRowType = builder.objectRef<TimelineRow>('TimelineRow').implement({
  description: 'An entry in the history of a payment.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Time at which it happened, to the millisecond.' }),
    kind: t.expose('kind', {
      type: TimelineKindEnum,
      description:
        'The kind of entry: `assessment.update`, `payment_intent.update`, `adapter.initiate`, `adapter.verify`, `adapter.withdraw`, `adapter.refund`, `payment_event.created` or `receipt.update`.',
    }),
    actor: t.string({
      description:
        "The actor: an integrator's code, `staff` (staff see the e-mail address), or the component of the rail that acted automatically.",
      resolve: ({ actor }, _args, { viewer }) => actorAsShownTo(viewer, actor),
    }),
    summary: t.string({
      description: 'The event in one line.',
      resolve: ({ summary: [form, ...values] }) => String(new Said(form, values)),
    }),
    summaryForm: t.string({
      description:
        'The summary with numbered placeholders, such as `{0} → {1}`, by which it can be translated. `summaryValues` fills them in.',
      resolve: ({ summary }) => summary[0],
    }),
    summaryValues: t.stringList({
      description: 'Values for the placeholders of `summaryForm`, in the order of their numbers.',
      resolve: ({ summary }) => summary.slice(1),
    }),
    docId: t.exposeID('doc', { nullable: true, description: 'The docname of the document concerned.' }),
    doc: t.field({
      type: NodeType,
      nullable: true,
      description: 'The document concerned, as `node` returns it.',
      resolve: ({ doc }, _args, call, info) => followToAny(call, info, doc),
    }),
    detail: t.field({
      type: 'JSON',
      description:
        'Details, such as requests to and responses from aggregators. Credentials are removed, and account numbers masked (operators see the last 4 characters). Empty for who is bound to some of several agencies that are paid, but where it is of these alone.',
      resolve: ({ detail }, _args, { viewer }) => concealFrom(viewer, detail),
    }),
  }),
});

export const TraceType = builder.objectRef<PaymentTrace>('PaymentTrace').implement({
  description: 'The history of a payment.',
  fields: (t) => ({
    assessment: t.expose('assessment', {
      type: 'Assessment',
      description: 'The assessment that is paid.',
    }),
    intent: t.expose('intent', {
      type: 'PaymentIntent',
      description: 'The intent whose history it is.',
    }),
    events: t.field({
      type: ['PaymentEvent'],
      description: 'The payment events of the intent.',
      resolve: ({ events }, _args, { viewer }) => partsWithin(viewer, events),
    }),
    timeline: t.expose('timeline', { type: [TimelineRowType], description: 'Events in chronological order.' }),
  }),
});

builder.prismaObjectField('PaymentIntent', 'timeline', (t) =>
  t.field({
    type: [TimelineRowType],
    description: 'Events of the payment intent and its assessment, in chronological order.',
    // As many rows as a payment usually has.
    complexity: { field: 10, multiplier: 10 },
    resolve: ({ name }, _args, call) => timelineOf(call, name),
  }),
);

const StoredStateType = builder.objectRef<LiveStatus['intent']>('StoredPaymentState').implement({
  description: 'The recorded state of a payment intent.',
  fields: (t) => ({
    status: t.expose('status', {
      type: IntentStatusEnum,
      description: 'The current status. Only Confirmed is final: money may arrive after an intent failed or expired.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the payment was confirmed; null if it was not.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount to be paid, in `currency`.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
  }),
});

const StandingEnum = defineEnum<LiveStatus['live']['status']>(
  'AggregatorStatus',
  'State of a collection at the aggregator or payment point.',
  {
    SUCCESSFUL: 'The money was collected.',
    FAILED: 'The collection failed; no money was taken.',
    PENDING: 'The collection is not complete yet.',
    NOT_FOUND: 'The aggregator does not know the collection.',
    UNKNOWN:
      'There is nobody to ask: the rail has no connection for it, or the payment point has no address for enquiries.',
  },
);

const LiveStateType = builder.objectRef<LiveStatus>('LivePaymentState').implement({
  description: 'The state of a collection at the aggregator.',
  fields: (t) => ({
    status: t.field({
      type: StandingEnum,
      description: 'The status at the aggregator: `SUCCESSFUL`, `FAILED`, `PENDING`, `NOT_FOUND` or `UNKNOWN`.',
      resolve: ({ live }) => live.status,
    }),
    txnId: t.string({
      nullable: true,
      description: "The aggregator's transaction ID.",
      resolve: ({ live }) => live.txnId,
    }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'The amount collected, in `currency`; null while nothing is known of it.',
      resolve: ({ live }) => live.amount,
    }),
    currency: t.string({
      nullable: true,
      description: 'The currency (ISO 4217).',
      resolve: ({ live }) => live.currency,
    }),
    settledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the collection was settled.',
      resolve: ({ live }) => live.settledAt,
    }),
    stub: t.exposeBoolean('stub', { description: "True if the aggregator's response is simulated." }),
    rawResponse: t.field({
      type: 'JSON',
      description:
        "The aggregator's response, with credentials removed; empty for who is bound to some of several agencies that are paid.",
      resolve: ({ intent, live }, _args, { viewer }) =>
        isWholeWithin(viewer, intent.splits) ? concealFrom(viewer, live.response) : {},
    }),
  }),
});

const LiveStatusType = builder.objectRef<LiveStatus>('PaymentLiveStatus').implement({
  description: 'The recorded state of a payment compared with its state at the aggregator.',
  fields: (t) => ({
    queriedAt: t.expose('queriedAt', { type: 'DateTime', description: 'Time at which the aggregator was asked.' }),
    aggregator: t.string({
      description: 'The aggregator that collects the payment.',
      resolve: ({ intent }) => intent.aggregator,
    }),
    aggregatorReference: t.string({
      nullable: true,
      description: "The aggregator's reference; null until the payment is initiated.",
      resolve: ({ intent }) => intent.aggregatorReference,
    }),
    stored: t.expose('intent', {
      type: StoredStateType,
      description: 'The state that the rail has recorded.',
    }),
    live: t.field({ type: LiveStateType, description: 'The state at the aggregator.', resolve: (status) => status }),
    match: t.exposeBoolean('match', {
      nullable: true,
      description: 'True if both states agree; null where `live.status` is `UNKNOWN`.',
    }),
  }),
});

builder.queryFields((t) => ({
  paymentTrace: t.field({
    type: TraceType,
    description: 'The history of a payment intent and its assessment. Scope `payments.read`.',
    ...needs('payments.read'),
    args: { id: t.arg.id(docnameArg('intent')) },
    resolve: (_root, { id }, call) => tracePayment(call, id),
  }),
  paymentLiveStatus: t.field({
    type: LiveStatusType,
    description: 'Asks the aggregator for the state of a payment. Changes nothing. Scope `payments.initiate`.',
    ...needs('payments.initiate', { outside: true }),
    args: { id: t.arg.id(docnameArg('intent')) },
    resolve: (_root, { id }, call) => readLiveStatus(call, id),
  }),
}));
