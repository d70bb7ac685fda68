import { builder, needs } from '../../graphql/builder.ts';
import { docnameArg } from '../../graphql/input/forms.ts';
import { sendTest } from '../endpoints/ping.ts';
import { MessageType, SecretType } from '../endpoints/schema.ts';
import { EventTypeEnum } from '../events/schema.ts';
import { rotateOwnSecret, rotateSecretAgain } from '../integrators/rotate-secret.ts';
import { DeliveryType } from './delivery-schema.ts';
import { type DescribedEvent, eventCatalogue } from '../events/event-types.ts';
import { getDelivery } from './find.ts';
import { type Redelivery, redeliver, redeliverSpan } from './redeliver.ts';

const DescribedEventType = builder.objectRef<DescribedEvent>('WebhookEventDescription').implement({
  description: 'A type of webhook event.',
  fields: (t) => ({
    type: t.expose('type', { type: EventTypeEnum, description: 'The name of the event type.' }),
    description: t.exposeString('description', { description: 'Occasion on which the event is sent.' }),
    schema: t.expose('schema', {
      type: 'JSON',
      description: 'The JSON Schema (2020-12) of the whole message.',
    }),
    example: t.expose('example', { type: 'JSON', description: 'An example of the message.' }),
  }),
});

export const RedeliveryType = builder.objectRef<Redelivery>('WebhookRedelivery').implement({
  description: 'The result of resending messages.',
  fields: (t) => ({
    redelivered: t.exposeInt('redelivered', { description: 'The number of messages.' }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'True if messages of the period are left, since only so many are sent at a time: ask again.',
    }),
    left: t.exposeInt('left', {
      nullable: true,
      description:
        'The number of dead messages of the integrator that were not sent again, those from before the period included. Those to endpoints that were removed do not count. Null if not only dead messages are resent.',
    }),
  }),
});

builder.queryFields((t) => ({
  eventTypes: t.field({
    type: [DescribedEventType],
    description: 'The types of webhook events, by name. No authentication required.',
    resolve: () => [...eventCatalogue],
  }),
}));

builder.mutationFields((t) => ({
  redeliverWebhook: t.field({
    type: DeliveryType,
    description:
      'Sends a message again, with a new series of attempts. Requires a session, or a key that manages the account.',
    ...needs('account.manage'),
    args: { id: t.arg.id(docnameArg('delivery')) },
    resolve: (_root, { id }, call) => redeliver(call, id),
    answerAgain: getDelivery,
  }),
  redeliverWebhooks: t.field({
    type: RedeliveryType,
    description:
      'Sends again all messages created in a period of at most 31 days, except those to endpoints that were removed or disabled. Requires a session, or a key that manages the account.',
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
        description: 'If true, only messages that are `dead` are sent; otherwise delivered ones too.',
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
    resolve: (_root, _args, call) => rotateOwnSecret(call),
    answerAgain: (call) => rotateSecretAgain(call),
  }),
}));
