import { randomInt } from 'node:crypto';
import { addStaff } from '../identity/members/add.ts';
import { hashPassword } from '../identity/passwords/hash.ts';
import type { Role } from '../platform/access/needs.ts';
import type { Rail } from '../platform/call/call.ts';
import { ADMIN } from '../platform/config/started-by.ts';
import { sql } from '../platform/database/sql.ts';

/** Accounts of people who work at a sandbox, and the use of each. */
const ACCOUNTS: readonly {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** True if they see one agency alone: the first. */
  readonly bound?: true;
}[] = [
  { email: 'clerk@sandbox.example', name: 'Sandbox Clerk', role: 'clerk' },
  { email: 'supervisor@sandbox.example', name: 'Sandbox Supervisor', role: 'supervisor' },
  { email: 'operator@sandbox.example', name: 'Sandbox Operator', role: 'system_manager' },
  { email: 'admin@sandbox.example', name: 'Sandbox Admin', role: 'admin' },
  { email: 'analyst@sandbox.example', name: 'Sandbox Analyst', role: 'oversight' },
  { email: 'finance@sandbox.example', name: 'Sandbox Finance Officer', role: 'finance_officer' },
  { email: 'auditor@sandbox.example', name: 'Sandbox Auditor', role: 'auditor' },
  { email: 'agency@sandbox.example', name: 'Sandbox Agency Finance', role: 'finance_officer', bound: true },
];

/** Any number that nobody else uses: held while they are made, so that processes started together make them once. */
const ACCOUNTS_LOCK = 7_283_019;

/**
 * Makes an account for each kind of staff of a new sandbox, all with one password, which is answered this once. Null
 * where there is staff already, where staff sign in at an identity provider, and on a live rail.
 */
export async function makeSandboxAccounts(rail: Rail): Promise<string | null> {
  if (rail.config.mode !== 'sandbox' || rail.config.singleSignOn) return null;
  // In the background's time: another process may take long to make them.
  return rail.background.transaction(async (db) => {
    await db.row(sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`);
    if (await db.row(sql`select 1 from staff limit 1`)) return null;
    const password = makePassword();
    // Once for all of them: it takes long by design.
    const passwordHash = await hashPassword(password);
    const agency = await db.row<{ name: string }>(
      sql`select name from mda order by country = 'UG' desc, name = 'URA' desc, name limit 1`,
    );
    for (const { role, bound, ...member } of ACCOUNTS)
      await addStaff(
        { ...rail, db },
        { ...member, roles: [role], passwordHash, ...(bound && agency && { agencies: [agency.name] }) },
      );
    return password;
  });
}

/** Characters that are read from a terminal without confusion. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Makes a password of 20 characters, 99 bits. */
function makePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Text of the terminal about them, at the start at which they are made. */
export function introduceAccounts(password: string): string {
  const admin = ACCOUNTS.find(({ role }) => role === 'admin')!;
  const width = Math.max(...ACCOUNTS.map(({ email }) => email.length));
  return `Staff of this sandbox, all with the password  ${password}

${ACCOUNTS.map(({ email, role, bound }) => `  ${email.padEnd(width)}  ${role}${bound ? ' of one agency' : ''}\n`).join('')}
It is shown this once. For an account with a password of its own:
  ${ADMIN} staff:add --email ${admin.email} --name "${admin.name}" --role ${admin.role}

`;
}
