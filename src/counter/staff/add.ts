import { randomBytes, randomUUID } from 'node:crypto';
import { commandLine } from '../../platform/access/viewer.ts';
import { ROLES, type Role, isRole } from '../../platform/access/needs.ts';
import { type Rail, callOf } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireEmail } from '../../kernel/text/contact.ts';
import { requireName } from '../../kernel/text/names.ts';
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
  const email = requireEmail('email', input.email);
  const name = requireName('name', input.name);
  const roles = [...new Set(input.roles)];
  if (roles.length === 0 || !roles.every(isRole)) throw refuseValue('role', `must be among ${ROLES.join(', ')}`);
  if (input.password !== undefined && input.password.length < SHORTEST_PASSWORD)
    throw refuseValue('password', `must have at least ${SHORTEST_PASSWORD} characters`);
  const password = input.password ?? randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  const at = rail.now();
  const call = callOf(rail, commandLine, randomUUID());
  const changed = guard`
    insert into staff (email, name, roles, password_hash, active, created_at, updated_at)
    values (${email}, ${name}, ${roles}, ${hash}, true, ${at}, ${at})
    on conflict (email) do update set name = excluded.name, roles = excluded.roles,
      password_hash = excluded.password_hash, active = true,
      updated_at = excluded.updated_at
    returning email`;
  const ended = step('ended')`
    update staff_session s set ended_at = ${at}, ended_by = ${call.viewer.actor}
    from ${changed} where s.staff = ${changed}.email and s.ended_at is null`;
  const operated = { action: 'staff.add', subject: email, before: null, after: { name, roles }, reason: null };
  await commit(call, { subject: null, guard: changed, steps: [ended], operated });
  return { email, roles, password: input.password === undefined ? password : null };
}
