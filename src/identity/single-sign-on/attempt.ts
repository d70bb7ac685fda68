import { hkdfSync } from 'node:crypto';
import type { SignOnChecks } from '../../adapters/sign-on/port.ts';
import { SIGN_ON_COOKIE, clearCookie, setCookie } from '../../platform/access/cookies.ts';
import { hashSessionToken, isSessionToken, makeSessionToken } from '../../platform/access/session-token.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { sql } from '../../platform/database/sql.ts';

/** Minutes that somebody may take at the provider. */
const ATTEMPT_MINUTES = 10;
const CHECK_BYTES = 32;

/** A sign-in that a browser begins: its cookie is the secret from which all that ties the answer to it is derived. */
export function makeAttempt(): string {
  return makeSessionToken();
}

/** True if a cookie has the form of one. */
export function isAttempt(cookie: string): boolean {
  return isSessionToken(cookie);
}

/** Values of the question to the provider, and those that its answer has to show. */
export function checksOf(attempt: string): SignOnChecks {
  const derive = (check: string) =>
    Buffer.from(hkdfSync('sha256', attempt, 'revenue-rail sign-on', check, CHECK_BYTES)).toString('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/** Remembers an attempt, and hands its cookie to the browser. */
export async function storeAttempt(call: Call, attempt: string, returnTo: string): Promise<void> {
  const at = call.now();
  await call.db.rows(sql`
    insert into sign_on_attempt (hash, return_to, created_at, expires_at)
    values (${hashSessionToken(attempt)}, ${returnTo}, ${at}, ${new Date(at.getTime() + ATTEMPT_MINUTES * 60_000)})`);
  call.transport.cookies.push(setCookie(call, SIGN_ON_COOKIE, attempt, ATTEMPT_MINUTES * 60));
}

/** Uses an attempt up, and answers where its browser wanted to go; null where it was used before, or is too old. */
export async function takeAttempt(call: Call, attempt: string): Promise<string | null> {
  call.transport.cookies.push(clearCookie(call, SIGN_ON_COOKIE));
  const row = await call.db.row<{ returnTo: string; expiresAt: Date }>(sql`
    delete from sign_on_attempt where hash = ${hashSessionToken(attempt)}
    returning return_to as "returnTo", expires_at as "expiresAt"`);
  return row && row.expiresAt > call.now() ? row.returnTo : null;
}

/** Forgets attempts that nobody came back with; how many. */
export async function purgeAttempts(purging: Purging): Promise<number> {
  return purgeRows(purging, 'sign_on_attempt', sql`expires_at < ${purging.now()}`);
}
