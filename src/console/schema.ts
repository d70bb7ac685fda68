import { builder, needs } from '../graphql/builder.ts';
import { agencyList, between, docname, email, freeText, integratorCode, scopeList, someText } from '../graphql/input/forms.ts';
import { pageArgs } from '../graphql/paging.ts';
import { shape } from '../graphql/input/shapes.ts';
import { refusedFor } from '../kernel/reasons.ts';
import { IntegratorStatusEnum, IntegratorTierEnum, WebhookDisabledReasonEnum, WebhookStatusEnum } from '../accounts/integrators/schema.ts';
import { getKey } from '../accounts/keys/find.ts';
import { issueAgain, issueKeyAsOperator } from '../accounts/keys/issue.ts';
import { revokeKey } from '../accounts/keys/revoke.ts';
import { MOST_GRACE_HOURS, rotateKey, rotationOf } from '../accounts/keys/rotate.ts';
import { ApiKeyIssueType, ApiKeyStatusEnum, ApiKeyType, RotationType } from '../accounts/keys/schema.ts';
import { type OperatorEntry, listOperations } from './audit.ts';
import { type OperatedIntegrator, amendIntegrator, getIntegrator, listIntegrators, moveIntegrator } from './integrators.ts';
import { listAllKeys } from './keys.ts';
import { LONGEST_ADDRESS, LONGEST_LABEL, LONGEST_NAME, LONGEST_NOTE, LONGEST_REASON } from '../kernel/text.ts';

const readers = 'For admins, system managers and the oversight role.';
const writers = 'For admins and system managers.';

