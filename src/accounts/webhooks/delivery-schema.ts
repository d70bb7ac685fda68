import type { ObjectRef } from '@pothos/core';
import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode, followToAny, typenameOf } from '../../graphql/graph/node.ts';
import { docname, integratorCode, ownDocname } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { PART_OF_ACCOUNT } from '../../platform/access/needs.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { AssessmentType } from '../../collection/assessments/schema.ts';
import { CitizenType } from '../../collection/citizens/schema.ts';
import { FiscalDocumentType } from '../../collection/fiscal/schema.ts';
import { MoneyType } from '../../collection/money/schema.ts';
import { ReceiptType } from '../../collection/receipts/schema.ts';
import { EventType } from '../../collection/payments/schema/event-schema.ts';
import { IntentType } from '../../collection/payments/schema/intent-schema.ts';
import { RefundType } from '../../collection/payments/refunds/schema.ts';
import { KEPT_DAYS } from '../events/listening.ts';
import { EventTypeEnum } from '../events/schema.ts';
import { endpointLoader } from '../endpoints/find.ts';
import { EndpointType } from '../endpoints/schema.ts';
import { integratorLoader } from '../integrators/find.ts';
import { IntegratorType } from '../integrators/integrator-schema.ts';
import { NoticeType } from '../notices/schema.ts';
import { EVENT_TYPES, type WebhookEventType } from '../events/event-types.ts';
import { type Delivery, deliveryLoader, listDeliveries, listDeliveriesOf, readBody } from './find.ts';

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'The status of a delivery.',
  values: {
    pending: { description: 'Waiting to be sent or retried.' },
    delivered: { description: 'The endpoint accepted the message: it responded with 2xx within 10 s.' },
    dead: {
      description:
        'All attempts failed, or its endpoint was removed. While its endpoint is enabled, it can be resent on request.',
    },
  } as const,
});

const DeliveryHold = builder.enumType('WebhookDeliveryHold', {
  description: 'Reason why a message is on hold.',
  values: {
    endpoint_disabled: { description: 'The endpoint is disabled; saving it again with `PATCH /v1/me` enables it.' },
    no_endpoint: { description: 'The account no longer has an endpoint.' },
    account_suspended: { description: 'The account is suspended.' },
    agency_inactive: { description: 'The agency does not collect at present.' },
  } as const,
});

const AttemptType = builder.objectRef<Delivery['attempts'][number]>('WebhookAttempt').implement({
  description: 'An attempt to deliver a message.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'Time of the attempt.', resolve: ({ at }) => new Date(at) }),
    endpoint: t.exposeString('endpoint', { description: 'The address that the message was sent to.' }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description: 'The HTTP status of the response; null if there was none.',
    }),
    durationMs: t.exposeInt('durationMs', { description: 'Duration of the attempt, in milliseconds.' }),
    error: t.exposeString('error', { nullable: true, description: 'Reason why there was no response.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the response.' }),
  }),
});

/** Types of the objects of messages. */
const objects: ObjectRef<typeof builder.$inferSchemaTypes, object>[] = [
  AssessmentType,
  CitizenType,
  FiscalDocumentType,
  IntegratorType,
  IntentType,
  MoneyType,
  NoticeType,
  EventType,
  ReceiptType,
  RefundType,
];

/** Says that messages are about records of a type of a floor above. */
export function addMessageObject(type: (typeof objects)[number]): void {
  objects.push(type);
}

const ObjectType = builder.unionType('WebhookObject', {
  description: 'A record that a webhook message is about.',
  types: () => objects,
  resolveType: typenameOf,
});

