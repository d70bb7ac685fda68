import type { JWK } from 'jose';
import { builder, limitByAddress } from '../../graphql/builder.ts';
import { defineConnection } from '../../graphql/graph/connection.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, freeText, ownDocname, requiredText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { type PublicSigningKey, listSigningKeys } from '../../platform/access/tokens/signing-keys.ts';
import { isScope } from '../../platform/access/needs.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { pendingApprovalOf } from '../../collection/approvals/find.ts';
import { ApprovalType } from '../../collection/approvals/schema.ts';
import { agencyKeyApproval } from './approval.ts';
import { keyStatusOf } from '../keys/lifecycle.ts';
import { ApiKeyStatusEnum } from '../keys/schema.ts';
import { ScopeEnum } from '../keys/scopes-schema.ts';
import { type AgencyKey, agencyKeyLoader } from './find.ts';
import { publicMembersOf } from './public-key.ts';
import { type AgencyToken, GRANT_TYPE, issueAgencyToken } from './issue-token.ts';
import type { AgencyKeyRoll } from './roll.ts';
import { agencyField } from '../../collection/catalogue/edges.ts';

const LONGEST_ASSERTION = 8_192;

export const AgencyKeyType = builder.objectRef<AgencyKey>('AgencyKey').implement({
  description:
    'A public key that operators registered for an agency. The holder of its private part can ask for tokens of the agency.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('agencyKey')),
    agencyId: t.exposeID('mda', { description: 'The code of the agency.', ...agencyCode }),
    agency: t.field(agencyField('The agency whose key it is.')),
    label: t.exposeString('label', { description: 'A label that says what the key is used for.' }),
    kid: t.exposeString('kid', {
      description:
        'Value of the header `kid` of assertions: the `kid` of the key as it was registered, or else its thumbprint (RFC 7638).',
    }),
    publicKey: t.field({
      type: 'JSON',
      description: 'The key as a JSON Web Key (RFC 7517), with its public members alone.',
      resolve: ({ publicKey }) => publicMembersOf(publicKey as JWK),
    }),
    thumbprint: t.exposeString('thumbprint', {
      description: 'The SHA-256 thumbprint of the key (RFC 7638), in base64url.',
    }),
    status: t.field({
      type: ApiKeyStatusEnum,
      description: 'The current status, as of the moment of the answer.',
      resolve: (key, _args, call) => keyStatusOf(key, call.now()),
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'Scopes of the tokens that are issued under the key.',
      resolve: ({ scopes }) => scopes.filter(isScope),
    }),
    pendingApproval: t.field({
      type: ApprovalType,
      nullable: true,
      description:
        'The request that the key may be used, which somebody independent of the caller has to approve. Null if none waits, and for callers who may not see it.',
      resolve: ({ status, name }, _args, call) =>
        status === 'waiting' ? pendingApprovalOf(call, agencyKeyApproval, name) : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the key was registered.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time at which the key last changed. Use does not count as a change.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which a token was last issued for an assertion under the key; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which a rolling key and its tokens stop working.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'Time of its revocation.' }),
    revokedReason: t.exposeString('revokedReason', { nullable: true, description: 'Reason for its revocation.' }),
    registeredBy: t.exposeString('registeredBy', { description: 'The operator who registered the key.' }),
  }),
});

defineNode({
  typename: 'AgencyKey',
  needs: ['operations.read'],
  matches: (id) => isDocname('agencyKey', id),
  loader: agencyKeyLoader,
});

export const AgencyKeyConnection = defineConnection('AgencyKey', AgencyKeyType, 'keys of agencies');

export const AgencyKeyRollType = builder.objectRef<AgencyKeyRoll>('AgencyKeyRoll').implement({
  description: "An agency's key and its replacement.",
  fields: (t) => ({
    key: t.expose('key', { type: AgencyKeyType, description: 'The new key, with the same scopes.' }),
    previous: t.expose('previous', {
      type: AgencyKeyType,
      description: 'The replaced key: `rolling`, or `active` while the new one is `waiting`.',
    }),
    graceEndsAt: t.expose('graceEndsAt', {
      type: 'DateTime',
      description: 'End of the replaced key; while the new one is `waiting`, as if it were approved now.',
    }),
  }),
});

