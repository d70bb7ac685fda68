import { randomBytes } from 'node:crypto';
import { callByOperator } from '../../platform/call/operator.ts';
import { ROLES, type Role, isRole } from '../../platform/access/needs.ts';
import type { Rail } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { requireName } from '../../kernel/text/names.ts';
import { hashPassword } from '../passwords/hash.ts';
import { requirePassword } from '../passwords/rules.ts';
import { reportRoles } from '../grants/roles.ts';
import { endSessionsOf } from '../sessions/end.ts';
import { say } from '../../kernel/text/said.ts';

export interface NewStaff {
  readonly email: string;
  readonly roles: readonly Role[];
  /** The codes of those that they are bound to; empty: all. */
  readonly agencies: readonly string[];
  /** Set where one was made up. */
  readonly password: string | null;
}

/** Makes a member of staff, or gives one new roles, agencies, name and password; every session of theirs ends. */
export async function addStaff(
  rail: Rail,
  input: {
    email: string;
    name: string;
    roles: readonly string[];
    agencies?: readonly string[] | undefined;
    password?: string | undefined;
    /** Hash of a password that was made up for several at once. */
    passwordHash?: string | undefined;
    breakGlass?: boolean | undefined;
  },
): Promise<NewStaff> {
  const email = requireEmail('email', input.email);
  const name = requireName('name', input.name);
  const roles = [...new Set(input.roles)];
  if (roles.length === 0 || !roles.every(isRole)) throw refuseValue('role', say`must be among ${ROLES.join(', ')}`);
  const agencies = [...new Set(input.agencies)].toSorted();
  await refuseUnknownAgencies(rail, agencies);
  if (input.password !== undefined) await requirePassword('password', input.password, { email, name });
  const isGiven = input.password !== undefined || input.passwordHash !== undefined;
  const password = input.password ?? randomBytes(15).toString('base64url');
  const { breakGlass = false, passwordHash: hash = await hashPassword(password) } = input;
  const at = rail.now();
  const call = callByOperator(rail);
  const changed = guard`
    insert into staff (email, name, roles, agencies, password_hash, break_glass, active, created_at, updated_at)
    values (${email}, ${name}, ${roles}, ${agencies}, ${hash}, ${breakGlass}, true, ${at}, ${at})
    on conflict (email) do update set name = excluded.name, roles = excluded.roles,
      agencies = excluded.agencies, password_hash = excluded.password_hash, break_glass = excluded.break_glass,
      active = true,
      generation = staff.generation + 1, deactivated_at = null, deactivated_reason = null,
      updated_at = excluded.updated_at
    returning email`;
  const ended = endSessionsOf(changed, call.viewer.actor, at);
  const operated = {
    action: 'staff.add',
    subject: email,
    before: null,
    after: { name, roles, agencies, break_glass: breakGlass },
    reason: null,
  };
  const steps = [ended, ...(await reportRoles(call, changed, operated, roles))];
  await commit(call, { subject: null, guard: changed, steps, operated });
  return { email, roles, agencies, password: isGiven ? null : password };
}

/** Refuses codes that no agency has: people bound to one would see nothing, or what comes to be under it. */
export async function refuseUnknownAgencies({ db }: Pick<Rail, 'db'>, agencies: readonly string[]): Promise<void> {
  const [unknown] = await db.rows<{ mda: string }>(sql`
    select a.mda from unnest(${agencies}::text[]) a (mda) where not exists (select from mda m where m.name = a.mda)`);
  if (unknown) throw refuseValue('agency', say`must be the code of an agency; there is no ${unknown.mda}`);
}