const OperatedIntegratorType = builder.objectRef<OperatedIntegrator>('OperatedIntegrator').implement({
  description: 'An account, as operators see it.',
  fields: (t) => ({
    code: t.exposeID('name', { description: 'Its `integrator_id`.' }),
    displayName: t.exposeString('displayName', { description: 'What it is called.' }),
    contactEmail: t.exposeString('contactEmail', { description: 'Where mail goes.', ...email }),
    contactName: t.exposeString('contactName', { nullable: true, description: 'Who signed up.' }),
    organisation: t.exposeString('organisation', { description: 'Whose it is.' }),
    tier: t.expose('tier', { type: IntegratorTierEnum, description: 'What it works with.' }),
    pricingTier: t.exposeString('pricingTier', { description: 'What it pays.' }),
    status: t.expose('status', { type: IntegratorStatusEnum, description: 'Where it stands.' }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether mail to it is known to arrive.' }),
    webhookEndpoint: t.exposeString('webhookEndpoint', { nullable: true, description: 'Where webhooks are sent.' }),
    webhookStatus: t.expose('webhookStatus', { type: WebhookStatusEnum, description: 'Whether anything is sent there.' }),
    webhookDisabledAt: t.expose('webhookDisabledAt', { type: 'DateTime', nullable: true, description: 'When the endpoint was switched off.' }),
    webhookDisabledReason: t.expose('webhookDisabledReason', {
      type: WebhookDisabledReasonEnum,
      nullable: true,
      description: 'Why it was switched off. Saving the endpoint again switches it on.',
    }),
    anticipatedVolumeMonthly: t.exposeInt('anticipatedVolumeMonthly', { nullable: true, description: 'How many payments a month it expects.' }),
    scopes: t.field({
      type: ['String'],
      description: 'What the keys that it issues itself may hold.',
      resolve: ({ scopes }) => [...scopes],
    }),
    notes: t.exposeString('notes', { nullable: true, description: 'What operators wrote down about it.' }),
    suspendedReason: t.exposeString('suspendedReason', { nullable: true, description: 'Why it is suspended.' }),
    lastLoginAt: t.expose('lastLoginAt', { type: 'DateTime', nullable: true, description: 'When somebody last signed in.' }),
    activeKeyCount: t.exposeInt('activeKeyCount', { description: 'Keys in the state `active`.' }),
    totalKeyCount: t.exposeInt('totalKeyCount', { description: 'Keys in any state.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it signed up.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const OperatorEntryType = builder.objectRef<OperatorEntry>('OperatorAuditEntry').implement({
  description: 'What an operator or supervisor did.',
  fields: (t) => ({
    name: t.exposeID('name', {
      description: 'Its docname, `AUDIT-<yyyy>-<mm>-<6 digits>`.',
      ...shape({ pattern: String.raw`^AUDIT-\d{4}-\d{2}-\d{6,18}$`, examples: ['AUDIT-2026-11-000100'] }),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    actor: t.exposeString('actor', { description: 'Who.' }),
    action: t.exposeString('action', { description: 'What, such as `integrator.suspend`.' }),
    subject: t.exposeString('subject', { description: 'To which document.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'What was changed, as it was.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'The same as it is since.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why.' }),
    requestId: t.exposeString('requestId', { description: 'By which request.' }),
  }),
});

builder.queryFields((t) => ({
  integrators: t.field({
    type: [OperatedIntegratorType],
    description: `Accounts, newest first. ${readers}`,
    ...needs('operations.read'),
    args: {
      q: t.arg.string({ description: 'Only those with this text in their code, names or address; case is ignored.', ...freeText(LONGEST_NAME) }),
      status: t.arg({ type: IntegratorStatusEnum, description: 'Only those that stand so.' }),
      tier: t.arg({ type: IntegratorTierEnum, description: 'Only those of this tier.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listIntegrators(call, args, args),
  }),
  integrator: t.field({
    type: OperatedIntegratorType,
    description: `One account. ${readers}`,
    ...needs('operations.read'),
    args: { code: t.arg.id({ required: true, description: 'Its `integrator_id`.', ...integratorCode }) },
    resolve: (_root, { code }, call) => getIntegrator(call, code),
  }),
  keys: t.field({
    type: [ApiKeyType],
    description: `Keys of all integrators, newest first. ${readers}`,
    ...needs('operations.read'),
    args: {
      integrator: t.arg.id({ description: 'Only those of this integrator.', ...integratorCode }),
      status: t.arg({ type: ApiKeyStatusEnum, description: 'Only those in this state.' }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listAllKeys(call, args, args),
  }),
  operatorAudit: t.field({
    type: [OperatorEntryType],
    description: `What operators and supervisors did, newest first. ${readers}`,
    ...needs('operations.read'),
    args: {
      actor: t.arg.string({ description: 'Only what they did.', ...freeText(LONGEST_ADDRESS) }),
      action: t.arg.string({ description: 'Only this.', ...freeText(LONGEST_LABEL) }),
      subject: t.arg.string({ description: 'Only what was done to this document.', ...freeText(LONGEST_LABEL) }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listOperations(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  amendIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Changes what operators decide of an account. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'Its `integrator_id`.', ...integratorCode }),
      tier: t.arg({ type: IntegratorTierEnum, description: 'What it works with.' }),
      notes: t.arg.string({ description: 'What to write down about it, at most 4,000 characters; null takes it away.', ...freeText(LONGEST_NOTE) }),
      reason: t.arg.string({ description: 'Why, at most 280 characters.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => amendIntegrator(call, args),
    answerAgain: getIntegrator,
  }),
  suspendIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Suspends an account: its keys and sessions answer 401 at once; nothing is deleted. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'Its `integrator_id`.', ...integratorCode }),
      reason: t.arg.string({ required: true, description: 'Why, at most 280 characters.', ...someText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'suspend', args),
    answerAgain: getIntegrator,
  }),
  reactivateIntegrator: t.field({
    type: OperatedIntegratorType,
    description: `Takes the suspension of an account back. ${writers}`,
    ...needs('operations.write'),
    args: {
      code: t.arg.id({ required: true, description: 'Its `integrator_id`.', ...integratorCode }),
      reason: t.arg.string({ required: true, description: 'Why, at most 280 characters.', ...someText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => moveIntegrator(call, 'reactivate', args),
    answerAgain: getIntegrator,
  }),
  operatorIssueKey: t.field({
    type: ApiKeyIssueType,
    description: `Issues a key to an Active integrator, with any scopes and grants. ${writers}${refusedFor('too_many_keys')}`,
    ...needs('operations.write', { missing: true }),
    args: {
      integrator: t.arg.id({ required: true, description: 'Its `integrator_id`.', ...integratorCode }),
      label: t.arg.string({ required: true, description: 'What it is for, at most 100 characters.', ...someText(LONGEST_LABEL) }),
      scopes: t.arg.stringList({ required: true, description: 'What it may do.', ...scopeList }),
      supervises: t.arg.stringList({
        description: 'The agencies whose counters it supervises: their codes, or `*` alone for all; left out, none.',
        ...agencyList,
      }),
      counters: t.arg.stringList({
        description: 'The agencies at whose counters it may take cash: their codes, or `*` alone for all; left out, none.',
        ...agencyList,
      }),
      managesAccount: t.arg.boolean({ description: 'Whether it may change the account; left out, it may not.' }),
    },
    resolve: (_root, args, call) => issueKeyAsOperator(call, args),
    answerAgain: issueAgain,
  }),
  operatorRotateKey: t.field({
    type: RotationType,
    description: `Replaces any active key by a new one with the same scopes and grants. ${writers}`,
    ...needs('operations.write'),
    args: {
      name: t.arg.id({ required: true, description: "The key's docname.", ...docname('key') }),
      graceHours: t.arg.int({
        required: true,
        defaultValue: 24,
        description: 'How long the old key goes on working, 1 to 168 hours.',
        ...between(1, MOST_GRACE_HOURS),
      }),
    },
    resolve: (_root, args, call) => rotateKey(call, args),
    answerAgain: rotationOf,
  }),
  operatorRevokeKey: t.field({
    type: ApiKeyType,
    description: `Ends any key at once and for good; one that is revoked already stays as it is. ${writers}`,
    ...needs('operations.write'),
    args: {
      name: t.arg.id({ required: true, description: "The key's docname.", ...docname('key') }),
      reason: t.arg.string({ required: true, description: 'Why, at most 280 characters.', ...someText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => revokeKey(call, args),
    answerAgain: getKey,
  }),
}));
