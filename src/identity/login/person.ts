import { refuseAllButStaff, showsBearer, viewStaff } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readTyped } from '../../kernel/text/typed.ts';
import { type Attempt, LOCK_RULE, forgive, recordAttempt, refuseLocked } from '../attempts/attempts.ts';
import { mustEnrol } from '../sessions/authenticate.ts';
import { isPassword } from '../passwords/hash.ts';
import { LONGEST_PASSWORD } from '../passwords/rules.ts';
import { holdsSecondFactor } from '../staff/held.ts';
import { type SecondFactor, type Shown, proveSecondFactor, refuseProof } from '../second-factor/prove.ts';
import { forgetWrongCodes } from '../second-factor/wrong-codes.ts';
import { openStaffSession } from '../sessions/open.ts';
import { flagBreakGlass } from '../single-sign-on/break-glass.ts';
import { type Whoami, identifyCaller } from './whoami.ts';

/** An active member of staff who may log in by password. */
export interface Person {
  readonly email: string;
  readonly roles: string[];
  readonly agencies: string[];
  /** The hash of their password. */
  readonly hash: string;
}

/** Logins are for people in browsers of their own: not for who shows a key, and not for pages of other sites. */
export function refuseOthers({ viewer, transport: { source } }: Call): void {
  if (showsBearer(viewer)) throw refuseAllButStaff();
  if (source.foreign) throw new Refusal('forbidden', 'Logging in from a page of another origin is not allowed');
}

/** Person with an address; null if nobody may log in by it. With single sign-on, passwords are for emergencies. */
export async function findPerson(call: Call, email: string): Promise<Person | null> {
  const row = await call.db.row<Omit<Person, 'hash'> & { hash: string | null }>(sql`
    select email, roles, agencies, password_hash as hash from staff u where email = ${email} and active and ${open(call)}`);
  return row?.hash ? { ...row, hash: row.hash } : null;
}

const open = ({ config }: Call): Sql => (config.singleSignOn ? sql`u.break_glass` : sql`true`);

/**
 * Person with an address and a password. Each try is booked before its password is checked, so that however many come
 * at once, no more are compared than the lock allows. Unknown people are locked and answered like known ones, and as
 * slowly.
 */
export async function provePassword(
  call: Call,
  input: { readonly email: string; readonly password: string },
): Promise<{ readonly person: Person; readonly attempt: Attempt }> {
  const email = readTyped(input.email).toLowerCase();
  const attempt = await recordAttempt(call, email);
  const found = await findPerson(call, email);
  const person = attempt.allowed && input.password.length <= LONGEST_PASSWORD ? found : null;
  const right = await isPassword(input.password.slice(0, LONGEST_PASSWORD), person?.hash ?? null);
  if (!attempt.allowed) throw refuseLocked(call, attempt);
  if (!right || !person) throw refuseCredentials(call);
  return { person, attempt };
}

/** Opens the session of somebody whose password was right, with a proof of their second factor, where they have one. */
export async function openSession(
  call: Call,
  person: Person,
  attempt: Attempt,
  { factor, ...shown }: Shown & { readonly factor: SecondFactor | null },
): Promise<Whoami> {
  const secondFactor = factor !== null;
  const proof = factor && (await proveSecondFactor(call, factor, shown, attempt));
  const id = await openStaffSession(call, {
    email: person.email,
    secondFactor,
    // A change of the password or a new second factor meanwhile wins.
    provided: sql`u.password_hash = ${person.hash} and ${open(call)}
      and ${holdsSecondFactor(sql`u.email`)} = ${secondFactor}`,
    proof,
    also: async (opened, session) => [
      ...forgive(call, attempt, opened),
      ...(proof ? [forgetWrongCodes(proof)] : []),
      ...(await flagBreakGlass(call, opened, session, person.email)),
    ],
  });
  if (id === null) throw factor ? await refuseProof(call, person.email) : refuseCredentials(call);
  const session = { id, ...person, mustEnrol: mustEnrol(call.config, { ...person, secondFactor }) };
  return identifyCaller({ ...call, viewer: viewStaff(session) });
}

function refuseCredentials({ config }: Call): Refusal {
  const hint = config.singleSignOn ? '; staff sign in at their identity provider, by /signin/sso' : '';
  return new Refusal('invalid_credentials', `The e-mail address or password is wrong; ${LOCK_RULE}${hint}`);
}
