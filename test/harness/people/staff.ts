import { randomUUID } from 'node:crypto';
import type { Role } from '../../../src/platform/access/needs.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { findStaff } from '../../../src/counter/staff/find.ts';
import { resetSecondFactor } from '../../../src/counter/staff/members/reset.ts';
import { addStaff } from '../../../src/counter/staff/add.ts';
import { cookieOf } from './accounts.ts';
import { enrol } from './second-factor.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import type { Answer, Ask, TestRail } from '../rail.ts';

export const PASSWORD = 'correct horse battery';

export interface StaffActor {
  readonly email: string;
  readonly cookie: string;
  ask(path: string, options?: Ask): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export function logIn(
  rail: TestRail,
  email: string,
  password = PASSWORD,
  headers: Ask['headers'] = {},
): Promise<Answer> {
  return rail.ask('/v1/work/login', { body: { email, password }, headers });
}

/** Whether to enrol the second factor that a live rail requires of some roles. */
interface Enrolled {
  readonly enrolled: boolean;
}

/** A member of staff who is logged in, with a second factor where their session could do nothing without. */
export function makeStaff(rail: TestRail, ...roles: (Role | Enrolled)[]): Promise<StaffActor> {
  return makeStaffOf(rail, [], ...roles);
}

/** A member of staff who is bound to agencies and logged in; to all, with none. */
export async function makeStaffOf(
  rail: TestRail,
  agencies: readonly string[],
  ...given: (Role | Enrolled)[]
): Promise<StaffActor> {
  const roles = given.filter((one) => typeof one === 'string');
  const email = `${roles.join('-')}-${randomUUID().slice(0, 8)}@agency.example`;
  const enrolled = given.every((one) => typeof one === 'string' || one.enrolled);
  return enterStaff(rail, email, roles, { agencies, enrolled });
}

/** Makes somebody a member of staff by the command line, whoever they are so far, and logs them in. */
export async function enterStaff(
  rail: TestRail,
  email: string,
  roles: readonly Role[],
  { agencies = [], enrolled = true }: { agencies?: readonly string[]; enrolled?: boolean } = {},
): Promise<StaffActor> {
  // Who has a second factor enrols another one.
  const machine = callOf(rail.rail, commandLine, 'enter');
  if ((await findStaff(machine, email))?.hasSecondFactor)
    await resetSecondFactor(machine, { id: email, reason: 'Entered again' });
  await addStaff(rail.rail, { email, name: `A ${roles.join(' and ')}`, roles, agencies, password: PASSWORD });
  const answer = await logIn(rail, email);
  const cookie = cookieOf(answer)!;
  if (answer.data.second_factor_required && enrolled) await enrol(rail, cookie);
  const ask = (path: string, { headers, ...options }: Ask = {}) =>
    rail.ask(path, { ...options, headers: { cookie, ...headers } });
  return { email, cookie, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

/** The token of the last link that was mailed to a member of staff, which is sealed until it is sent. */
export async function mailedToken(
  rail: TestRail,
  email: string,
  kind: 'invitation' | 'password_reset',
): Promise<string> {
  const [mail] = await rail.rows<{ id: string; sealed: Buffer }>(sql`
    select id, sealed from mail where staff = ${email} and kind = ${`staff/${kind}`} order by created_at desc, id limit 1`);
  if (!mail) throw new Error(`No ${kind} was mailed to ${email}`);
  return rail.rail.vault.open('mail', mail.id, mail.sealed)!;
}

/** What a member of staff was mailed of changes of their login and roles, the first first. */
export async function mailedChanges(rail: TestRail, email: string): Promise<string[]> {
  const mails = await rail.rows<{ id: string; sealed: Buffer }>(sql`
    select id, sealed from mail where staff = ${email} and kind = 'staff/login_changed' order by created_at, id`);
  return mails.map(({ id, sealed }) => rail.rail.vault.open('mail', id, sealed)!);
}
