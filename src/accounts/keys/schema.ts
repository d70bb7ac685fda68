import { builder, needs } from '../../graphql/builder.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import {
  REASON,
  between,
  docname,
  integratorCode,
  ownDocname,
  requiredText,
  scopeList,
} from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { ApprovalType } from '../../collection/approvals/schema.ts';
import { keyApproval } from './approval.ts';
import { type ApiKey, getKey, keyLoader, listKeys } from './find.ts';
import type { Issue } from './draft.ts';
import { issueAgain, issueFurtherKey } from './issue.ts';
import { keyStatusOf } from './lifecycle.ts';
import { revokeKey } from './revoke.ts';
import { MOST_GRACE_HOURS, type Rotation, rotateKey, rotationOf } from './rotate.ts';
import { ScopeEnum } from './scopes-schema.ts';
import { PART_OF_ACCOUNT, isScope } from '../../platform/access/needs.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';

export const ApiKeyStatusEnum = builder.enumType('ApiKeyStatus', {
  description: 'The status of a key.',
  values: {
    waiting: { description: 'The key does not work until somebody else approves it: see `pendingApproval`.' },
    active: { description: 'The key works, and is to be used.' },
    rolling: { description: 'The key was replaced and works until its grace period ends.' },
    expired: {
      description: 'The key was replaced and its grace period has ended, or it was issued for a time that is over.',
    },
    revoked: { description: 'The key was revoked permanently.' },
  } as const,
});

export const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: 'An API key, sent as a bearer token. The full key is shown once, when it is issued.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('key')),
    integratorId: t.exposeID('integrator', {
      description: 'The code of the integrator that owns the key.',
      ...integratorCode,
    }),
    issuedBy: t.exposeString('issuedBy', {
      nullable: true,
      description: 'The operator who issued the key; null if the integrator issued it.',
    }),
    label: t.exposeString('label', { description: 'A label that says what the key is used for.' }),
    prefix: t.exposeString('prefix', { description: 'The first characters of the key.' }),
    last4: t.exposeString('last4', { description: 'The last four characters of the key.' }),
    status: t.field({
      type: ApiKeyStatusEnum,
      description: 'The current status, as of the moment of the answer.',
      resolve: (key, _args, call) => keyStatusOf(key, call.now()),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'The scopes granted: what the key may be used for.',
      resolve: ({ scopes }) => scopes.filter(isScope),
    }),
    supervises: t.field({
      type: ['String'],
      description:
        'The codes of the agencies whose counters the key may supervise, given the required scopes; `*` for all. Granted by operators.',
      resolve: ({ supervises }) => [...supervises],
    }),
    counters: t.field({
      type: ['String'],
      description:
        'The codes of the agencies at whose counters the key may take cash, given the required scopes; `*` for all. Granted by operators.',
      resolve: ({ counters }) => [...counters],
    }),
    managesAccount: t.exposeBoolean('managesAccount', {
      description:
        'True if the key may manage the account: other keys, the profile and webhooks. The first key of an account may.',
    }),
    origins: t.field({
      type: ['String'],
      description: 'The origins whose pages may use the key, if it is a browser key; empty for all others.',
      resolve: ({ origins }) => [...origins],
    }),
    operations: t.field({
      type: ['String'],
      description: 'The named operations that a browser key may run; empty if it is not bound to any.',
      resolve: ({ operations }) => [...operations],
    }),
    agencies: t.field({
      type: ['String'],
      description: 'The codes of the agencies that a browser key is bound to; empty if it is not bound to any.',
      resolve: ({ agencies }) => [...agencies],
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The request that the key may be used, for somebody independent of its issuer to approve. Null if it does not wait, and for callers who may not see it.',
      resolve: (key, _args, call) => (key.status === 'waiting' ? pendingApprovalOf(call, keyApproval, key.name) : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the key was issued.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time at which the key last changed. Use does not count as a change.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the key was last used, to the second; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which a rolling key or a browser key stops working; null for all others.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'Time of its revocation.' }),
    revokedReason: t.exposeString('revokedReason', { nullable: true, description: 'Reason for its revocation.' }),
  }),
});

