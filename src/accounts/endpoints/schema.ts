import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, agencyList, docnameArg, freeText, integratorCode, ownDocname } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { ApprovalType } from '../../collection/approvals/schema.ts';
import { agencyLoader } from '../../collection/catalogue/find.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { MOST_TYPES } from '../events/event-types.ts';
import { requireOwner } from '../events/owner.ts';
import { EventTypeEnum } from '../events/schema.ts';
import { type DisabledReason, LONGEST_ENDPOINT, PATIENCE_DAYS } from './address.ts';
import { endpointApproval } from './approval.ts';
import { type Endpoint, endpointLoader, getEndpoint, listEndpoints, readEndpoint } from './find.ts';
import {
  MOST_ENDPOINTS,
  amendEndpoint,
  createEndpoint,
  enableEndpoint,
  endpointCreatedBefore,
  removeEndpoint,
  rotateEndpointSecret,
  rotateEndpointSecretAgain,
  testEndpoint,
} from './manage.ts';
import type { RotatedSecret } from './secret.ts';

const TAKES_TWO =
  'On a live rail another address of an endpoint of operators waits for somebody independent of the caller to approve it (`pendingApproval`, `grantApproval`). So do more messages to it.';
const OWNERS = 'For accounts, for agencies by a token with `webhooks.manage`, and for operators.';

export const WebhookStatusEnum = builder.enumType('WebhookStatus', {
  description: "The status of an account's webhooks.",
  values: {
    none: { description: 'The account has no endpoint.' },
    enabled: { description: 'Webhooks are sent to the endpoint.' },
    disabled: { description: 'The endpoint is disabled; messages wait until it is saved again.' },
  } as const,
});

export const WebhookDisabledReasonEnum = builder.enumType('WebhookDisabledReason', {
  description: 'Reason why an endpoint was disabled.',
  values: {
    answered_gone: { description: 'The endpoint responded with 410 Gone.' },
    kept_failing: { description: `All attempts failed for ${PATIENCE_DAYS} days.` },
  } as const,
});

