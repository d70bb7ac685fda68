import { randomBytes } from 'node:crypto';
import { ROLES, type Role, isRole } from '../access/viewer.ts';
import type { Rail } from '../call.ts';
import { sql } from '../database/sql.ts';
import { invalid } from '../refusal.ts';
import { emailAddress, requiredText } from '../text.ts';
import { hashPassword } from './password.ts';

const SHORTEST_PASSWORD = 12;

export interface NewStaff {
  readonly email: string;
  readonly roles: readonly Role[];
  /** Set where one was made up. */
  readonly password: string | null;
}

/** Makes a member of staff, or gives one new roles, name and password; every session of theirs ends. */
export async function addStaff(
  rail: Rail,
  input: { email: string; name: string; roles: readonly string[]; password?: string | undefined },
): Promise<NewStaff> {
  const email = emailAddress('email', input.email);
  const name = requiredText('name', input.name, 200);
  const roles = [...new Set(input.roles)];
  if (roles.length === 0 || !roles.every(isRole)) throw invalid('role', `must be some of ${ROLES.join(', ')}`);
  if (input.password !== undefined && input.password.length < SHORTEST_PASSWORD)
    throw invalid('password', `must have at least ${SHORTEST_PASSWORD} characters`);
  const password = input.password ?? randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  const at = rail.now();
  await rail.db.row(sql`
    with entered as (
      insert into staff (email, name, roles, password_hash, active, created_at, updated_at)
      values (${email}, ${name}, ${roles}, ${hash}, true, ${at}, ${at})
      on conflict (email) do update set name = excluded.name, roles = excluded.roles, password_hash = excluded.password_hash, active = true, updated_at = excluded.updated_at
      returning email
    ), booked as (
      insert into operator_audit (at, actor, action, subject, after, request_id)
      select ${at}, 'command line', 'staff.add', email, jsonb_build_object('name', ${name}::text, 'roles', ${roles}::text[]), 'staff:add' from entered
    )
    update staff_session set ended_at = ${at}, ended_by = 'command line' where staff = ${email} and ended_at is null`);
  return { email, roles, password: input.password === undefined ? password : null };
}
