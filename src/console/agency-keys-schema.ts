import { builder, needs } from '../graphql/builder.ts';
import { connection } from '../graphql/graph/connection.ts';
import { REASON, agencyCode, agencyScopeList, between, docname, requiredText } from '../graphql/input/forms.ts';
import { agencyKeyRollOf, rollAgencyKey } from '../accounts/agency-keys/roll.ts';
import { getAgencyKey, listAgencyKeys } from '../accounts/agency-keys/find.ts';
import { registerAgencyKey } from '../accounts/agency-keys/register.ts';
import { revokeAgencyKey } from '../accounts/agency-keys/revoke.ts';
import { AgencyKeyConnection, AgencyKeyRollType, AgencyKeyType } from '../accounts/agency-keys/schema.ts';
import { MOST_GRACE_HOURS } from '../accounts/keys/rotate.ts';
import { ApiKeyStatusEnum } from '../accounts/keys/schema.ts';
import { ScopeEnum } from '../accounts/keys/scopes-schema.ts';
import { AGENCY_SCOPES } from '../platform/access/needs.ts';
import { listReasons } from '../kernel/reasons.ts';
import { LONGEST_LABEL } from '../kernel/text/free-text.ts';
import { readers, writers } from './audience.ts';

const PUBLIC_KEY =
  'The public key: PEM (`BEGIN PUBLIC KEY`), a JSON Web Key (RFC 7517), or a set of one. For EdDSA (Ed25519), ES256, PS256 or RS256 with at least 2,048 bits. A private key is refused.';

builder.queryFields((t) => ({
  agencyKeys: t.field({
    description: `The public keys registered for agencies, newest first. ${readers}`,
    ...needs('operations.read'),
    ...connection(AgencyKeyConnection, {
      most: 200,
      args: {
        agency: t.arg.id({ description: 'Filter by the code of an agency.', ...agencyCode }),
        status: t.arg({ type: ApiKeyStatusEnum, description: 'Only keys in this status. Default: in any.' }),
      },
    }),
    resolve: (_root, args, call) => listAgencyKeys(call, args, args),
  }),
}));

const agencyKeyId = { required: true, description: 'The docname of the key, `AGKEY-<yyyy>-<6 digits>`.' } as const;

builder.mutationFields((t) => ({
  registerAgencyKey: t.field({
    type: AgencyKeyType,
    description: `Registers a public key for an agency, with which it can ask for tokens. On a live rail it is \`waiting\`, and does not work until somebody independent of the caller approves it (\`pendingApproval\`, \`grantApproval\`). Admins and the agency's finance officers get mail. ${writers}${listReasons('key_already_registered')}`,
    ...needs('operations.write', { people: 'two' }),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
      publicKey: t.arg({ type: 'JSON', required: true, description: PUBLIC_KEY }),
      scopes: t.arg({
        type: [ScopeEnum],
        required: true,
        description: `Scopes of its tokens, among ${AGENCY_SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
        ...agencyScopeList,
      }),
      label: t.arg.string({
        required: true,
        description: 'A label that says what the key is used for, at most 100 characters.',
        ...requiredText(LONGEST_LABEL),
      }),
    },
    resolve: (_root, args, call) => registerAgencyKey(call, args),
    answerAgain: getAgencyKey,
  }),
  rollAgencyKey: t.field({
    type: AgencyKeyRollType,
    description: `Registers a public key to replace an active one, with the same scopes. The replaced key, and tokens that stand on it, work until the grace period ends. On a live rail that begins once somebody independent of the caller approves the new key. ${writers}${listReasons('key_not_active', 'key_already_registered')}`,
    ...needs('operations.write', { people: 'two' }),
    args: {
      id: t.arg.id({ ...agencyKeyId, ...docname('agencyKey') }),
      publicKey: t.arg({ type: 'JSON', required: true, description: PUBLIC_KEY }),
      graceHours: t.arg.int({
        required: true,
        defaultValue: 24,
        description: 'Number of hours for which the old key keeps working, 1 to 168.',
        ...between(1, MOST_GRACE_HOURS),
      }),
    },
    resolve: (_root, args, call) => rollAgencyKey(call, args),
    answerAgain: agencyKeyRollOf,
  }),
  revokeAgencyKey: t.field({
    type: AgencyKeyType,
    description: `Revokes a key of an agency, and with it all tokens that stand on it, immediately and permanently. A revoked key is returned unchanged. ${writers}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      id: t.arg.id({ ...agencyKeyId, ...docname('agencyKey') }),
      reason: t.arg.string(REASON),
    },
    resolve: (_root, args, call) => revokeAgencyKey(call, args),
    answerAgain: getAgencyKey,
  }),
}));
