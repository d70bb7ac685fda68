import { randomUUID } from 'node:crypto';
import { SignJWT, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { isDocname } from '../../database/docnames.ts';
import type { Database } from '../../database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Viewer, viewAgency } from '../viewer.ts';
import { type Standing, findStanding, standsAt } from './standing.ts';
import { SIGNING_ALGORITHM, type Signing, TOKEN_SECONDS, openSigningKey } from './signing-keys.ts';

/** The media type of tokens (RFC 9068): nothing else that somebody signed is taken for one. */
const TYPE = 'at+jwt';

const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Form of IDs of the rail's own keys: a thumbprint (RFC 7638). */
const KID = /^[\w-]{43}$/;
const LONGEST_TOKEN = 4_096;

/** Terms of an issued token. */
export interface TokenTerms {
  readonly mda: string;
  /** The docname of the agency's key that asked for it: the token is worth as much as that. */
  readonly agencyKey: string;
  readonly scopes: readonly string[];
}

/** True if a text sent as a key has the form of a token. */
export function isToken(text: string): boolean {
  return FORM.test(text);
}

/** Signs a token of an agency. */
export async function signAgencyToken(
  rail: Signing & { readonly origin: string },
  { mda, agencyKey, scopes }: TokenTerms,
): Promise<string> {
  const { kid, privateKey } = await openSigningKey(rail, 'token');
  const issuedAt = Math.floor(rail.now().getTime() / 1_000);
  return new SignJWT({ mda, scope: scopes.join(' '), agency_key: agencyKey })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TYPE })
    .setIssuer(rail.origin)
    .setAudience(rail.origin)
    .setSubject(mda)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(privateKey);
}

/**
 * Finds who calls by a token: that the rail signed it, for itself, and that the agency's key which it stands on still
 * holds. That is looked up each time, so that a revocation holds from the very next request on every process.
 */
export async function authenticateToken(
  { db, origin }: { readonly db: Database; readonly origin: string },
  token: string,
  now: Date,
): Promise<Viewer> {
  const claimed = readUnproven(token);
  const standing = claimed && (await findStanding(db, claimed));
  if (!standing) throw refuseToken();
  const scopes = await verify(token, standing, origin, now);
  if (!standsAt(standing, now)) throw refuseToken();
  const { mda, name: key } = standing;
  return viewAgency({ mda, key, scopes: standing.scopes.filter((scope) => scopes.has(scope)) });
}

/** The keys that a token says it stands on; nothing of it is proven yet. */
function readUnproven(token: string): { kid: string; agencyKey: string } | null {
  if (token.length > LONGEST_TOKEN) return null;
  try {
    const { kid } = decodeProtectedHeader(token);
    const { agency_key: agencyKey } = decodeJwt(token);
    if (typeof kid !== 'string' || !KID.test(kid)) return null;
    return typeof agencyKey === 'string' && isDocname('agencyKey', agencyKey) ? { kid, agencyKey } : null;
  } catch (error) {
    // Text that cannot be decoded is no token.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/** The scopes of a token that holds. */
async function verify(token: string, standing: Standing, origin: string, now: Date): Promise<ReadonlySet<string>> {
  try {
    const { payload } = await jwtVerify(token, standing.publicKey, {
      algorithms: [SIGNING_ALGORITHM],
      typ: TYPE,
      issuer: origin,
      audience: origin,
      subject: standing.mda,
      requiredClaims: ['iat', 'exp', 'jti', 'mda', 'scope', 'agency_key'],
      currentDate: now,
    });
    return new Set(String(payload['scope']).split(' '));
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuseToken('The token has expired; ask for another');
    if (error instanceof errors.JOSEError) throw refuseToken();
    throw error;
  }
}

function refuseToken(message = 'The token is invalid or revoked; ask for another'): Refusal {
  return new Refusal('unauthenticated', message);
}
