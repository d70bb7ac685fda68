import { randomUUID } from 'node:crypto';
import { COOKIES, clearingCookie, settingCookie } from '../access/cookies.ts';
import { hashSessionToken, newSessionToken } from '../access/session-token.ts';
import { refuseForeign } from '../access/source.ts';
import { staffMember } from '../access/viewer.ts';
import type { Call } from '../call.ts';
import { sql } from '../database/sql.ts';
import { Refusal } from '../refusal.ts';
import { isPassword } from './password.ts';
import { type Whoami, whoami } from './whoami.ts';

const SESSION_HOURS = 12;
const MOST_FAILURES = 5;
const LOCK_MINUTES = 15;
const LONGEST_PASSWORD = 1_000;

/**
 * Opens a session of staff. Each try is booked before its password is looked at, so that however many come at once, no more are
 * compared than the lock allows. Whoever does not exist is locked and answered like whoever does, and as slowly.
 */
export async function logIn(call: Call, input: { email: string; password: string }): Promise<Whoami> {
  if (call.source.foreign) throw new Refusal('forbidden', 'A page of another origin cannot log anybody in');
  const email = input.email.trim().toLowerCase();
  const address = call.vault.hash('address', `staff\n${email}`);
  const tried = await bookTry(call, address);
  const user = await call.db.row<{ email: string; roles: string[]; hash: string }>(sql`
    select email, roles, password_hash as hash from staff where email = ${email} and active`);
  const known = tried && input.password.length <= LONGEST_PASSWORD ? user : null;
  const right = await isPassword(input.password.slice(0, LONGEST_PASSWORD), known?.hash ?? null);
  if (!right || !known) {
    throw new Refusal(
      'invalid_credentials',
      `The address or the password is wrong; ${MOST_FAILURES} wrong ones lock an address for ${LOCK_MINUTES} minutes`,
    );
  }
  const id = await open(call, known.email, address);
  return whoami({ ...call, viewer: staffMember({ id, ...known }) });
}

/** Counts a try as failed until it has succeeded; false while the address is locked. */
async function bookTry({ db, now }: Call, address: Buffer): Promise<boolean> {
  const at = now();
  const lapsed = new Date(at.getTime() - LOCK_MINUTES * 60_000);
  const lockedUntil = new Date(at.getTime() + LOCK_MINUTES * 60_000);
  const failures = sql`case when f.last_failed_at <= ${lapsed} then 1 else f.failures + 1 end`;
  const booked = await db.row(sql`
    insert into login_failures as f (address, failures, last_failed_at) values (${address}, 1, ${at})
    on conflict (address) do update set failures = ${failures}, last_failed_at = ${at},
      locked_until = case when ${failures} >= ${MOST_FAILURES} then ${lockedUntil}::timestamptz end
    where f.locked_until is null or f.locked_until <= ${at} returning 1`);
  return booked !== null;
}

/** A session under a new secret, whatever cookie the browser came with; the one that it had is over. */
async function open(call: Call, email: string, address: Buffer): Promise<string> {
  const at = call.now();
  const id = randomUUID();
  const cookie = newSessionToken();
  const before = call.viewer.kind === 'staff' ? call.viewer.session : null;
  await call.db.row(sql`
    with opened as (
      insert into staff_session (id, staff, hash, created_at, last_seen_at, expires_at)
      values (${id}, ${email}, ${hashSessionToken(cookie)}, ${at}, ${at}, ${new Date(at.getTime() + SESSION_HOURS * 3_600_000)})
    ), replaced as (
      update staff_session set ended_at = ${at}, ended_by = ${email} where id = ${before}::uuid and ended_at is null
    )
    delete from login_failures where address = ${address}`);
  call.cookies.push(settingCookie(COOKIES.staff, cookie, SESSION_HOURS * 3_600));
  return id;
}

/** Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to end. */
export async function logOutStaff({ db, viewer, now, source, cookies }: Call): Promise<{ message: string }> {
  refuseForeign(source, viewer);
  cookies.push(clearingCookie(COOKIES.staff));
  if (viewer.kind === 'staff') {
    await db.row(
      sql`update staff_session set ended_at = ${now()}, ended_by = ${viewer.actor} where id = ${viewer.session}::uuid and ended_at is null`,
    );
  }
  return { message: 'You are logged out.' };
}
