import { randomUUID } from 'node:crypto';
import { COOKIES, clearCookie, setCookie } from '../../platform/access/cookies.ts';
import { hashSessionToken, makeSessionToken } from '../../platform/access/session-token.ts';
import { isKnown, hashPair, rememberNetwork } from '../../platform/call/networks.ts';
import { refuseForeignOrigin } from '../../platform/call/source.ts';
import { refuseAllButStaff, viewStaff } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { statement, step } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { endStaffSession } from './end.ts';
import { isPassword } from './password.ts';
import { type Whoami, identifyCaller } from './whoami.ts';

const SESSION_HOURS = 12;
/** Of one network. */
const MOST_FAILURES = 5;
/** Of all networks together: more than people mistype, and far fewer than guessing takes. */
const MOST_FAILURES_ANYWHERE = 50;
const LOCK_MINUTES = 15;
const LONGEST_PASSWORD = 1_000;

/** What failures are counted under: an address as one network tries it, and as all do. */
interface Counted {
  readonly pair: Buffer;
  readonly everywhere: Buffer;
}

/**
 * Opens a session of staff. Each try is booked before its password is looked at, so that however many come at once, no
 * more are compared than the lock allows. Whoever does not exist is locked and answered like whoever does, and as
 * slowly.
 */
export async function logIn(call: Call, input: { email: string; password: string }): Promise<Whoami> {
  if (call.viewer.kind === 'key') throw refuseAllButStaff();
  if (call.source.foreign) throw new Refusal('forbidden', 'Logging in from a page of another origin is not allowed');
  const email = input.email.trim().toLowerCase();
  const counted: Counted = {
    pair: hashPair(call, `staff\n${email}`),
    everywhere: call.vault.hash('address', `staff\n${email}`),
  };
  const tried = await recordAttempt(call, counted);
  const user = await call.db.row<{ email: string; roles: string[]; agencies: string[]; hash: string }>(sql`
    select email, roles, agencies, password_hash as hash from staff where email = ${email} and active`);
  const known = tried.allowed && input.password.length <= LONGEST_PASSWORD ? user : null;
  const right = await isPassword(input.password.slice(0, LONGEST_PASSWORD), known?.hash ?? null);
  if (!right || !known) {
    throw new Refusal(
      'invalid_credentials',
      `The e-mail address or password is wrong; after ${MOST_FAILURES} failed attempts the login is locked for ${LOCK_MINUTES} minutes`,
    );
  }
  const id = await open(call, known.email, counted, tried);
  return identifyCaller({ ...call, viewer: viewStaff({ id, ...known }) });
}

/** A try that was booked as failed, until it is known better. */
interface Try {
  /** Whether its password may be looked at. */
  readonly allowed: boolean;
  /** Whether it counts against the bound for all networks together. */
  readonly counted: boolean;
}

/**
 * Counts a try as failed until it has succeeded: for the network that it comes from, and for all of them together. A
 * network that is locked out locks nobody else out; where so many have failed that all are, those that the person is
 * known to use are not.
 */
async function recordAttempt(call: Call, { pair, everywhere }: Counted): Promise<Try> {
  const booked = await call.db.row<Try & { known: boolean }>(sql`
    with here as (${countFailure(call, sql`(select ${pair}::bytea as address)`, MOST_FAILURES)}),
    anywhere as (${countFailure(call, sql`(select ${everywhere}::bytea as address from here)`, MOST_FAILURES_ANYWHERE)})
    select exists (select from here) and (exists (select from anywhere) or ${isKnown(call, everywhere)}) as allowed,
      exists (select from anywhere) as counted`);
  return booked!;
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
    where f.locked_until is null or f.locked_until <= ${at} returning 1`;
}

/** A session under a new secret, whatever cookie the browser came with; the one that it had is over. */
async function open(call: Call, email: string, { pair, everywhere }: Counted, tried: Try): Promise<string> {
  const at = call.now();
  const id = randomUUID();
  const cookie = makeSessionToken();
  const before = call.viewer.kind === 'staff' ? call.viewer.session : null;
  const opened = step('opened')`
    insert into staff_session (id, staff, hash, created_at, last_seen_at, expires_at)
    values (${id}, ${email}, ${hashSessionToken(cookie)}, ${at}, ${at},
      ${new Date(at.getTime() + SESSION_HOURS * 3_600_000)})`;
  const replaced = step('replaced')`${endStaffSession(before, email, at)}`;
  const uncounted = step('uncounted')`
    update login_failures set failures = failures - 1, locked_until = null where address = ${everywhere}
      and ${tried.counted}`;
  const known = rememberNetwork(call, sql`(select ${everywhere}::bytea as holder) proved`);
  const forgiven = sql`delete from login_failures where address = ${pair}`;
  await call.db.row(statement(forgiven, [opened, replaced, known, uncounted]));
  call.cookies.push(setCookie(COOKIES.staff, cookie, SESSION_HOURS * 3_600));
  return id;
}

/**
 * Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to
 * end.
 */
export async function logOutStaff({ db, viewer, now, source, cookies }: Call): Promise<{ message: string }> {
  refuseForeignOrigin(source, viewer);
  cookies.push(clearCookie(COOKIES.staff));
  if (viewer.kind === 'staff') {
    await db.row(endStaffSession(viewer.session, viewer.actor, now()));
  }
  return { message: 'You have logged out.' };
}