export const SecretType = builder.objectRef<RotatedSecret>('WebhookSecret').implement({
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

export const MessageType = builder.objectRef<{ message: string }>('WebhookTest').implement({
  description: 'The result of requesting a test message.',
  fields: (t) => ({ message: t.exposeString('message', { description: 'A message for the user.' }) }),
});

export const EndpointType = builder.objectRef<Endpoint>('WebhookEndpoint').implement({
  description:
    'Address that webhook messages are sent to, of an account, of an agency or of operators, with the types of its messages.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('endpoint')),
    label: t.exposeString('label', { description: 'Name that its owner gave it.' }),
    url: t.string({
      description: 'The address to which messages are sent. Empty for one that waits to be approved.',
      resolve: ({ url }) => url ?? '',
    }),
    types: t.exposeStringList('types', {
      description: 'The types of messages that it gets, by name or by a beginning, `payment_intent.*`. Empty for all.',
    }),
    agencies: t.exposeStringList('agencies', {
      description:
        'The codes of the agencies that it gets messages about. Messages about no agency are sent too. Empty for all.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'True if it is the one in the profile of the account: `webhookEndpoint`.',
    }),
    integratorId: t.exposeID('integrator', {
      nullable: true,
      description: 'The code of the account that it belongs to; null if it belongs to an agency.',
      ...integratorCode,
    }),
    agencyId: t.exposeID('agency', {
      nullable: true,
      description: 'The code of the agency that it belongs to; null if it belongs to an account.',
      ...agencyCode,
    }),
    agency: t.field({
      type: 'Agency',
      nullable: true,
      description: 'The agency that it belongs to; null if it belongs to an account.',
      resolve: ({ agency }, _args, call, info) => followIfAny(call, info, agencyLoader, agency),
    }),
    status: t.field({
      type: WebhookStatusEnum,
      description: 'State of the endpoint: enabled or disabled.',
      resolve: ({ url, disabledAt }) => (url === null ? 'none' : disabledAt === null ? 'enabled' : 'disabled'),
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was disabled; null if it was not.',
    }),
    disabledReason: t.field({
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Reason why it was disabled; `enableWebhookEndpoint` enables it.',
      resolve: ({ disabledReason }) => disabledReason as DisabledReason | null,
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when each attempt has failed; null if the last one did not.',
    }),
    secret: t.string({
      nullable: true,
      description:
        'The secret with which messages are signed. Shown once, in the response to the request that creates it.',
      resolve: ({ secretOnce }) => secretOnce ?? null,
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The request for its address, or for more messages to it, which somebody independent of the caller has to approve. Null if none waits, and for callers who may not see it.',
      resolve: ({ name }, _args, call) => pendingApprovalOf(call, endpointApproval, name),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'WebhookEndpoint',
  needs: ['account.webhooks'],
  matches: (id) => isDocname('endpoint', id),
  loader: endpointLoader,
});

const EndpointConnection = defineConnection('WebhookEndpoint', EndpointType, 'webhook endpoints');

const settings = builder.args((t) => ({
  types: t.stringList({
    description:
      'The types of messages to send, by name or by a beginning, `payment_intent.*`. Empty for all, which is the default.',
    ...shape({ maxItems: MOST_TYPES, items: { maxLength: 100, examples: ['payment_intent.*'] } }),
  }),
  agencies: t.stringList({
    description: 'The codes of the agencies to send messages about. Empty for all, which is the default.',
    ...agencyList,
  }),
  label: t.string({
    description: 'Your own name for it, at most 100 characters. Default: the host of its address.',
    ...freeText(LONGEST_LABEL),
  }),
}));

const address = freeText(LONGEST_ENDPOINT, { format: 'uri', examples: ['https://example.com/webhooks'] });

const ofAgency = builder.args((t) => ({
  agency: t.id({ description: 'Code of the agency, for callers that are one; others omit it.', ...agencyCode }),
}));

const ofId = builder.args((t) => ({
  ...ofAgency,
  id: t.id(docnameArg('endpoint')),
}));

builder.queryFields((t) => ({
  webhookEndpoints: t.field({
    description: `Your webhook endpoints, by docname. ${OWNERS}`,
    ...needs('account.webhooks'),
    ...connection(EndpointConnection, { most: 200, args: ofAgency }),
    resolve: (_root, { agency, ...args }, call) => {
      requireOwner(call, agency);
      return listEndpoints(call, args);
    },
  }),
  webhookEndpoint: t.field({
    type: EndpointType,
    description: `Returns one of your webhook endpoints. ${OWNERS} \`not_found\` if it does not exist.`,
    ...needs('account.webhooks'),
    args: ofId,
    resolve: (_root, { id, agency }, call) => {
      requireOwner(call, agency);
      return getEndpoint(call, id);
    },
  }),
}));

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: EndpointType,
    description: `Adds a webhook endpoint, of at most ${MOST_ENDPOINTS}. Its secret is in this response alone. ${TAKES_TWO} ${OWNERS} An account needs a session, or a key that manages it.${listReasons('too_many_endpoints')}`,
    ...needs('account.webhooks.manage', { people: 'two where it widens' }),
    args: {
      ...ofAgency,
      url: t.arg.string({ required: true, description: 'The https address to which messages are sent.', ...address }),
      ...settings,
    },
    resolve: (_root, { agency, ...args }, call) => {
      requireOwner(call, agency);
      return createEndpoint(call, args);
    },
    answerAgain: endpointCreatedBefore,
  }),
  amendWebhookEndpoint: t.field({
    type: EndpointType,
    description: `Changes a webhook endpoint; what is left out stays. Saving its address enables it. ${TAKES_TWO} ${OWNERS}`,
    ...needs('account.webhooks.manage', { people: 'two where it widens' }),
    args: {
      ...ofId,
      url: t.arg.string({ description: 'The https address to which messages are sent.', ...address }),
      ...settings,
    },
    resolve: (_root, { id, agency, ...args }, call) => {
      requireOwner(call, agency);
      return amendEndpoint(call, id, args);
    },
    answerAgain: getEndpoint,
  }),
  enableWebhookEndpoint: t.field({
    type: EndpointType,
    description: `Sends messages again to a webhook endpoint that was disabled; those that waited too. ${OWNERS}`,
    ...needs('account.webhooks.manage', { people: 'alone' }),
    args: ofId,
    resolve: (_root, { id, agency }, call) => {
      requireOwner(call, agency);
      return enableEndpoint(call, id);
    },
    answerAgain: getEndpoint,
  }),
  removeWebhookEndpoint: t.field({
    type: EndpointType,
    description: `Removes a webhook endpoint. Messages that wait for it become \`dead\`; for the default of an account they wait until it has one again. ${OWNERS}`,
    ...needs('account.webhooks.manage', { people: 'alone' }),
    args: ofId,
    resolve: (_root, { id, agency }, call) => {
      requireOwner(call, agency);
      return removeEndpoint(call, id);
    },
    answerAgain: readEndpoint,
  }),
  rotateWebhookEndpointSecret: t.field({
    type: SecretType,
    description: `Creates a new signing secret for a webhook endpoint. For 24 hours messages are signed with the previous secret as well. ${OWNERS}`,
    ...needs('account.webhooks.manage', { people: 'alone' }),
    args: ofId,
    resolve: (_root, { id, agency }, call) => {
      requireOwner(call, agency);
      return rotateEndpointSecret(call, id);
    },
    answerAgain: rotateEndpointSecretAgain,
  }),
  testWebhookEndpoint: t.field({
    type: MessageType,
    description: `Sends a message to a webhook endpoint that has \`test\`: \`webhook.test\`, or the example of another type. ${OWNERS}${listReasons('no_webhook_endpoint', 'webhook_disabled')}`,
    ...needs('account.webhooks.manage', { people: 'alone' }),
    args: {
      ...ofId,
      type: t.arg({ type: EventTypeEnum, description: 'The type of the message. Default: `webhook.test`.' }),
    },
    resolve: (_root, { id, agency, type }, call) => {
      requireOwner(call, agency);
      return testEndpoint(call, id, type ?? undefined);
    },
    answerAgain: async () => ({ message: 'A test message is being sent.' }),
  }),
}));
