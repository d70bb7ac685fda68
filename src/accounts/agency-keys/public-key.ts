import { type KeyObject, createPublicKey } from 'node:crypto';
import { type JWK, calculateJwkThumbprint } from 'jose';
import { refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';

/** A public key as it is kept. */
export interface PublicKey {
  /** Its public members alone, in their canonical form (RFC 7517). */
  readonly jwk: JWK;
  /** By which assertions name it: its own `kid`, or else its thumbprint. */
  readonly kid: string;
  /** The same however the key was written (RFC 7638). */
  readonly thumbprint: string;
}

const MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'alg'];
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const PEM = /^-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----$/;
/** Form of a key's ID. */
export const KID = /^[\x21-\x7e]{1,200}$/;
const LONGEST = 16_384;
const RSA_BITS = { fewest: 2_048, most: 8_192 };
const RSA_EXPONENT = 65_537n;

/** The algorithms that assertions under a key may be signed with: those of its type, or the one that it names. */
export function algorithmsOf({ kty, alg }: JWK): string[] {
  const possible = { OKP: ['EdDSA'], EC: ['ES256'], RSA: ['PS256', 'RS256'] }[String(kty)] ?? [];
  return alg === undefined ? possible : possible.filter((algorithm) => algorithm === alg);
}

/**
 * Reads a public key: PEM, a JSON Web Key, or a set of one, as an object or as text. A private key is refused in any
 * case, and no refusal repeats what was sent.
 */
export async function readPublicKey(path: string, input: unknown): Promise<PublicKey> {
  const given = typeof input === 'string' ? readWritten(path, input.trim()) : input;
  const { key, kid, alg } = typeof given === 'string' ? { key: open(path, given) } : readJwk(path, given);
  const jwk = publicMembersOf({ ...(key.export({ format: 'jwk' }) as JWK), ...(alg !== undefined && { alg }) });
  if (algorithmsOf(jwk).length === 0) throw refuseKind(path);
  const thumbprint = await calculateJwkThumbprint(jwk);
  return { jwk, kid: kid ?? thumbprint, thumbprint };
}

/** The public members of a key, in one order. */
export function publicMembersOf(jwk: Readonly<Record<string, unknown>>): JWK {
  const present = MEMBERS.filter((member) => jwk[member] !== undefined);
  return Object.fromEntries(present.map((member) => [member, jwk[member]]));
}

/** A text that is no PEM is JSON. */
function readWritten(path: string, text: string): unknown {
  if (text.length > LONGEST) throw refuseValue(path, say`must be at most ${LONGEST} characters`);
  if (/PRIVATE KEY/.test(text)) throw refusePrivate(path);
  if (PEM.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuseForm(path);
  }
}

function readJwk(path: string, given: unknown): { key: KeyObject; kid?: string; alg?: string } {
  const jwk = onlyMemberOf(path, given);
  if (SECRET_MEMBERS.some((member) => Object.hasOwn(jwk, member)) || jwk['kty'] === 'oct') throw refusePrivate(path);
  const { kid, alg, use } = jwk;
  if (use !== undefined && use !== 'sig') throw refuseValue(path, say`must be a key for signatures (\`use\`: \`sig\`)`);
  if (kid !== undefined && (typeof kid !== 'string' || !KID.test(kid)))
    throw refuseValue(path, say`must have a \`kid\` of 1 to 200 visible ASCII characters, or none`);
  if (alg !== undefined && typeof alg !== 'string') throw refuseKind(path);
  return { key: open(path, jwk), ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) };
}

/** A single key, or the one of a set. */
function onlyMemberOf(path: string, given: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(given)) throw refuseForm(path);
  const { keys } = given;
  if (keys === undefined) return given;
  const [only, ...others] = Array.isArray(keys) ? (keys as unknown[]) : [];
  if (!isObject(only) || others.length > 0) throw refuseValue(path, say`must be a set of exactly one key`);
  return only;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The key itself; refused where it is none, or too weak. */
function open(path: string, given: string | Readonly<Record<string, unknown>>): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey(
      typeof given === 'string' ? { key: given, format: 'pem', type: 'spki' } : { key: { ...given }, format: 'jwk' },
    );
  } catch {
    throw refuseForm(path);
  }
  const { namedCurve, modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return key;
    case 'ec':
      if (namedCurve === 'prime256v1') return key;
      break;
    case 'rsa':
      if (modulusLength < RSA_BITS.fewest || modulusLength > RSA_BITS.most)
        throw refuseValue(path, say`must have ${RSA_BITS.fewest} to ${RSA_BITS.most} bits`);
      if (publicExponent !== RSA_EXPONENT) throw refuseValue(path, say`must have the exponent ${RSA_EXPONENT}`);
      return key;
  }
  throw refuseKind(path);
}

function refuseForm(path: string) {
  return refuseValue(path, say`must be a public key: PEM (\`BEGIN PUBLIC KEY\`), a JSON Web Key, or a set of one`);
}

function refuseKind(path: string) {
  return refuseValue(path, say`must be a key for EdDSA (Ed25519), ES256, PS256 or RS256`);
}

function refusePrivate(path: string) {
  return refuseValue(
    path,
    say`must be a public key, and this is a private or secret one. It was not stored; do not use it any more, and generate another key pair`,
  );
}
