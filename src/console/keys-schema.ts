import { builder, needs } from '../graphql/builder.ts';
import { connection } from '../graphql/graph/connection.ts';
import { REASON, agencyList, docname, integratorCode, requiredText, scopeList } from '../graphql/input/forms.ts';
import { listReasons } from '../kernel/reasons.ts';
import { getKey, listKeys } from '../accounts/keys/find.ts';
import { issueAgain, issueKeyAsOperator } from '../accounts/keys/issue.ts';
import { revokeKey } from '../accounts/keys/revoke.ts';
import { rotateKey, rotationOf } from '../accounts/keys/rotate.ts';
import {
  ApiKeyConnection,
  ApiKeyIssueType,
  ApiKeyStatusEnum,
  ApiKeyType,
  RotationType,
  rotationArgs,
} from '../accounts/keys/schema.ts';
import { ScopeEnum } from '../accounts/keys/scopes-schema.ts';
import { LONGEST_LABEL } from '../kernel/text/free-text.ts';
import { readers, writers } from './audience.ts';

builder.queryFields((t) => ({
  keys: t.field({
    description: `Keys of all integrators, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(ApiKeyConnection, {
      most: 200,
      args: {
        integrator: t.arg.id({ description: 'Filter by integrator code.', ...integratorCode }),
        status: t.arg({ type: ApiKeyStatusEnum, description: 'Only keys in this status. Default: in any.' }),
      },
    }),
    resolve: (_root, args, call) => listKeys(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  operatorIssueKey: t.field({
    type: ApiKeyIssueType,
    description: `Issues a key to an Active integrator, with any scopes and grants. On a live rail, a key with \`supervises\`, \`counters\`, \`managesAccount\` or the scope \`payments.split\` is \`waiting\`, and does not work until somebody independent of the caller approves it (\`pendingApproval\`, \`grantApproval\`). The plaintext is shown now. ${writers}${listReasons('too_many_keys')}`,
    ...needs('operations.write', { people: 'two where it widens', missing: true }),
    args: {
      integrator: t.arg.id({
        required: true,
        description: 'The `integrator_id`: the code of the account.',
        ...integratorCode,
      }),
      label: t.arg.string({
        required: true,
        description: 'A label that says what the key is used for, at most 100 characters.',
        ...requiredText(LONGEST_LABEL),
      }),
      scopes: t.arg({
        type: [ScopeEnum],
        required: true,
        description: 'The scopes granted: what the key may be used for.',
        ...scopeList,
      }),
      supervises: t.arg.stringList({
        description:
          'The codes of the agencies whose counters the key may supervise, or `*` alone for all. Default: none.',
        ...agencyList,
      }),
      counters: t.arg.stringList({
        description:
          'The codes of the agencies at whose counters the key may take cash, or `*` alone for all. Default: none.',
        ...agencyList,
      }),
      managesAccount: t.arg.boolean({ description: 'True if the key may manage the account. Default: false.' }),
    },
    resolve: (_root, args, call) => issueKeyAsOperator(call, args),
    answerAgain: issueAgain,
  }),
  operatorRotateKey: t.field({
    type: RotationType,
    description: `Replaces any active key with a new key that has the same scopes and grants. On a live rail not where those take two operators to issue: issue another key then. ${writers}${listReasons('key_not_active', 'key_takes_approval')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: rotationArgs,
    resolve: (_root, args, call) => rotateKey(call, args),
    answerAgain: rotationOf,
  }),
  operatorRevokeKey: t.field({
    type: ApiKeyType,
    description: `Revokes any key, immediately and permanently. A revoked key is returned unchanged. ${writers}`,
    ...needs('operations.write', { people: 'alone' }),
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
