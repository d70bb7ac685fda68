import { readers, writers } from './audience.ts';
import { builder, needs } from '../graphql/builder.ts';
import { email, freeText, integratorCode, requiredText } from '../graphql/input/forms.ts';
import { pageArgs } from '../graphql/paging.ts';
import { shape } from '../graphql/input/shapes.ts';
import {
  IntegratorStatusEnum,
  IntegratorTierEnum,
  type PricingTier,
  PricingTierEnum,
  WebhookDisabledReasonEnum,
  WebhookStatusEnum,
} from '../accounts/integrators/schema.ts';
import { ScopeEnum } from '../accounts/keys/scopes-schema.ts';
import { isScope } from '../platform/access/needs.ts';
import { type OperatorEntry, listOperations } from './audit.ts';
import {
  type OperatedIntegrator,
  amendIntegrator,
  getIntegrator,
  listIntegrators,
  moveIntegrator,
} from './integrators.ts';
import { LONGEST_ADDRESS } from '../kernel/text/contact.ts';
import { LONGEST_LABEL, LONGEST_NAME, LONGEST_NOTE, LONGEST_REASON } from '../kernel/text/free-text.ts';
import './keys-schema.ts';

const OperatedIntegratorType = builder.objectRef<OperatedIntegrator>('OperatedIntegrator').implement({
  description: "An integrator's account, as shown to operators.",
  fields: (t) => ({
    code: t.exposeID('name', { description: 'The `integrator_id`.' }),
    displayName: t.exposeString('displayName', { description: 'The display name.' }),
    contactEmail: t.exposeString('contactEmail', { description: 'The e-mail address for notifications.', ...email }),
    contactName: t.exposeString('contactName', {
      nullable: true,
      description: 'The name of the person who signed up.',
    }),
    organisation: t.exposeString('organisation', { description: 'The organisation that owns the account.' }),
    tier: t.expose('tier', { type: IntegratorTierEnum, description: 'The tier: `sandbox` or `live`.' }),
    pricingTier: t.field({
      type: PricingTierEnum,
      description: 'The pricing tier.',
      resolve: ({ pricingTier }) => pricingTier as PricingTier,
    }),
    status: t.expose('status', { type: IntegratorStatusEnum, description: 'The current status.' }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether the e-mail address is verified.' }),
    webhookEndpoint: t.exposeString('webhookEndpoint', {
      nullable: true,
      description: 'The address to which webhooks are sent.',
    }),
    webhookStatus: t.expose('webhookStatus', {
      type: WebhookStatusEnum,
      description: 'Whether webhooks are sent to the endpoint.',
    }),
    webhookDisabledAt: t.expose('webhookDisabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the endpoint was disabled.',
    }),
    webhookDisabledReason: t.expose('webhookDisabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Why the endpoint was disabled. Saving the endpoint again enables it.',
    }),
    anticipatedVolumeMonthly: t.exposeInt('anticipatedVolumeMonthly', {
      nullable: true,
      description: 'The number of payments expected per month.',
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'The scopes that the integrator may grant to its own keys.',
      resolve: ({ scopes }) => scopes.filter(isScope),
    }),
    notes: t.exposeString('notes', { nullable: true, description: "Operators' notes on the account." }),
    suspendedReason: t.exposeString('suspendedReason', {
      nullable: true,
      description: 'The reason for the suspension.',
    }),
    lastLoginAt: t.expose('lastLoginAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When someone last signed in.',
    }),
    activeKeyCount: t.exposeInt('activeKeyCount', { description: 'The number of active keys.' }),
    totalKeyCount: t.exposeInt('totalKeyCount', { description: 'The number of keys in any status.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the account was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const OperatorEntryType = builder.objectRef<OperatorEntry>('OperatorAuditEntry').implement({
  description: "An audit record of an operator's or supervisor's action.",
  fields: (t) => ({
    name: t.exposeID('name', {
      description: 'The unique identifier (docname), `AUDIT-<yyyy>-<mm>-<6 digits>`.',
      ...shape({ pattern: String.raw`^AUDIT-\d{4}-\d{2}-\d{6,18}$`, examples: ['AUDIT-2026-11-000100'] }),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the action was performed.' }),
    actor: t.exposeString('actor', { description: 'Who performed the action.' }),
    action: t.exposeString('action', { description: 'The action, such as `integrator.suspend`.' }),
    subject: t.exposeString('subject', { description: 'The docname of the document concerned.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'The state before the change.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'The state after the change.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason given.' }),
    requestId: t.exposeString('requestId', { description: 'The ID of the request (`X-Request-Id`).' }),
  }),
});

builder.queryFields((t) => ({
  integrators: t.field({
    type: [OperatedIntegratorType],
    description: `Accounts, newest first. ${readers}`,
    ...needs('operations.read'),
    args: {
      q: t.arg.string({
        description: 'Search by part of the code, names or e-mail address; not case-sensitive.',
        ...freeText(LONGEST_NAME),
      }),
      status: t.arg({ type: IntegratorStatusEnum, description: 'Filter by status.' }),
      tier: t.arg({ type: IntegratorTierEnum, description: 'Filter by tier.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listIntegrators(call, args, args),
  }),
  integrator: t.field({
    type: OperatedIntegratorType,
    description: `Returns an account. ${readers}`,
    ...needs('operations.read'),
    args: { code: t.arg.id({ required: true, description: 'The `integrator_id`.', ...integratorCode }) },
    resolve: (_root, { code }, call) => getIntegrator(call, code),
  }),
  operatorAudit: t.field({
    type: [OperatorEntryType],
    description: `Audit records of operators' and supervisors' actions, newest first. ${readers}`,
    ...needs('operations.read'),
    args: {
      actor: t.arg.string({ description: 'Filter by actor.', ...freeText(LONGEST_ADDRESS) }),
      action: t.arg.string({ description: 'Filter by action.', ...freeText(LONGEST_LABEL) }),
      subject: t.arg.string({ description: 'Filter by document (docname).', ...freeText(LONGEST_LABEL) }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listOperations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  amendIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Changes an account's tier or notes. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'The `integrator_id`.', ...integratorCode }),
      tier: t.arg({ type: IntegratorTierEnum, description: 'The tier: `sandbox` or `live`.' }),
      notes: t.arg.string({
        description: 'Notes on the account, at most 4,000 characters; null clears them.',
        ...freeText(LONGEST_NOTE),
      }),
      reason: t.arg.string({ description: 'The reason, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => amendIntegrator(call, args),
    answerAgain: getIntegrator,
  }),
  suspendIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Suspends an account: its keys and sessions are refused with 401 immediately. Nothing is deleted. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'The `integrator_id`.', ...integratorCode }),
      reason: t.arg.string({
        required: true,
        description: 'The reason, at most 280 characters.',
        ...requiredText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'suspend', args),
    answerAgain: getIntegrator,
  }),
  reactivateIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Lifts the suspension of an account. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'The `integrator_id`.', ...integratorCode }),
      reason: t.arg.string({
        required: true,
        description: 'The reason, at most 280 characters.',
        ...requiredText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'reactivate', args),
    answerAgain: getIntegrator,
  }),
}));