export const DeliveryType = builder.objectRef<Delivery>('WebhookDelivery').implement({
  description: `The delivery of a message to an endpoint. It is kept for at least ${KEPT_DAYS} days after it was delivered or is dead.`,
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('delivery')),
    message: t.exposeID('message', { description: "The message's `id`, the same for every attempt." }),
    integratorId: t.id({
      description: 'The code of the integrator that it is for; of a message to an agency, the code of that.',
      ...integratorCode,
      resolve: ({ integrator, agency }) => integrator ?? agency ?? '',
    }),
    integrator: t.field({
      type: IntegratorType,
      description: 'The integrator that it is for. `not_found` of a message to an agency.',
      ...needs(PART_OF_ACCOUNT),
      resolve: ({ integrator }, _args, call, info) => follow(call, info, integratorLoader, integrator ?? ''),
    }),
    endpointId: t.exposeID('endpoint', {
      nullable: true,
      description: 'The docname of the endpoint that it goes to; null if it is from before there were several.',
      ...docname('endpoint'),
    }),
    type: t.field({
      type: EventTypeEnum,
      description: 'The type of the message.',
      resolve: ({ type }) => type as WebhookEventType,
    }),
    objectId: t.exposeID('object', {
      description: 'The docname of the document concerned; the code of the account for `webhook.test`.',
    }),
    object: t.field({
      type: ObjectType,
      nullable: true,
      description:
        'The document concerned, as it is now, under the rules of the query for its type; null if the caller may see none.',
      resolve: ({ object }, _args, call, info) => followToAny(call, info, object),
    }),
    sequence: t.exposeInt('sequence', { description: 'The position among the messages about the same object.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'The status of the delivery.' }),
    attemptCount: t.exposeInt('attemptCount', {
      description: 'The number of attempts since the message was created or last resent.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the next attempt is due; null if none is scheduled.',
    }),
    onHold: t.expose('onHold', {
      type: DeliveryHold,
      nullable: true,
      description: 'Reason why a pending message is on hold; null if it is not.',
    }),
    lastHttpStatus: t.exposeInt('lastHttpStatus', {
      nullable: true,
      description: 'The HTTP status of the last response.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the record was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time at which the delivery was last attempted or resent.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the message was delivered.',
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The message as it is sent. For the integrator that it is for alone.',
      ...needs('account', { alone: true }),
      resolve: (delivery, _args, call) => readBody(call, delivery),
    }),
    attempts: t.expose('attempts', {
      type: [AttemptType],
      description: 'All attempts, oldest first.',
    }),
  }),
});

defineNode({
  typename: 'WebhookDelivery',
  needs: [PART_OF_ACCOUNT],
  matches: (id) => isDocname('delivery', id),
  loader: deliveryLoader,
});

export const DeliveryConnection = defineConnection('WebhookDelivery', DeliveryType, 'webhook messages');

export const deliveryFilters = builder.args((t) => ({
  status: t.field({ type: DeliveryStatus, description: 'Only messages in this status. Default: in any.' }),
  type: t.field({
    type: [EventTypeEnum],
    description: 'Filter by types: any of them.',
    // Over REST, a type is text.
    ...shape({ items: { maxLength: 1_000, enum: EVENT_TYPES } }),
  }),
  object: t.id({ description: 'Filter by document (docname).' }),
  endpoint: t.id({ description: 'Filter by endpoint (docname).', ...docname('endpoint') }),
}));

builder.objectField(EndpointType, 'deliveries', (t) =>
  t.field({
    description: 'Messages to it, newest first. For the account that it belongs to, and for operators.',
    ...needs(PART_OF_ACCOUNT, { alone: true }),
    ...connection(DeliveryConnection, { most: 200, args: deliveryFilters, searched: ['status', 'type', 'object'] }),
    resolve: ({ name }, args, call) => listDeliveriesOf(call, 'endpoint', name, args, args),
  }),
);

builder.objectField(DeliveryType, 'endpoint', (t) =>
  t.field({
    type: EndpointType,
    nullable: true,
    description:
      'The endpoint that it goes to; null if it was removed, or the message is from before there were several.',
    resolve: ({ endpoint }, _args, call, info) => followIfAny(call, info, endpointLoader, endpoint),
  }),
);

builder.objectField(IntegratorType, 'deliveries', (t) =>
  t.field({
    description: 'Webhook messages to its endpoint, newest first.',
    ...needs(PART_OF_ACCOUNT, { alone: true }),
    ...connection(DeliveryConnection, { most: 200, args: deliveryFilters, searched: ['status', 'type', 'object'] }),
    resolve: ({ code }, args, call) => listDeliveriesOf(call, 'integrator', code, args, args),
  }),
);

builder.queryFields((t) => ({
  myWebhookDeliveries: t.field({
    description: 'Webhook messages to your endpoint, newest first. Requires a session or a key.',
    ...needs('account'),
    ...connection(DeliveryConnection, { most: 200, args: deliveryFilters, searched: ['status', 'type', 'object'] }),
    resolve: (_root, args, call) => listDeliveries(call, args, args),
  }),
  webhookDeliveries: t.field({
    description:
      'Webhook messages to all integrators, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    ...connection(DeliveryConnection, {
      most: 200,
      searched: ['status', 'type', 'object'],
      args: {
        integrator: t.arg.id({ description: 'Filter by integrator code.', ...integratorCode }),
        ...deliveryFilters,
      },
    }),
    resolve: (_root, args, call) => listDeliveries(call, args, args),
  }),
}));
