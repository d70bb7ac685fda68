import { createHash } from 'node:crypto';
import { LOG_IN_COOKIE, clearCookie, setCookie } from '../../platform/access/cookies.ts';
import type { Call } from '../../platform/call/call.ts';

/** Minutes for which somebody may look for their code. */
const MINUTES = 5;

/** A login whose password was right, that password, and its end. */
interface HalfWay {
  readonly email: string;
  readonly password: string;
  readonly until: number;
}

/** A password as a login that waits remembers it: by its hash's hash, so that another password makes it void. */
const fingerprint = (passwordHash: string) => createHash('sha256').update(passwordHash).digest('base64url');

/** Hands the browser, as a cookie, what its login has shown so far: sealed, so that this rail alone makes and reads it. */
export function keepHalfWay(call: Call, email: string, passwordHash: string): string {
  const until = call.now().getTime() + MINUTES * 60_000;
  const halfWay: HalfWay = { email, password: fingerprint(passwordHash), until };
  const value = call.vault.seal('log_in', LOG_IN_COOKIE, JSON.stringify(halfWay)).toString('base64url');
  call.transport.cookies.push(setCookie(call, LOG_IN_COOKIE, value, MINUTES * 60));
  return value;
}

/** Login that waits for a code; null if it is too old, or was never begun. */
export function readHalfWay({ vault, now }: Call, cookie: string): HalfWay | null {
  const text = vault.open('log_in', LOG_IN_COOKIE, Buffer.from(cookie, 'base64url'));
  const halfWay = text === null ? null : (JSON.parse(text) as HalfWay);
  return halfWay && halfWay.until > now().getTime() ? halfWay : null;
}

/** True if a password is still the one that was shown. */
export function isStill({ password }: HalfWay, passwordHash: string): boolean {
  return fingerprint(passwordHash) === password;
}

export function dropHalfWay(call: Pick<Call, 'transport' | 'origin'>): void {
  call.transport.cookies.push(clearCookie(call, LOG_IN_COOKIE));
}
