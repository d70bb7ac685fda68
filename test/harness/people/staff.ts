import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '../../../src/platform/access/needs.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { findStaff } from '../../../src/identity/staff/find.ts';
import { resetSecondFactor } from '../../../src/identity/members/reset.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { cookieOf } from './accounts.ts';
import { enrol } from './second-factor.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import type { Answer, Ask, TestRail } from '../rail.ts';

export const PASSWORD = 'correct horse battery';

/**
 * The stored hash of the password, as cheap to check as Argon2id can be: tests make thousands of members of staff, and
 * a hash with the real parameters takes a twentieth of a second.
 */
const CHEAP_HASH = cheapHashOf(PASSWORD);

function cheapHashOf(message: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message, nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}

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

interface Choices {
  /** True to enrol the second factor that a live rail requires of some roles. Default: true. */
  readonly enrolled?: boolean;
  /**
   * True to add them as the command line does, with its rules and audit, which takes a tenth of a second. Default:
   * false.
   */
  readonly added?: boolean;
}

/** A member of staff who is logged in, with a second factor where their session could do nothing without. */
export function makeStaff(rail: TestRail, ...roles: (Role | Choices)[]): Promise<StaffActor> {
  return makeStaffOf(rail, [], ...roles);
}

/** A member of staff who is bound to agencies and logged in; to all, with none. */
export async function makeStaffOf(
  rail: TestRail,
  agencies: readonly string[],
  ...given: (Role | Choices)[]
): Promise<StaffActor> {
  const roles = given.filter((one) => typeof one === 'string');
  const email = `${roles.join('-')}-${randomUUID().slice(0, 8)}@agency.example`;
  const choices = given.filter((one) => typeof one !== 'string');
  return enterStaff(rail, email, roles, Object.assign({ agencies }, ...choices) as Choices);
}

/** Makes somebody a member of staff by the command line, whoever they are so far, and logs them in. */
export async function enterStaff(
  rail: TestRail,
  email: string,
  roles: readonly Role[],
  { agencies = [], enrolled = true, added = false }: Choices & { readonly agencies?: readonly string[] } = {},
): Promise<StaffActor> {
  // A member who has a second factor enrols another one.
  const machine = callOf(rail.rail, commandLine, 'enter');
  const known = await findStaff(machine, email);
  const name = `A ${roles.join(' and ')}`;
  if (known?.hasSecondFactor) await resetSecondFactor(machine, { id: email, reason: 'Entered again' });
  if (known || added) await addStaff(rail.rail, { email, name, roles, agencies, password: PASSWORD });
  else
    await rail.rows(sql`
      insert into staff (email, name, roles, agencies, password_hash, active, created_at, updated_at)
      values (${email}, ${name}, ${roles}, ${agencies}, ${CHEAP_HASH}, true, ${rail.rail.now()}, ${rail.rail.now()})`);
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

/** Mails to a member of staff about changes of their login and roles, oldest first. */
export async function mailedChanges(rail: TestRail, email: string): Promise<string[]> {
  const mails = await rail.rows<{ id: string; sealed: Buffer }>(sql`
    select id, sealed from mail where staff = ${email} and kind = 'staff/login_changed' order by created_at, id`);
  return mails.map(({ id, sealed }) => rail.rail.vault.open('mail', id, sealed)!);
}