const AgencyTokenType = builder.objectRef<AgencyToken>('AgencyToken').implement({
  description: 'A token of an agency: a signed JWT (RFC 9068), sent as a bearer token instead of a key.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      description:
        'The token, to be sent as `Authorization: Bearer <token>`. It is signed with EdDSA; its claims are `iss`, `aud`, `sub`, `mda`, `scope`, `agency_key`, `jti`, `iat` and `exp`.',
    }),
    tokenType: t.exposeString('tokenType', { description: 'Scheme to send it in: `Bearer`.' }),
    expiresIn: t.exposeInt('expiresIn', { description: 'For how many seconds it holds.' }),
    scope: t.exposeString('scope', { description: 'Its scopes, separated by spaces.' }),
    agencyId: t.exposeID('mda', { description: 'The code of the agency that it is of.', ...agencyCode }),
    agency: t.field(agencyField('The agency that it is of.')),
  }),
});

const JsonWebKeyType = builder.objectRef<PublicSigningKey>('JsonWebKey').implement({
  description: 'A public key that the rail signs tokens with (RFC 7517, RFC 8037).',
  fields: (t) => ({
    kid: t.exposeString('kid', { description: 'Value of the header `kid` of its tokens: its thumbprint (RFC 7638).' }),
    kty: t.exposeString('kty', { description: 'The type of the key: `OKP`.' }),
    crv: t.exposeString('crv', { description: 'The curve of the key: `Ed25519`.' }),
    x: t.exposeString('x', { description: 'The public key, in base64url.' }),
    use: t.exposeString('use', { description: 'Purpose of the key: `sig`, signatures.' }),
    alg: t.exposeString('alg', { description: 'The algorithm of its signatures: `EdDSA`.' }),
  }),
});

const JsonWebKeySetType = builder.objectRef<{ readonly keys: PublicSigningKey[] }>('JsonWebKeySet').implement({
  description: 'A set of public keys (RFC 7517).',
  fields: (t) => ({
    keys: t.expose('keys', {
      type: [JsonWebKeyType],
      description: 'The keys, the one that signs at present first. Former ones stay until their tokens are over.',
    }),
  }),
});

builder.queryFields((t) => ({
  signingKeys: t.field({
    type: JsonWebKeySetType,
    description:
      'The public keys under which tokens of agencies can be verified, as a JSON Web Key Set. No authentication required.',
    resolve: async (_root, _args, call) => ({ keys: await listSigningKeys(call) }),
  }),
}));

builder.mutationFields((t) => ({
  issueAgencyToken: t.field({
    type: AgencyTokenType,
    description:
      'Issues a token to an agency for an assertion (RFC 7523): a JWT signed with a key that operators registered for the agency. Its header has `alg` (EdDSA, ES256, PS256 or RS256) and `kid`. Its claims are `iss` and `sub` (the code of the agency), `aud` (the address of this rail, or of this endpoint), `iat`, `exp` (at most 5 minutes ahead) and `jti`. Each `jti` counts once. Clocks may differ by 60 seconds. No other authentication required. `unauthenticated` with the reason `invalid_grant` if the assertion is not accepted, `forbidden` with the reason `invalid_scope` if its key lacks a scope, `validation_failed` with the reason `unsupported_grant_type`.',
    ...limitByAddress(),
    args: {
      grantType: t.arg.string({
        required: true,
        description: `The kind of grant: \`${GRANT_TYPE}\`.`,
        ...shape({ maxLength: 100, examples: [GRANT_TYPE] }),
      }),
      assertion: t.arg.string({
        required: true,
        description: 'The assertion, a signed JWT in its compact form.',
        ...requiredText(LONGEST_ASSERTION),
      }),
      scope: t.arg.string({
        description: "The scopes wanted, separated by spaces, among those of the agency's key. Default: all of them.",
        ...freeText(200, { examples: ['assessments.read'] }),
      }),
    },
    resolve: (_root, args, call) => issueAgencyToken(call, args),
  }),
}));
