import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { type JWK, SignJWT, calculateJwkThumbprint, exportJWK } from 'jose';
import { callOf } from '../../../src/platform/call/call.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import type { AGENCY_SCOPES } from '../../../src/platform/access/needs.ts';
import { registerAgencyKey } from '../../../src/accounts/agency-keys/register.ts';
import type { Answer, TestRail } from '../rail.ts';

export const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Key pairs that agencies have, by the algorithm that they sign with. */
const MAKERS = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

export type AgencyAlgorithm = keyof typeof MAKERS;

/** A key pair of an agency. */
export interface Pair {
  readonly alg: AgencyAlgorithm;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JWK;
  readonly pem: string;
}

export async function makePair(alg: AgencyAlgorithm = 'EdDSA'): Promise<Pair> {
  const { privateKey, publicKey } = MAKERS[alg]();
  const jwk = await exportJWK(publicKey);
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return { alg, kid: await calculateJwkThumbprint(jwk), privateKey, publicKey, jwk, pem };
}

/** Deviations of an assertion from a valid one. A claim that is undefined is left out. */
export interface Deviation {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Seconds by which the agency's clock is ahead. */
  readonly skew?: number;
}

/** An agency with a key that operators registered, as a client. */
export interface AgencyClient {
  readonly mda: string;
  /** The docname of its key. */
  readonly key: string;
  readonly pair: Pair;
  sign(deviation?: Deviation): Promise<string>;
  ask(assertion: string, scope?: string): Promise<Answer>;
  /** A token for an assertion of the moment. */
  token(scope?: string): Promise<string>;
}

/** Signs an assertion as an agency does. */
export function signAssertion(
  rail: TestRail,
  mda: string,
  { alg, kid, privateKey }: Pair,
  { claims, header, skew = 0 }: Deviation = {},
): Promise<string> {
  const now = Math.floor(rail.rail.now().getTime() / 1_000) + skew;
  const standard = {
    iss: mda,
    sub: mda,
    aud: rail.rail.origin,
    iat: now,
    exp: now + 120,
    jti: randomUUID(),
  };
  return new SignJWT({ ...standard, ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}

export function askForToken(rail: TestRail, assertion: string, scope?: string): Promise<Answer> {
  return rail.ask('/v1/agency-tokens', {
    body: { grant_type: GRANT, assertion, ...(scope !== undefined && { scope }) },
  });
}

/** An agency whose public key operators have registered. */
export async function makeAgency(
  rail: TestRail,
  mda = 'URA',
  scopes: readonly (typeof AGENCY_SCOPES)[number][] = ['assessments.read', 'payments.read', 'catalogue.read'],
  alg: AgencyAlgorithm = 'EdDSA',
): Promise<AgencyClient> {
  const pair = await makePair(alg);
  const call = callOf(rail.rail, commandLine, 'register');
  const { name: key } = await registerAgencyKey(call, { agency: mda, publicKey: pair.jwk, scopes, label: 'Test' });
  const client: AgencyClient = {
    mda,
    key,
    pair,
    sign: (deviation) => signAssertion(rail, mda, pair, deviation),
    ask: (assertion, scope) => askForToken(rail, assertion, scope),
    token: async (scope) => (await client.ask(await client.sign(), scope)).data.access_token as string,
  };
  return client;
}
