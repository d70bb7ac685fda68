import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { ApprovalType } from '../../collection/approvals/schema.ts';
import { liveApproval } from './going-live/decide.ts';
import { builder, needs } from '../../graphql/builder.ts';
import type { PricingTier } from '../../generated/prisma/enums.ts';
import { ALLOWANCES } from '../../platform/access/account.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { email, integratorCode } from '../../graphql/input/forms.ts';
import { PART_OF_ACCOUNT, isScope } from '../../platform/access/needs.ts';
import { isAnyDocname } from '../../platform/database/docnames.ts';
import { ScopeEnum } from '../keys/scopes-schema.ts';
import { type Integrator, integratorLoader } from './find.ts';
import { EndpointType, WebhookDisabledReasonEnum, WebhookStatusEnum } from '../endpoints/schema.ts';
import { INTEGRATOR_CODE } from '../../kernel/text/identifiers.ts';

export const IntegratorStatusEnum = builder.enumType('IntegratorStatus', {
  description: 'The status of an account.',
  values: {
    PendingEmail: { description: 'Signed up, but the e-mail address is not verified yet.' },
    Active: { description: 'The account is in use.' },
    Suspended: { description: 'Suspended: keys and sessions do not work.' },
  } as const,
});

export const IntegratorTierEnum = builder.enumType('IntegratorTier', {
  description: 'The tier of an account.',
  values: {
    sandbox: { description: 'Payments are simulated; no money moves.' },
    live: { description: 'Payments are real: payers are charged.' },
  } as const,
});

/** Allowance of a pricing tier, if operators have not set another limit for an account. */
function describeAllowance(tier: PricingTier): string {
  const { requestsPerMinute: requests, citizenLookUpsPerDay: lookUps } = ALLOWANCES[tier];
  const most =
    requests === null
      ? 'As many requests a minute as the rail takes of a key'
      : `${requests.toLocaleString('en')} requests a minute`;
  return `${most}, and in live mode ${lookUps.toLocaleString('en')} look-ups of citizens a UTC day.`;
}

export const PricingTierEnum = defineEnum<PricingTier>(
  'PricingTier',
  'Pricing tier: the price of an account and its allowances. Tiers may be added.',
  {
    free: `Nothing is charged for requests or payments. ${describeAllowance('free')}`,
    standard: `For services with many users. ${describeAllowance('standard')}`,
    premium: `For services with the most users. ${describeAllowance('premium')}`,
  },
);

/** Readers of a field that an account's owner does not see, as its description names them. */
const forOperators = 'For admins, system managers and the oversight role.';

export const IntegratorType = builder.objectRef<Integrator>('Integrator').implement({
  description:
    'The account of an integrator. It is shown to its owner, and to admins, system managers and the oversight role. A field that only one of these may see says so.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description:
        "The unique identifier, which is its code: a short form of the organisation's name, a hyphen and six characters.",
      ...integratorCode,
    }),
    displayName: t.exposeString('displayName', { description: 'The name to show to people, at most 200 characters.' }),
    contactEmail: t.exposeString('contactEmail', {
      description: 'The e-mail address for notifications and sign-in.',
      ...email,
    }),
    contactName: t.exposeString('contactName', {
      nullable: true,
      description: `The name of the person who signed up. ${forOperators}`,
      ...needs('operations.read', { alone: true }),
    }),
    organisation: t.exposeString('organisation', { description: 'The organisation that owns the account.' }),
    tier: t.expose('tier', { type: IntegratorTierEnum, description: 'The tier: `sandbox` or `live`.' }),
    pricingTier: t.expose('pricingTier', {
      type: PricingTierEnum,
      description: 'Pricing tier of the account: `free`, `standard` or `premium`.',
    }),
    allowedChannels: t.exposeStringList('allowedChannels', {
      description: 'The payment channels by which the account may collect; `*` for all. Set by operators.',
    }),
    allowedAgencies: t.exposeStringList('allowedAgencies', {
      description:
        'The codes of the agencies for which the account may assess and collect; `*` for all. Set by operators.',
    }),
    limitPerMinute: t.exposeInt('limitPerMinute', {
      nullable: true,
      description:
        'Number of requests a minute the account may send, if operators set a limit of its own; null: as many as its pricing tier allows.',
    }),
    status: t.expose('status', {
      type: IntegratorStatusEnum,
      description: 'The current status; keys and sessions work only while it is `Active`.',
    }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'True if the e-mail address is verified.' }),
    webhookEndpoint: t.exposeString('webhookEndpoint', {
      nullable: true,
      description: 'The address to which webhooks are sent.',
    }),
    webhookStatus: t.expose('webhookStatus', {
      type: WebhookStatusEnum,
      description: 'State of the webhook endpoint.',
    }),
    webhookDisabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the endpoint was disabled.',
    }),
    webhookDisabledReason: t.expose('webhookDisabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Reason why it was disabled. Saving the endpoint again enables it.',
    }),
    webhookSecret: t.string({
      nullable: true,
      description:
        'The secret with which webhooks are signed. Shown once, in the response to the request that sets the first endpoint; otherwise null. For its owner alone.',
      ...needs('account', { alone: true }),
      resolve: ({ webhookSecret }) => webhookSecret ?? null,
    }),
    anticipatedVolumeMonthly: t.exposeInt('anticipatedVolumeMonthly', {
      nullable: true,
      description: 'The number of payments expected per month.',
    }),
    returnHosts: t.exposeStringList('returnHosts', {
      description: "The hosts to which a payer's browser may be sent back, by `returnUrl` of a payment intent.",
    }),
    contactPhone: t.exposeString('contactPhone', {
      nullable: true,
      description: 'Phone number in E.164 form. For its owner alone.',
      ...needs('account', { alone: true }),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'The scopes that the integrator may grant to its own keys.',
      resolve: ({ scopes }) => scopes.filter(isScope),
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The request that the account go live, for an operator independent of the requester to approve. Null if none waits, and for callers who may not see it.',
      resolve: ({ code }, _args, call) => pendingApprovalOf(call, liveApproval, code),
    }),
    notes: t.exposeString('notes', {
      nullable: true,
      description: `Operators' notes on the account. ${forOperators}`,
      ...needs('operations.read', { alone: true }),
    }),
    suspendedReason: t.exposeString('suspendedReason', {
      nullable: true,
      description: `The reason for the suspension. ${forOperators}`,
      ...needs('operations.read', { alone: true }),
    }),
    lastLoginAt: t.expose('lastLoginAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which someone last signed in.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the account was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

builder.objectField(EndpointType, 'integrator', (t) =>
  t.field({
    type: IntegratorType,
    nullable: true,
    description: 'The account that it belongs to; null if it belongs to an agency.',
    ...needs(PART_OF_ACCOUNT, { alone: true }),
    resolve: ({ integrator }, _args, call, info) => followIfAny(call, info, integratorLoader, integrator),
  }),
);

defineNode({
  typename: 'Integrator',
  needs: [PART_OF_ACCOUNT],
  matches: (id) => INTEGRATOR_CODE.test(id) && !isAnyDocname(id),
  loader: integratorLoader,
});

export const IntegratorConnection = defineConnection('Integrator', IntegratorType, 'accounts');
