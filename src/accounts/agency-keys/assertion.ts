import { createHash } from 'node:crypto';
import { type JWK, type JWTPayload, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Call } from '../../platform/call/call.ts';
import { type Holding, holdsAt } from '../../platform/access/tokens/standing.ts';
import { guard, statement } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Refusal, refuseProof } from '../../kernel/refusal.ts';
import { AGENCY_CODE } from '../../kernel/text/identifiers.ts';
import { KID, algorithmsOf } from './public-key.ts';

/** Greatest difference of an agency's clock from the rail's. */
const SKEW_SECONDS = 60;
/** Furthest end of an assertion. */
const LONGEST_SECONDS = 300;
const LONGEST_JTI = 255;

/** The key that an assertion was found to be signed with, and what it says. */
export interface Proof {
  readonly key: AssertionKey;
  /** Stored hash of the assertion, so that it counts once. */
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

interface AssertionKey extends Holding {
  readonly name: string;
  readonly mda: string;
  readonly scopes: readonly string[];
  readonly publicKey: JWK;
}

/**
 * Verifies an assertion of an agency (RFC 7523): that a key which counts for it has signed it, for this rail and for
 * now. Where the signature does not hold nothing is said of why: neither which agencies have keys, nor what those are
 * called.
 */
export async function verifyAssertion(call: Call, assertion: string): Promise<Proof> {
  const named = readUnproven(assertion);
  const key = named && (await findKey(call, named));
  if (!key || !holdsAt(key, call.now())) throw refuseGrant();
  const { exp, jti } = await verifyClaims(call, assertion, key);
  const hash = createHash('sha256').update(`${key.mda}\n${jti}`).digest();
  // Longer than it could be used again by any clock.
  return { key, hash, expiresAt: new Date((exp + 2 * SKEW_SECONDS) * 1_000) };
}

/**
 * Takes an assertion for the token that it is good for. Of requests that bring the same one at once, on whichever
 * process, one has it; and none once its key was revoked.
 */
export async function takeAssertion(call: Call, { key, hash, expiresAt }: Proof): Promise<void> {
  const now = call.now();
  const taken = guard`
    insert into agency_assertion (hash, expires_at)
    select ${hash}, ${expiresAt} from agency_key k join mda m on m.name = k.mda
    where k.name = ${key.name} and k.status not in ('waiting', 'revoked') and m.status <> 'Inactive'
    -- The second use of an assertion is refused.
    on conflict do nothing returning hash`;
  const used = sql`
    update agency_key set last_used_at = ${now} where name = ${key.name} and exists (select from ${taken}) returning 1`;
  const row = await call.db.row(statement(used));
  if (!row) throw refuseGrant('the assertion was used before; sign another for each token');
}

/** The key that an assertion claims; nothing of it is proven yet. */
function readUnproven(assertion: string): { mda: string; kid: string } | null {
  try {
    const { kid } = decodeProtectedHeader(assertion);
    const { iss } = decodeJwt(assertion);
    if (typeof iss !== 'string' || !AGENCY_CODE.test(iss)) return null;
    return typeof kid === 'string' && KID.test(kid) ? { mda: iss, kid } : null;
  } catch (error) {
    // Text that cannot be decoded is no assertion.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

function findKey({ db }: Call, { mda, kid }: { mda: string; kid: string }): Promise<AssertionKey | null> {
  return db.row<AssertionKey>(sql`
    select k.name, k.mda, k.scopes, k.public_key as "publicKey", k.status, k.expires_at as "expiresAt",
      m.status as "mdaStatus"
    from agency_key k join mda m on m.name = k.mda where k.mda = ${mda} and k.kid = ${kid}`);
}

async function verifyClaims(
  { origin, now }: Call,
  assertion: string,
  { mda, publicKey }: AssertionKey,
): Promise<{ exp: number; jti: string }> {
  const currentDate = now();
  try {
    const { payload } = await jwtVerify(assertion, publicKey, {
      algorithms: algorithmsOf(publicKey),
      issuer: mda,
      subject: mda,
      audience: [origin, `${origin}/v1/agency-tokens`],
      requiredClaims: ['exp', 'iat', 'jti'],
      clockTolerance: SKEW_SECONDS,
      currentDate,
    });
    return requireSoon(payload, Math.floor(currentDate.getTime() / 1_000));
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuseGrant('the assertion has expired (`exp`)');
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refuseGrant(`the claim \`${error.claim}\` of the assertion is missing or wrong`);
    if (error instanceof errors.JOSEError) throw refuseGrant();
    throw error;
  }
}

/** The claims of an assertion that is meant for this rail alone, and for the next minutes. */
function requireSoon({ aud, exp, iat, jti }: JWTPayload, now: number): { exp: number; jti: string } {
  if (Array.isArray(aud) && aud.length > 1) throw refuseGrant('`aud` has to be this rail alone');
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_JTI)
    throw refuseGrant(`\`jti\` has to be 1 to ${LONGEST_JTI} characters`);
  if (iat! > now + SKEW_SECONDS) throw refuseGrant('`iat` lies in the future');
  if (exp! > now + LONGEST_SECONDS + SKEW_SECONDS)
    throw refuseGrant(`\`exp\` has to be at most ${LONGEST_SECONDS / 60} minutes ahead`);
  return { exp: exp!, jti };
}

function refuseGrant(why = 'the assertion is not signed with a key that is registered for its agency'): Refusal {
  return refuseProof('invalid_grant', `invalid_grant: ${why}`, 'assertion');
}
