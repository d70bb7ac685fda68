import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT, exportJWK } from 'jose';
import { type Caller, say } from '../caller.ts';
import type { LiveRail } from './rail.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The system of an agency gets a token for its key, and reads by it what is its own, until operators revoke the key. */
export async function readAsAgency(
  rail: LiveRail,
  [operator, second]: readonly [Caller, Caller],
  intent: string,
): Promise<void> {
  say('The tax authority’s own system gets a token, for a key that one operator registered and another one approved');
  const token = await registerAndSign(rail, [operator, second], 'URA');
  const authority = rail.callAs({ authorization: `Bearer ${token.value}` });
  const path = `/v1/payment-intents/${intent}`;
  await authority.get(path);
  await authority.refused(403, 'POST', '/v1/payment-intents', {});

  say('Another agency’s token does not find what is not its own');
  const other = await registerAndSign(rail, [operator, second], 'KCCA');
  await rail.callAs({ authorization: `Bearer ${other.value}` }).refused(404, 'GET', path);

  say('Without its key a token is worth nothing from the next request on; nor is an assertion a second time');
  await rail.callAs().refused(401, 'POST', '/v1/agency-tokens', { grant_type: GRANT, assertion: other.assertion });
  await operator.post(`/v1/ops/agency-keys/${token.key}:revoke`, { reason: 'The machine was stolen' });
  await authority.refused(401, 'GET', path);
}

interface Token {
  /** The docname of the key that it stands on. */
  readonly key: string;
  readonly assertion: string;
  readonly value: string;
}

async function registerAndSign(
  rail: LiveRail,
  [operator, second]: readonly [Caller, Caller],
  mda: string,
): Promise<Token> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const registered = await operator.post<{ name: string; kid: string }>('/v1/ops/agency-keys', {
    mda,
    public_key: await exportJWK(publicKey),
    scopes: ['assessments.read', 'payments.read'],
    label: 'Billing system',
  });
  const waiting = await second.get<{ name: string; subject: string }[]>('/v1/ops/approvals?status=Pending');
  const { name } = waiting.find(({ subject }) => subject === registered.name)!;
  await second.post(`/v1/ops/approvals/${name}:approve`);
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'EdDSA', kid: registered.kid })
    .setIssuer(mda)
    .setSubject(mda)
    .setAudience(rail.publicAddress)
    .setIssuedAt()
    .setExpirationTime('2 minutes')
    .sign(privateKey);
  const answer = await rail.callAs().post<{ access_token: string }>('/v1/agency-tokens', {
    grant_type: GRANT,
    assertion,
  });
  return { key: registered.name, assertion, value: answer.access_token };
}
