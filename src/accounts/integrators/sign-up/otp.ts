import { randomInt } from 'node:crypto';
import type { Vault } from '../../../platform/access/vault.ts';
import { LEEWAY_SECONDS, isOver } from '../../../platform/reading/ends.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type Quota, type Refusal, refuseValue, refuseBeyondQuota } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { readCopied } from '../../../kernel/text/typed.ts';

/** Lifetime of a code; each one sent starts again. */
export const OTP_TTL_MS = 15 * 60_000;
/** The least time between two mails to one recipient. */
export const SEND_INTERVAL_MS = 60_000;
export const MOST_SENDS_A_DAY = 5;
export const MOST_FAILED_A_DAY = 5;

const DAY_SECONDS = 86_400;

/** A new one-time code: six digits, all equally likely. */
export function makeOtp(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

export function requireOtp(value: string): string {
  const otp = readCopied(value);
  if (!/^\d{6}$/.test(otp)) throw refuseValue('otp', say`must be 6 digits`);
  return otp;
}

/** Stored hash of a code: six digits can be searched, so it is keyed, and bound to the code's owner. */
export function hashOtp(vault: Vault, integrator: string, otp: string): Buffer {
  return vault.hash('otp', `${integrator}\n${otp}`);
}

/** The UTC day of a moment: what daily limits count by. */
export function isoDayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Mails sent to somebody so far. */
export interface Sends {
  readonly day: string | null;
  readonly today: number;
  readonly lastAt: Date | null;
}

/** Reason why no mail can be sent now, or null: one a minute, and five a UTC day. */
export function findSendRefusal(name: string, sends: Sends, at: Date): Refusal | null {
  if (sends.day === isoDayOf(at) && sends.today >= MOST_SENDS_A_DAY)
    return refuseUntilTomorrow(name, MOST_SENDS_A_DAY, 'mails', at);
  const waitMs = sends.lastAt === null ? 0 : sends.lastAt.getTime() + SEND_INTERVAL_MS - at.getTime();
  // One that was sent later than now was sent before the clock was set back.
  if (waitMs <= 0 || waitMs > SEND_INTERVAL_MS + LEEWAY_SECONDS * 1_000) return null;
  const resetSeconds = Math.ceil(waitMs / 1_000);
  const quota: Quota = {
    name: `${name}-interval`,
    most: 1,
    windowSeconds: SEND_INTERVAL_MS / 1_000,
    remaining: 0,
    resetSeconds,
  };
  return refuseBeyondQuota(`At most one e-mail a minute; try again in ${resetSeconds} s`, quota);
}

/** True if a mail can be sent after one that was sent at a moment. */
export function isSendable(lastAt: Sql, at: Date): Sql {
  const seconds = SEND_INTERVAL_MS / 1_000;
  return isOver(sql`${lastAt} + ${seconds} * interval '1 second'`, at, seconds);
}

/** A refusal until the UTC day is over. */
export function refuseUntilTomorrow(name: string, most: number, what: string, at: Date): Refusal {
  const resetSeconds = Math.max(1, DAY_SECONDS - Math.floor((at.getTime() / 1_000) % DAY_SECONDS));
  return refuseBeyondQuota(`At most ${most} ${what} a day; try again after midnight UTC`, {
    name,
    most,
    windowSeconds: DAY_SECONDS,
    remaining: 0,
    resetSeconds,
  });
}
