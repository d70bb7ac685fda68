import type { IncomingMessage } from 'node:http';
import type { Database } from '../database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type CookieName, type Sessions, cookieOf } from './cookies.ts';
import { type KeyRow, findKey } from './find-key.ts';
import { isKey, prefixOf } from './key-format.ts';
import { isSessionToken } from './session-token.ts';
import { type Guessing, findPayer, isLinkToken } from './tokens/link-token.ts';
import { authenticateToken, isToken } from './tokens/agency-token.ts';
import { type Viewer, anonymous, viewKey } from './viewer.ts';

type Mode = 'sandbox' | 'live';

interface Process extends Guessing {
  readonly config: { readonly mode: Mode };
  readonly sessions: Sessions;
  readonly origin: string;
}

/**
 * Finds who calls from a request's headers. No credential makes an anonymous viewer. A key or token that does not hold is a 401
 * on every endpoint; a session that does not hold is none, since browsers send it unasked. All are looked up
 * each time, so that a revocation, a suspension or a logout holds from the very next request on every process.
 * `cookies` are those that count, the first that holds before the others.
 */
export async function authenticate(
  { db, config, sessions, origin, limits }: Process,
  { headers, headersDistinct }: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
  cookies: readonly CookieName[],
  { now, address }: { readonly now: Date; readonly address: string },
): Promise<Viewer> {
  const token = readBearerToken(headersDistinct);
  if (token !== null && isLinkToken(token)) {
    const payer = await findPayer({ db, limits }, token, address);
    if (!payer) throw new Refusal('unauthenticated', NO_SUCH_LINK);
    return payer;
  }
  if (token !== null)
    return isToken(token)
      ? authenticateToken({ db, origin }, token, now)
      : authenticateKey(db, config.mode, token, now);
  for (const name of cookies) {
    const value = cookieOf({ origin }, headers, name);
    const found = value !== null && isSessionToken(value) ? await sessions[name](db, value, now) : null;
    if (found) return found;
  }
  return anonymous;
}

const NO_SUCH_LINK = 'There is no payment link with this token';
const NO_SUCH_KEY = 'The key is unknown, revoked or expired';

/**
 * A key that no longer holds was shown. Its caller gets the same answer as for an unknown key; the log of its
 * account says more.
 */
export class DeadKey extends Refusal {
  readonly holder: Viewer;

  constructor({ name, integrator }: Pick<KeyRow, 'name' | 'integrator'>) {
    super('unauthenticated', NO_SUCH_KEY);
    this.holder = { ...anonymous, integrator, key: name };
  }
}

async function authenticateKey(db: Database, mode: Mode, token: string, now: Date): Promise<Viewer> {
  const own = token.startsWith(prefixOf(mode));
  // A key that counts is not to be tried out. One for trying things out is known to the live rail that issued it.
  if (isKey(token) && !own && mode === 'sandbox') throw refuseForeignKey(mode);
  const row = isKey(token) ? await findKey(db, token) : null;
  if (!row) throw isKey(token) && !own ? refuseForeignKey(mode) : new Refusal('unauthenticated', NO_SUCH_KEY);
  if (!holdsNow(row, now)) throw new DeadKey(row);
  // With any kind of key, an account that is not live may only try a live rail out.
  const trial = mode === 'live' && (!own || row.tier !== 'live');
  const { origins, operations, agencies } = row;
  const browser = origins.length > 0 ? { origins, operations, agencies } : null;
  return viewKey(row, { account: row, trial, browser });
}

function refuseForeignKey(mode: Mode): Refusal {
  return new Refusal(
    'unauthenticated',
    `This rail is in ${mode} mode and accepts keys that begin with ${prefixOf(mode)}`,
  );
}

function readBearerToken(headers: IncomingMessage['headersDistinct']): string | null {
  const given = [headers['authorization'], headers['x-service-authorization']].filter((values) => values !== undefined);
  if (given.some(({ length }) => length > 1))
    throw new Refusal('unauthenticated', 'Send only one credential, in one header');
  const tokens = new Set(given.flat().map((value) => /^Bearer +(\S+) *$/i.exec(value)?.[1] ?? ''));
  if (tokens.size > 1)
    throw new Refusal('unauthenticated', 'Authorization and X-Service-Authorization carry different credentials');
  for (const token of tokens) return token;
  return null;
}

function holdsNow(key: KeyRow, now: Date): boolean {
  if (key.integratorStatus !== 'Active' || key.status === 'revoked' || key.status === 'waiting') return false;
  return key.expiresAt === null || key.expiresAt > now;
}
