import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { docname, integratorCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { type DescribedEvent, EVENT_TYPES, type WebhookEventType, eventCatalogue } from './event-types.ts';
import { type Delivery, getDelivery, listDeliveries } from './find.ts';
import { sendTest } from './ping.ts';
import { redeliver, redeliverSpan } from './redeliver.ts';
import { type RotatedSecret, rotateSecret, rotateSecretAgain } from '../integrators/webhook-secret.ts';

const EventTypeEnum = defineEnum(
  'WebhookEventType',
  'The type of a webhook event. Types may be added.',
  Object.fromEntries(eventCatalogue.map(({ type, description }) => [type, description])) as Record<
    WebhookEventType,
    string
  >,
);

/** Any of several types; over REST, one that is text. */
const typesArg = {
  type: builder.args((t) => ({
    type: t.field({
      type: [EventTypeEnum],
      description: 'Filter by types: any of them.',
      ...shape({ items: { maxLength: 1_000, enum: EVENT_TYPES } }),
    }),
  })).type,
};

const DescribedEventType = builder.objectRef<DescribedEvent>('WebhookEventDescription').implement({
  description: 'A type of webhook event.',
  fields: (t) => ({
    type: t.expose('type', { type: EventTypeEnum, description: 'The name of the event type.' }),
    description: t.exposeString('description', { description: 'When the event is sent.' }),
    schema: t.field({
      type: 'JSON',
      description: 'The JSON Schema (2020-12) of the whole message.',
      resolve: ({ schema }) => schema,
    }),
    example: t.field({ type: 'JSON', description: 'An example of the message.', resolve: ({ example }) => example }),
  }),
});

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'The status of a delivery.',
  values: {
    pending: { description: 'Waiting to be sent or retried.' },
    delivered: { description: 'The endpoint accepted the message: it responded with 2xx within 10 s.' },
    dead: { description: 'All attempts failed; it can be resent on request.' },
  } as const,
});

const DeliveryHold = builder.enumType('WebhookDeliveryHold', {
  description: 'Why a message is on hold.',
  values: {
    endpoint_disabled: { description: 'The endpoint is disabled; saving it again with `PATCH /v1/me` enables it.' },
    no_endpoint: { description: 'The account no longer has an endpoint.' },
    account_suspended: { description: 'The account is suspended.' },
  } as const,
});

const AttemptType = builder.objectRef<Delivery['attempts'][number]>('WebhookAttempt').implement({
  description: 'An attempt to deliver a message.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'When the attempt was made.', resolve: ({ at }) => new Date(at) }),
    endpoint: t.exposeString('endpoint', { description: 'The address that the message was sent to.' }),
    httpStatus: t.exposeInt('httpStatus', {
      nullable: true,
      description: 'The HTTP status of the response; null if there was none.',
    }),
    durationMs: t.exposeInt('durationMs', { description: 'How long the attempt took, in milliseconds.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no response.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the response.' }),
  }),
});

const DeliveryType = builder.objectRef<Delivery>('WebhookDelivery').implement({
  description: 'The delivery of a message to an endpoint.',
  fields: (t) => ({
    name: t.exposeID('name', {
      description: 'The unique identifier (docname), `WHD-<yyyy>-<mm>-<6 digits>`.',
      ...docname('delivery'),
    }),
    message: t.exposeID('message', { description: "The message's `id`, the same for every attempt." }),
    integrator: t.exposeID('integrator', { description: 'The code of the integrator.', ...integratorCode }),
    type: t.field({
      type: EventTypeEnum,
      description: 'The type of the message.',
      resolve: ({ type }) => type as WebhookEventType,
    }),
    object: t.exposeID('object', { description: 'The docname of the document concerned.' }),
    sequence: t.exposeInt('sequence', { description: 'The position among the messages about the same object.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'The status of the delivery.' }),
    attemptCount: t.exposeInt('attemptCount', {
      description: 'The number of attempts since the message was created or last resent.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null if none is scheduled.',
    }),
    onHold: t.expose('onHold', {
      type: DeliveryHold,
      nullable: true,
      description: 'Why a pending message is on hold; null if it is not.',
    }),
    lastHttpStatus: t.exposeInt('lastHttpStatus', {
      nullable: true,
      description: 'The HTTP status of the last response.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the record was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the delivery was last attempted or resent.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the message was delivered.',
    }),
    attempts: t.field({
      type: [AttemptType],
      description: 'All attempts, oldest first.',
      resolve: ({ attempts }) => attempts,
    }),
  }),
});

const SecretType = builder.objectRef<RotatedSecret>('WebhookSecret').implement({
  description: 'A new signing secret.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description: 'The secret: `whsec_` and 32 bytes in base64. Shown only in this response.',
    }),
    previousValidUntil: t.expose('previousValidUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when messages are also signed with the previous secret; null if there was none.',
    }),
  }),
});

