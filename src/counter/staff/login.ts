import type { LoggedOut } from '../../accounts/sessions/schema.ts';
import { COOKIES, clearCookie } from '../../platform/access/cookies.ts';
import { refuseForeignOrigin } from '../../platform/call/source.ts';
import { refuseAllButStaff, showsBearer, viewStaff } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LOCK_RULE, forgive, recordAttempt } from './attempts.ts';
import { mustEnrol } from './authenticate.ts';
import { isPassword } from './passwords/hash.ts';
import { LONGEST_PASSWORD } from './passwords/rules.ts';
import { findSecondFactor, proveSecondFactor, refuseWrongCode } from './second-factor/prove.ts';
import { endStaffSession } from './sessions/end.ts';
import { openStaffSession } from './sessions/open.ts';
import { flagBreakGlass } from './single-sign-on/break-glass.ts';
import { findSignOutUrl } from './single-sign-on/sign-out.ts';
import { type Whoami, identifyCaller } from './whoami.ts';

/** What somebody logs in by. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of their second factor, where they have one. */
  readonly code?: string | null | undefined;
}

/**
 * Opens a session of staff. Each try is booked before its password is looked at, so that however many come at once, no
 * more are compared than the lock allows. Whoever does not exist is locked and answered like whoever does, and as
 * slowly. Whoever knows the password learns whether a code is asked for beside it.
 */
export async function logIn(call: Call, input: Credentials): Promise<Whoami> {
  if (showsBearer(call.viewer)) throw refuseAllButStaff();
  if (call.source.foreign) throw new Refusal('forbidden', 'Logging in from a page of another origin is not allowed');
  const email = input.email.trim().toLowerCase();
  const attempt = await recordAttempt(call, email);
  // With single sign-on, a password is for emergencies alone; everybody else is answered like whoever does not exist.
  const open = call.config.singleSignOn ? sql`u.break_glass` : sql`true`;
  const user = await call.db.row<{ email: string; roles: string[]; agencies: string[]; hash: string | null }>(sql`
    select email, roles, agencies, password_hash as hash from staff u where email = ${email} and active and ${open}`);
  const known = attempt.allowed && input.password.length <= LONGEST_PASSWORD ? user : null;
  const right = await isPassword(input.password.slice(0, LONGEST_PASSWORD), known?.hash ?? null);
  if (!right || !known) throw refuseCredentials(call.config);
  const factor = await findSecondFactor(call, known.email);
  const secondFactor = factor !== null;
  const id = await openStaffSession(call, {
    email: known.email,
    secondFactor,
    // Whoever changes the password meanwhile, or enrols a second factor, is the one who is right.
    provided: sql`u.password_hash = ${known.hash} and ${open} and exists (
      select from staff_second_factor f where f.staff = u.email and f.confirmed_at is not null) = ${secondFactor}`,
    proof: factor && (await proveSecondFactor(call, factor, input.code, attempt)),
    beside: async (opened, session) => [
      ...forgive(call, attempt, opened),
      ...(await flagBreakGlass(call, opened, session, known.email)),
    ],
  });
  if (id === null) throw factor ? refuseWrongCode() : refuseCredentials(call.config);
  const session = { id, ...known, mustEnrol: mustEnrol(call.config, { ...known, secondFactor }) };
  return identifyCaller({ ...call, viewer: viewStaff(session) });
}

function refuseCredentials({ singleSignOn }: Call['config']): Refusal {
  const hint = singleSignOn ? '; staff sign in at their identity provider, by /signin/sso' : '';
  return new Refusal('invalid_credentials', `The e-mail address or password is wrong; ${LOCK_RULE}${hint}`);
}

/**
 * Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to
 * end.
 */
export async function logOutStaff(call: Call): Promise<LoggedOut> {
  const { db, viewer, now, source, cookies } = call;
  refuseForeignOrigin(source, viewer);
  cookies.push(clearCookie(COOKIES.staff));
  const message = 'You have logged out.';
  if (viewer.kind !== 'staff') return { message };
  const ended = await db.row<{ signedOn: boolean }>(endStaffSession(viewer.session, viewer.actor, now()));
  return { message, signOutUrl: ended?.signedOn ? await findSignOutUrl(call) : null };
}
