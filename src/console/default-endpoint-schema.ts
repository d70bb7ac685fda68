import { readers, writers } from './audience.ts';
import { endpointApproval } from '../accounts/endpoints/approval.ts';
import { DEFAULT_ENDPOINT } from '../accounts/events/owner.ts';
import { LONGEST_ENDPOINT } from '../accounts/endpoints/address.ts';
import { WebhookDisabledReasonEnum, WebhookStatusEnum } from '../accounts/endpoints/schema.ts';
import { MessageType, SecretType } from '../accounts/endpoints/schema.ts';
import { pendingApprovalOf } from '../collection/approvals/find.ts';
import { ApprovalType } from '../collection/approvals/schema.ts';
import { builder, needs } from '../graphql/builder.ts';
import { freeText } from '../graphql/input/forms.ts';
import { listReasons } from '../kernel/reasons.ts';
import {
  type ShownEndpoint,
  TEST_SENT,
  changeDefaultEndpoint,
  readChangedEndpoint,
  readDefaultEndpoint,
  rotateDefaultSecret,
  rotateDefaultSecretAgain,
  testDefaultEndpoint,
} from './default-endpoint.ts';

const DefaultEndpointType = builder.objectRef<ShownEndpoint>('DefaultEndpoint').implement({
  description:
    'Address at which operators receive messages about records that belong to no integrator, such as those of counters. Its messages are those that integrators get.',
  fields: (t) => ({
    code: t.string({
      description: `The code under which its messages are among the webhook deliveries: \`${DEFAULT_ENDPOINT}\`.`,
      resolve: () => DEFAULT_ENDPOINT,
    }),
    url: t.string({
      nullable: true,
      description: 'The address to which messages are sent; null if there is none.',
      resolve: ({ endpoint }) => endpoint?.webhookEndpoint ?? null,
    }),
    status: t.field({
      type: WebhookStatusEnum,
      description: 'State of the endpoint: enabled or disabled.',
      resolve: ({ endpoint }) => endpoint?.webhookStatus ?? 'none',
    }),
    disabledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was disabled.',
      resolve: ({ endpoint }) => endpoint?.webhookDisabledAt ?? null,
    }),
    disabledReason: t.field({
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Reason why it was disabled. Saving it again enables it.',
      resolve: ({ endpoint }) => endpoint?.webhookDisabledReason ?? null,
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description:
        'The secret with which messages are signed. Shown once, in the response to the request that sets the first address; otherwise null.',
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The request for its address, which somebody independent of the caller has to approve. Null if none waits, and for callers who may not see it.',
      resolve: ({ endpoint }, _args, call) =>
        endpoint?.endpoint == null ? null : pendingApprovalOf(call, endpointApproval, endpoint.endpoint),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was first set; null if it never was.',
      resolve: ({ endpoint }) => endpoint?.createdAt ?? null,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it last changed; null if it never was set.',
      resolve: ({ endpoint }) => endpoint?.updatedAt ?? null,
    }),
  }),
});

builder.queryFields((t) => ({
  defaultEndpoint: t.field({
    type: DefaultEndpointType,
    description: `Returns where operators receive messages about records that belong to no integrator. ${readers}`,
    ...needs('operations.read'),
    resolve: (_root, _args, call) => readDefaultEndpoint(call),
  }),
}));

builder.mutationFields((t) => ({
  setDefaultEndpoint: t.field({
    type: DefaultEndpointType,
    description: `Sets where operators receive messages about records that belong to no integrator; null removes it. On a live rail another address waits for somebody independent of the caller to approve it (\`pendingApproval\`, \`grantApproval\`). Not for staff who are bound to agencies. ${writers}`,
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      url: t.arg.string({
        description: 'The https address to which messages are sent; null: none.',
        ...freeText(LONGEST_ENDPOINT, { format: 'uri', examples: ['https://example.com/counters'] }),
      }),
    },
    resolve: (_root, { url }, call) => changeDefaultEndpoint(call, url),
    answerAgain: readChangedEndpoint,
  }),
  rotateDefaultEndpointSecret: t.field({
    type: SecretType,
    description: `Creates a new signing secret for the default endpoint. For 24 hours messages are signed with the previous secret as well. ${writers}${listReasons('no_webhook_endpoint')}`,
    ...needs('operations.write', { people: 'alone' }),
    resolve: (_root, _args, call) => rotateDefaultSecret(call),
    answerAgain: rotateDefaultSecretAgain,
  }),
  testDefaultEndpoint: t.field({
    type: MessageType,
    description: `Sends a \`webhook.test\` message to the default endpoint. ${writers}${listReasons('no_webhook_endpoint', 'webhook_disabled')}`,
    ...needs('operations.write', { people: 'alone' }),
    resolve: (_root, _args, call) => testDefaultEndpoint(call),
    answerAgain: async () => ({ message: TEST_SENT }),
  }),
}));
