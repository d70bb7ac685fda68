import { type Channel, PaymentEventKind, type PaymentProof } from '../../../generated/prisma/enums.ts';
import { builder, needs } from '../../../graphql/builder.ts';
import { connection, defineConnection } from '../../../graphql/graph/connection.ts';
import { follow } from '../../../graphql/graph/edge.ts';
import { NodeType, defineNode, typenameOf } from '../../../graphql/graph/node.ts';
import { agencyCode, currencyCode, docname, ownDocname } from '../../../graphql/input/forms.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { LONGEST_LABEL } from '../../../kernel/text/free-text.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { type PaymentEvent, eventLoader, intentLoader, listEvents, listEventsOf, sealLoader } from '../find.ts';
import { ChannelEnum, PaymentProofEnum } from './intent-schema.ts';
import { agencyField } from '../../catalogue/edges.ts';
import { assessmentField } from '../../assessments/edges.ts';

export const EventKindEnum = builder.enumType(PaymentEventKind, {
  name: 'PaymentEventKind',
  description: 'The kind of payment event.',
  values: {
    payment: { description: 'Money received by the agency.' },
    reversal: { description: 'Money returned; the amount is negative.' },
  },
});

export const EventSealType = builder.prismaObject('EventSeal', {
  description: "The seal of a payment event: its position in its agency's tamper-evident chain.",
  fields: (t) => ({
    sequence: t.int({
      description: "The event's number in the agency's chain, without gaps.",
      resolve: (seal) => Number(seal.sequence),
    }),
    hash: t.exposeString('hash', {
      description:
        'SHA-256 (hex) of three lines: the previous hash of the chain (64 zeros for the first), the sequence, and the covered members as JSON.',
    }),
    version: t.exposeInt('version', {
      description:
        'Version of the seal, which decides the members that the hash covers. 2: `[id, agency, amount, currency, channel, kind, occurredAt, commitment]`; 1, of earlier seals: all members of the event, some of which oversight does not show.',
    }),
    commitment: t.exposeString('commitment', {
      nullable: true,
      description:
        'SHA-256 (hex) of two lines: a secret salt, and `[intent, assessment, aggregatorReference, txnId]` as JSON. Null for version 1.',
    }),
  }),
});

/** Members of a payment event that all its readers see, in either of its forms. */
interface EventFacts {
  readonly name: string;
  readonly mda: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly channel: Channel;
  readonly kind: PaymentEventKind;
  readonly proof: PaymentProof | null;
  readonly occurredAt: Date;
}

export const AnyPaymentEventType = builder.interfaceRef<EventFacts>('AnyPaymentEvent').implement({
  description:
    'Fields of a payment event that all its readers see: `PaymentEvent` is shown to those who made the payment, `OverseenPaymentEvent` to oversight. Both forms of an event answer these fields alike.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('event')),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that received the payment.', ...agencyCode }),
    agency: t.field(agencyField('The agency that received the payment.')),
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount; negative for a reversal.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).', ...currencyCode }),
    channel: t.expose('channel', {
      type: ChannelEnum,
      description: 'The payment channel: how the money is collected.',
    }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'The kind of event: payment or reversal.' }),
    proof: t.expose('proof', {
      type: PaymentProofEnum,
      nullable: true,
      description:
        'Proof of the payment; for a reversal, that of the payment that it reverses. Null for payments of before 3.1 where nothing that was kept says it. The seal does not cover it.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'Time at which the rail recorded the event.' }),
    seal: t.field({
      type: EventSealType,
      nullable: true,
      description: "The seal in the agency's chain; null for the first seconds.",
      resolve: () => {
        throw new Error('Each form says itself where its seal is');
      },
    }),
  }),
  resolveType: typenameOf,
});

/** A payment event that was read with its seal, or without. */
type WithSeal = Pick<PaymentEvent, 'name'> & Partial<Pick<PaymentEvent, 'seal'>>;

export const EventType = builder.prismaObject('PaymentEvent', {
  description:
    'Proof that an agency received a payment, or that it was reversed. Payment events are never changed or deleted.',
  interfaces: [NodeType, AnyPaymentEventType],
  fields: (t) => ({
    intentId: t.exposeID('intent', { description: 'The docname of the payment intent.', ...docname('intent') }),
    intent: t.field({
      type: 'PaymentIntent',
      description: 'The payment intent that was paid.',
      resolve: ({ intent }, _args, call, info) => follow(call, info, intentLoader, intent),
    }),
    assessmentId: t.exposeID('assessment', { description: 'The docname of the assessment.', ...docname('assessment') }),
    assessment: t.field(assessmentField('The assessment that was paid.')),
    aggregatorReference: t.exposeString('aggregatorReference', {
      description: "The aggregator's reference for the collection.",
    }),
    txnId: t.exposeString('txnId', { nullable: true, description: "The aggregator's transaction ID." }),
    seal: t.field({
      type: EventSealType,
      nullable: true,
      description: "The seal in the agency's chain; null for the first seconds.",
      resolve: (event: WithSeal, _args, call) =>
        event.seal === undefined ? sealLoader.load(call, event.name) : event.seal,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('createdAt', { type: 'DateTime', description: 'Equal to `createdAt`: events never change.' }),
  }),
});

defineNode({
  typename: 'PaymentEvent',
  needs: ['payments.read'],
  matches: (id) => isDocname('event', id),
  loader: eventLoader,
});

const EventConnection = defineConnection('PaymentEvent', EventType, 'payment events');

builder.prismaObjectFields('PaymentIntent', (t) => ({
  events: t.field({
    description: 'The payment events that the payment led to, newest first.',
    ...connection(EventConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listEventsOf(call, 'intent', name, args),
  }),
}));

builder.prismaObjectFields('Assessment', (t) => ({
  events: t.field({
    description: 'The payment events of all its payment intents, newest first. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    ...connection(EventConnection, { most: 200, args: {} }),
    resolve: ({ name }, args, call) => listEventsOf(call, 'assessment', name, args),
  }),
}));

builder.queryFields((t) => ({
  paymentEvents: t.field({
    description: "The caller's payment events, newest first. Scope `payments.read`.",
    ...needs('payments.read'),
    ...connection(EventConnection, {
      most: 200,
      searched: ['agency', 'channel', 'kind', 'proof', 'from', 'to'],
      args: {
        intent: t.arg.id({ description: 'Filter by payment intent (docname).', ...docname('intent') }),
        agency: t.arg.id({ description: 'Filter by agency code.', ...agencyCode }),
        channel: t.arg({ type: ChannelEnum, description: 'Filter by payment channel.' }),
        kind: t.arg({ type: EventKindEnum, description: 'Only payments, or only reversals. Default: both.' }),
        proof: t.arg({
          type: [PaymentProofEnum],
          description: 'Only events of payments that were confirmed by one of these.',
        }),
        reference: t.arg.id({
          description:
            "Filter by the docname of the payment intent or assessment, the aggregator's reference, or its transaction ID.",
          ...shape({ maxLength: LONGEST_LABEL }),
        }),
        from: t.arg({
          type: 'DateTime',
          description:
            'Only events that occurred at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
        }),
        to: t.arg({
          type: 'DateTime',
          description:
            'Only events that occurred at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
        }),
      },
    }),
    resolve: (_root, args, call) => listEvents(call, args, args),
  }),
}));
