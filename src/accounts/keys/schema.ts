import { builder, needs } from '../../graphql/builder.ts';
import { between, docname, integratorCode, scopeList, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { refusedFor } from '../../kernel/reasons.ts';
import { type ApiKey, getKey, listKeys } from './find.ts';
import type { Issue } from './draft.ts';
import { issueAgain, issueFurtherKey } from './issue.ts';
import { statusAt } from './lifecycle.ts';
import { revokeKey } from './revoke.ts';
import { MOST_GRACE_HOURS, type Rotation, rotateKey, rotationOf } from './rotate.ts';
import { LONGEST_LABEL, LONGEST_REASON } from '../../kernel/text.ts';

export const ApiKeyStatusEnum = builder.enumType('ApiKeyStatus', {
  description: 'Where a key stands.',
  values: {
    active: { description: 'It works.' },
    rolling: { description: 'It was replaced, and works until its grace window ends.' },
    expired: { description: 'Its grace window has ended.' },
    revoked: { description: 'It was ended, for good.' },
  } as const,
});

export const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: 'A bearer key. Its plaintext is shown when it is issued, and never again.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `KEY-<yyyy>-<6 digits>`.', ...docname('key') }),
    integrator: t.exposeID('integrator', { description: 'Whose it is.', ...integratorCode }),
    issuedBy: t.exposeString('issuedBy', { nullable: true, description: 'The operator that issued it; null where the integrator did so itself.' }),
    label: t.exposeString('label', { description: 'What it is for.' }),
    prefix: t.exposeString('prefix', { description: 'What its plaintext begins with.' }),
    last4: t.exposeString('last4', { description: 'What its plaintext ends in.' }),
    status: t.field({ type: ApiKeyStatusEnum, description: 'Where it stands.', resolve: (key, _args, call) => statusAt(key, call.now()) }),
    scopes: t.field({ type: ['String'], description: 'What it may do.', resolve: ({ scopes }) => [...scopes] }),
    supervises: t.field({
      type: ['String'],
      description: 'The agencies whose counters it supervises, with the scopes for that; `*` for all. Granted by operators.',
      resolve: ({ supervises }) => [...supervises],
    }),
    counters: t.field({
      type: ['String'],
      description: 'The agencies at whose counters it may take cash, with the scopes for that; `*` for all. Granted by operators.',
      resolve: ({ counters }) => [...counters],
    }),
    managesAccount: t.exposeBoolean('managesAccount', {
      description: 'Whether it may change the account: other keys, profile and webhooks. The first key of an account may.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was issued.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed; being used is no change.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last used, to the second; null: never.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When the grace window of a rolling key ends.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
    revokedReason: t.exposeString('revokedReason', { nullable: true, description: 'Why it was revoked.' }),
  }),
});

export const ApiKeyIssueType = builder.objectRef<Issue>('ApiKeyIssue').implement({
  description: 'A new key.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKeyType, description: 'The key.' }),
    plaintext: t.exposeString('plaintext', { description: 'What to send as `Authorization: Bearer <plaintext>`; shown this once.' }),
  }),
});

export const RotationType = builder.objectRef<Rotation>('ApiKeyRotation').implement({
  description: 'A key and the one that replaces it.',
  fields: (t) => ({
    key: t.expose('key', { type: ApiKeyType, description: 'The new key, with the same scopes and grants.' }),
    plaintext: t.exposeString('plaintext', { description: 'What to send as `Authorization: Bearer <plaintext>`; shown this once.' }),
    previous: t.expose('previous', { type: ApiKeyType, description: 'The key that was replaced; it is rolling.' }),
    graceEndsAt: t.field({
      type: 'DateTime',
      description: 'From this moment on only the new key works.',
      resolve: ({ previous }) => previous.expiresAt!,
    }),
  }),
});

builder.queryFields((t) => ({
  myKeys: t.field({
    type: [ApiKeyType],
    description: 'The keys of your account, newest first, revoked and rolling ones among them. By session or key.',
    ...needs('account'),
    args: pageArgs(100, 500),
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_root, args, call) => listKeys(call, args),
  }),
}));

builder.mutationFields((t) => ({
  issueKey: t.field({
    type: ApiKeyIssueType,
    description:
      'Issues a further key of your account. By session, or by a key that manages the account and holds the scopes itself; `forbidden` for scopes beyond those of the account.' +
      refusedFor('too_many_keys'),
    ...needs('account.manage'),
    args: {
      label: t.arg.string({ required: true, description: 'What it is for, at most 100 characters.', ...someText(LONGEST_LABEL) }),
      scopes: t.arg.stringList({ required: true, description: 'What it may do: some of the scopes of your account.', ...scopeList }),
      managesAccount: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether it may change the account: other keys, profile and webhooks.',
      }),
    },
    resolve: (_root, args, call) => issueFurtherKey(call, args),
    answerAgain: issueAgain,
  }),
  rotateKey: t.field({
    type: RotationType,
    description:
      'Replaces an active key by a new one with the same scopes and grants. By the key itself; by session, or by a key that manages the account and holds those scopes, unless operators alone give what it holds.' +
      refusedFor('key_not_active'),
    ...needs('account'),
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
  revokeKey: t.field({
    type: ApiKeyType,
    description:
      'Ends a key at once and for good; one that is revoked already stays as it is. By the key itself, by session, or by a key that manages the account.',
    ...needs('account'),
    args: {
      name: t.arg.id({ required: true, description: "The key's docname.", ...docname('key') }),
      reason: t.arg.string({ required: true, description: 'Why, at most 280 characters.', ...someText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => revokeKey(call, args),
    answerAgain: getKey,
  }),
}));
