import { isOver } from '../../platform/reading/ends.ts';
import { hashPair, isKnown, rememberNetwork } from '../../platform/call/networks.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { DAY_MS } from '../../kernel/time.ts';

const MOST_FAILURES = 5;

/** Most tries within the minutes of the lock: by one network, and by all of them together. */
interface Bounds {
  readonly here: number;
  readonly anywhere: number;
}

/** More than people mistype, and far fewer than guessing takes. */
const FAILURES: Bounds = { here: MOST_FAILURES, anywhere: 50 };
const LOCK_MINUTES = 15;
/** Name of the quota of failed attempts. */
export const LOCK = 'login';

/** The rule of the lock, for messages. */
export const LOCK_RULE = `after ${MOST_FAILURES} failed attempts the login is locked for ${LOCK_MINUTES} minutes`;

/** A try at a password or code, which was booked as failed until it is known better. */
export interface Attempt {
  /** Keys that failures are counted under: an address as one network tries it, and as all do. */
  readonly pair: Buffer;
  readonly everywhere: Buffer;
  /** True if its password or code may be checked. */
  readonly allowed: boolean;
  /** True if it counts against the bound for all networks together. */
  readonly counted: boolean;
  /** Until when the login is locked, where nothing may be looked at. */
  readonly lockedUntil: Date | null;
}

/**
 * Counts a try as failed until it has succeeded: for the network that it comes from, and for all of them together.
 * Passwords and codes count as one. A network that is locked out locks nobody else out; where so many have failed that
 * all are, those that the person is known to use are not.
 */
export function recordAttempt(call: Call, email: string): Promise<Attempt> {
  return count(call, hashPair(call, `staff\n${email}`), hashHolder(call, email), FAILURES);
}

/** Counts in the same way how often a reset of a password is asked for, each of which is a letter. */
export function recordReset(call: Call, email: string): Promise<Attempt> {
  const of = `staff reset\n${email}`;
  return count(call, hashPair(call, of), call.vault.hash('address', of), { here: 3, anywhere: 5 });
}

async function count(call: Call, pair: Buffer, everywhere: Buffer, most: Bounds): Promise<Attempt> {
  const lockOf = (address: Buffer) =>
    sql`(select locked_until from login_failures where address = ${address}
      and not ${isOver(sql`locked_until`, call.now(), LOCK_MINUTES * 60)})`;
  const booked = await call.db.row<Pick<Attempt, 'allowed' | 'counted' | 'lockedUntil'>>(sql`
    with here as (${countFailure(call, sql`(select ${pair}::bytea as address)`, most.here)}),
    anywhere as (${countFailure(call, sql`(select ${everywhere}::bytea as address from here)`, most.anywhere)})
    select exists (select from here) and (exists (select from anywhere) or ${isKnown(call, everywhere)}) as allowed,
      exists (select from anywhere) as counted, coalesce(${lockOf(pair)}, ${lockOf(everywhere)}) as "lockedUntil"`);
  return { ...booked!, pair, everywhere };
}

/** The same for a password or code that somebody gives who is logged in already. */
export async function requireAttempt(call: Call, email: string): Promise<Attempt> {
  const attempt = await recordAttempt(call, email);
  if (attempt.allowed) return attempt;
  throw refuseLocked(call, attempt);
}

/** The refusal of all tries while a login is locked, which says when to try again. */
export function refuseLocked({ now }: Pick<Call, 'now'>, { lockedUntil }: Attempt): Refusal {
  const until = lockedUntil?.getTime() ?? now().getTime() + LOCK_MINUTES * 60_000;
  const resetSeconds = Math.max(1, Math.ceil((until - now().getTime()) / 1_000));
  const message = `The login is locked: ${LOCK_RULE}; try again in ${resetSeconds} s`;
  const windowSeconds = LOCK_MINUTES * 60;
  const quota = { name: LOCK, most: MOST_FAILURES, windowSeconds, remaining: 0, resetSeconds };
  return new Refusal('invalid_credentials', message, [], quota);
}

/** The name of a member of staff on every network. */
export function hashHolder({ vault }: Pick<Call, 'vault'>, email: string): Buffer {
  return vault.hash('address', `staff\n${email}`);
}

/**
 * Counts one more failure for each address of a relation that is not locked, and locks it from so many on; answers
 * those it counted.
 */
function countFailure({ now }: Call, addresses: Sql, most: number): Sql {
  const at = now();
  const lapsed = new Date(at.getTime() - LOCK_MINUTES * 60_000);
  const lockedUntil = new Date(at.getTime() + LOCK_MINUTES * 60_000);
  const failures = sql`case when f.last_failed_at <= ${lapsed} then 1 else f.failures + 1 end`;
  return sql`
    insert into login_failures as f (address, failures, last_failed_at) select address, 1, ${at} from ${addresses} a
    on conflict (address) do update set failures = ${failures}, last_failed_at = ${at},
      locked_until = case when ${failures} >= ${most} then ${lockedUntil}::timestamptz end
    where f.locked_until is null or ${isOver(sql`f.locked_until`, at, LOCK_MINUTES * 60)} returning 1`;
}

/** The steps that forgive the failures of a network, with what proved that the person is there. */
export function forgive(call: Call, { pair, everywhere, counted }: Attempt, proved: Step): Step[] {
  return [
    step('forgiven')`delete from login_failures where address = ${pair} and exists (select from ${proved})`,
    step('uncounted')`
      update login_failures set failures = failures - 1, locked_until = null
      where address = ${everywhere} and ${counted} and exists (select from ${proved})`,
    rememberNetwork(call, sql`(select ${everywhere}::bytea as holder from ${proved} limit 1) proved`),
  ];
}

/** Takes back a try that was not wrong, but not enough either: those before it stay counted. */
export async function takeBack({ db }: Call, { pair, everywhere, counted }: Attempt): Promise<void> {
  await db.rows(sql`
    update login_failures set failures = failures - 1, locked_until = null
    where address = ${pair} or (address = ${everywhere} and ${counted})`);
}

/** Forgets failures of yesterday; how many. */
export async function purgeFailures(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - DAY_MS);
  return purgeRows(purging, 'login_failures', sql`last_failed_at < ${before}`);
}
