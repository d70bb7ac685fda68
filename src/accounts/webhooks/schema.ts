import { builder, needs } from '../../graphql/builder.ts';
import { docname, integratorCode } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { type DescribedEvent, EVENT_TYPES, eventCatalogue } from './events.ts';
import { type Delivery, getDelivery, listDeliveries } from './find.ts';
import { sendTest } from './ping.ts';
import { redeliver, redeliverSpan } from './redeliver.ts';
import { type RotatedSecret, rotateSecret, rotatedAgain } from '../integrators/webhook-secret.ts';

const EventTypeType = builder.objectRef<DescribedEvent>('EventType').implement({
  description: 'A type of message that integrators are sent.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Its name.' }),
    description: t.exposeString('description', { description: 'When it is sent.' }),
    schema: t.field({ type: 'JSON', description: 'The JSON Schema (2020-12) of the whole message.', resolve: ({ schema }) => schema }),
    example: t.field({ type: 'JSON', description: 'A message of this type.', resolve: ({ example }) => example }),
  }),
});

const DeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'How a message fares.',
  values: {
    pending: { description: 'It is to be sent, or sent again.' },
    delivered: { description: 'The endpoint took it: it answered 2xx within 10 s.' },
    dead: { description: 'All tries failed; it can be sent again on request.' },
  } as const,
});

const DeliveryHold = builder.enumType('WebhookDeliveryHold', {
  description: 'Why a message is not sent for the time being.',
  values: {
    endpoint_disabled: { description: 'The endpoint was switched off; saving it again with `PATCH /v1/me` switches it on.' },
    no_endpoint: { description: 'There is no endpoint any more.' },
    account_suspended: { description: 'The account is suspended.' },
  } as const,
});

const AttemptType = builder.objectRef<Delivery['attempts'][number]>('WebhookAttempt').implement({
  description: 'One try to deliver a message.',
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: 'When.', resolve: ({ at }) => new Date(at) }),
    endpoint: t.exposeString('endpoint', { description: 'Where to.' }),
    httpStatus: t.exposeInt('httpStatus', { nullable: true, description: 'With which status it was answered; null: not at all.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why there was no answer.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'The first KiB of the answer.' }),
  }),
});

const DeliveryType = builder.objectRef<Delivery>('WebhookDelivery').implement({
  description: 'A message on its way to an endpoint.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `WHD-<yyyy>-<mm>-<6 digits>`.', ...docname('delivery') }),
    message: t.exposeID('message', { description: "The message's `id`, the same at each try." }),
    integrator: t.exposeID('integrator', { description: 'Whose endpoint.', ...integratorCode }),
    type: t.exposeString('type', { description: 'The type of the message.' }),
    object: t.exposeID('object', { description: 'The document that it is about.' }),
    sequence: t.exposeInt('sequence', { description: "Its place among the object's messages." }),
    status: t.expose('status', { type: DeliveryStatus, description: 'How it fares.' }),
    attemptCount: t.exposeInt('attemptCount', { description: 'Tries so far, since it was last asked for.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is sent next; null: not for the time being.',
    }),
    onHold: t.expose('onHold', { type: DeliveryHold, nullable: true, description: 'Why it is not sent for the time being, though it is pending.' }),
    lastHttpStatus: t.exposeInt('lastHttpStatus', { nullable: true, description: 'With which status it was last answered.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last tried, or told to be tried again.' }),
    deliveredAt: t.expose('deliveredAt', { type: 'DateTime', nullable: true, description: 'When it was taken.' }),
    attempts: t.field({ type: [AttemptType], description: 'All tries, oldest first.', resolve: ({ attempts }) => attempts }),
  }),
});

const SecretType = builder.objectRef<RotatedSecret>('WebhookSecret').implement({
  description: 'A new signing secret.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: '`whsec_` and 32 bytes in base64; shown this once.' }),
    previousValidUntil: t.expose('previousValidUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the one before signs too; null: there was none.',
    }),
  }),
});

const MessageType = builder.objectRef<{ message: string }>('WebhookTest').implement({
  description: 'That a test is on its way.',
  fields: (t) => ({ message: t.exposeString('message', { description: 'For people.' }) }),
});

const RedeliveryType = builder.objectRef<{ redelivered: number }>('WebhookRedelivery').implement({
  description: 'What is sent again.',
  fields: (t) => ({ redelivered: t.exposeInt('redelivered', { description: 'How many messages.' }) }),
});

builder.queryFields((t) => ({
  eventTypes: t.field({
    type: [EventTypeType],
    description: 'The types of messages that integrators are sent, by name. Open to everyone.',
    resolve: () => [...eventCatalogue],
  }),
  myWebhookDeliveries: t.field({
    type: [DeliveryType],
    description: 'Messages to your endpoint, newest first. By session or key.',
    ...needs('account'),
    args: {
      status: t.arg({ type: DeliveryStatus, description: 'Only those that fare so.' }),
      type: t.arg.string({ description: 'Only those of this type.', ...shape({ enum: EVENT_TYPES }) }),
      object: t.arg.id({ description: 'Only those about this document.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listDeliveries(call, { ...args, integrator: call.viewer.integrator }, args),
  }),
  webhookDeliveries: t.field({
    type: [DeliveryType],
    description: 'Messages to all endpoints, newest first. For admins, system managers and the oversight role.',
    ...needs('operations.read'),
    args: {
      integrator: t.arg.id({ description: 'Only those to this integrator.', ...integratorCode }),
      status: t.arg({ type: DeliveryStatus, description: 'Only those that fare so.' }),
      type: t.arg.string({ description: 'Only those of this type.', ...shape({ enum: EVENT_TYPES }) }),
      object: t.arg.id({ description: 'Only those about this document.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listDeliveries(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  redeliverWebhook: t.field({
    type: DeliveryType,
    description: 'Sends a message again, with a full number of tries. By session, or a key that manages the account.',
    ...needs('account.manage'),
    args: { name: t.arg.id({ required: true, description: "The delivery's docname.", ...docname('delivery') }) },
    resolve: (_root, { name }, call) => redeliver(call, name),
    answerAgain: getDelivery,
  }),
  redeliverWebhooks: t.field({
    type: RedeliveryType,
    description: 'Sends again what was entered in a span of time, at most 31 days. By session, or a key that manages the account.',
    ...needs('account.manage'),
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'What was entered at this moment or later; a bare day, `YYYY-MM-DD`, is its beginning.',
      }),
      to: t.arg({
        type: 'DateTime',
        required: true,
        description: 'What was entered at this moment or earlier; a bare day, `YYYY-MM-DD`, is included whole.',
      }),
      deadOnly: t.arg.boolean({ required: true, defaultValue: true, description: 'Only what is dead, or what was delivered too.' }),
    },
    resolve: (_root, args, call) => redeliverSpan(call, args),
  }),
  testWebhook: t.field({
    type: MessageType,
    description: 'Sends a `webhook.test` to your endpoint. By session, or a key that manages the account. `validation_failed` where there is none.',
    ...needs('account.manage'),
    resolve: (_root, _args, call) => sendTest(call),
    answerAgain: async () => ({ message: 'A test is on its way.' }),
  }),
  rotateWebhookSecret: t.field({
    type: SecretType,
    description: 'A new signing secret; the one before signs too for 24 hours. By session, or a key that manages the account.',
    ...needs('account.manage'),
    resolve: (_root, _args, call) => rotateSecret(call),
    answerAgain: rotatedAgain,
  }),
}));