const MessageType = builder.objectRef<{ message: string }>('WebhookTest').implement({
  description: 'The result of requesting a test message.',
  fields: (t) => ({ message: t.exposeString('message', { description: 'A message for the user.' }) }),
});

const RedeliveryType = builder.objectRef<{ redelivered: number }>('WebhookRedelivery').implement({
  description: 'The result of resending messages.',
  fields: (t) => ({ redelivered: t.exposeInt('redelivered', { description: 'The number of messages.' }) }),
});

builder.queryFields((t) => ({
  eventTypes: t.field({
    type: [DescribedEventType],
    description: 'The types of webhook events, by name. No authentication required.',
    resolve: () => [...eventCatalogue],
  }),
  myWebhookDeliveries: t.field({
    type: [DeliveryType],
    description: 'Webhook messages to your endpoint, newest first. Requires a session or a key.',
    ...needs('account'),
    args: {
      status: t.arg({ type: DeliveryStatus, description: 'Filter by status.' }),
      ...typesArg,
      object: t.arg.id({ description: 'Filter by document (docname).' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listDeliveries(call, { ...args, integrator: call.viewer.integrator }, args),
  }),
  webhookDeliveries: t.field({
    type: [DeliveryType],
    description:
      'Webhook messages to all integrators, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: {
      integrator: t.arg.id({ description: 'Filter by integrator code.', ...integratorCode }),
      status: t.arg({ type: DeliveryStatus, description: 'Filter by status.' }),
      ...typesArg,
      object: t.arg.id({ description: 'Filter by document (docname).' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listDeliveries(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  redeliverWebhook: t.field({
    type: DeliveryType,
    description:
      'Sends a message again, with a new series of attempts. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    args: { name: t.arg.id({ required: true, description: "The delivery's docname.", ...docname('delivery') }) },
    resolve: (_root, { name }, call) => redeliver(call, name),
    answerAgain: getDelivery,
  }),
  redeliverWebhooks: t.field({
    type: RedeliveryType,
    description:
      'Sends again all messages created in a period of at most 31 days. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description:
          'Messages created at or after this time. A date without a time, `YYYY-MM-DD`, means the start of that day.',
      }),
      to: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Messages created at or before this time. A date without a time, `YYYY-MM-DD`, includes that day.',
      }),
      deadOnly: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'Whether to send only messages that are `dead`, or delivered messages too.',
      }),
    },
    resolve: (_root, args, call) => redeliverSpan(call, args),
  }),
  testWebhook: t.field({
    type: MessageType,
    description:
      'Sends a `webhook.test` message to your endpoint. Requires a session, or a key that manages the account. `validation_failed` if you have no endpoint.',
    ...needs('account.manage'),
    resolve: (_root, _args, call) => sendTest(call),
    answerAgain: async () => ({ message: 'A test message is being sent.' }),
  }),
  rotateWebhookSecret: t.field({
    type: SecretType,
    description:
      'Creates a new webhook signing secret. For 24 hours messages are signed with the previous secret as well. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    resolve: (_root, _args, call) => rotateSecret(call),
    answerAgain: rotateSecretAgain,
  }),
}));