defineNode({
  typename: 'ApiKey',
  needs: [PART_OF_ACCOUNT],
  matches: (id) => isDocname('key', id),
  loader: keyLoader,
});

export const ApiKeyConnection = defineConnection('ApiKey', ApiKeyType, 'keys');

export const ApiKeyIssueType = builder.objectRef<Issue>('ApiKeyIssue').implement({
  description: 'A newly issued key.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKeyType, description: 'The key, without its secret part.' }),
    plaintext: t.exposeString('plaintext', {
      description: 'The full key, to be sent as `Authorization: Bearer <plaintext>`. Shown only in this response.',
    }),
  }),
});

export const RotationType = builder.objectRef<Rotation>('ApiKeyRotation').implement({
  description: 'A key and its replacement.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKeyType, description: 'The new key, with the same scopes and grants.' }),
    plaintext: t.exposeString('plaintext', {
      description: 'The full key, to be sent as `Authorization: Bearer <plaintext>`. Shown only in this response.',
    }),
    previous: t.expose('previous', { type: ApiKeyType, description: 'The replaced key, now `rolling`.' }),
    graceEndsAt: t.field({
      type: 'DateTime',
      description: 'End of the replaced key.',
      resolve: ({ previous }) => previous.expiresAt!,
    }),
  }),
});

builder.queryFields((t) => ({
  myKeys: t.field({
    description:
      'The keys of your account, newest first, including revoked and rolling keys. Requires a session or a key.',
    ...needs('account'),
    ...connection(ApiKeyConnection, { most: 500, args: {} }),
    resolve: (_root, args, call) => listKeys(call, {}, args),
  }),
}));

/** Arguments of the rotation of any key. */
export const rotationArgs = builder.args((t) => ({
  id: t.id({
    required: true,
    description: "The key's docname, `KEY-<yyyy>-<6 digits>`; not the key itself.",
    ...docname('key'),
  }),
  graceHours: t.int({
    required: true,
    defaultValue: 24,
    description: 'Number of hours for which the old key keeps working, 1 to 168.',
    ...between(1, MOST_GRACE_HOURS),
  }),
}));

builder.mutationFields((t) => ({
  issueKey: t.field({
    type: ApiKeyIssueType,
    description:
      'Issues another key for your account. Requires a session, or a key that manages the account and holds the requested scopes. `forbidden` for scopes that the account does not have.' +
      listReasons('too_many_keys'),
    ...needs('account.manage'),
    args: {
      label: t.arg.string({
        required: true,
        description: 'A label that says what the key is used for, at most 100 characters.',
        ...requiredText(LONGEST_LABEL),
      }),
      scopes: t.arg({
        type: [ScopeEnum],
        required: true,
        description: 'The scopes to grant, among those of your account.',
        ...scopeList,
      }),
      managesAccount: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'True if the key may manage the account: other keys, the profile and webhooks.',
      }),
    },
    resolve: (_root, args, call) => issueFurtherKey(call, args),
    answerAgain: issueAgain,
  }),
  rotateKey: t.field({
    type: RotationType,
    description:
      'Replaces an active key with a new key that has the same scopes and grants. Requires the key itself. A session, or a key that manages the account with the same scopes, also suffices, unless the key holds what only operators grant.' +
      listReasons('key_not_active'),
    ...needs('account'),
    args: rotationArgs,
    resolve: (_root, args, call) => rotateKey(call, args),
    answerAgain: rotationOf,
  }),
  revokeKey: t.field({
    type: ApiKeyType,
    description:
      'Revokes a key, immediately and permanently. A revoked key is returned unchanged. Requires the key itself, a session, or a key that manages the account.',
    ...needs('account'),
    args: {
      id: t.arg.id({
        required: true,
        description: "The key's docname, `KEY-<yyyy>-<6 digits>`; not the key itself.",
        ...docname('key'),
      }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => revokeKey(call, args),
    answerAgain: getKey,
  }),
}));
