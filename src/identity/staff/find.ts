import type { Role } from '../../platform/access/needs.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadByKey } from '../../platform/reading/batch.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Page, type PageArgs, newestFirst, readPage } from '../../platform/reading/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { matchAnywhere } from '../../kernel/text/matching.ts';
import { holdsSecondFactor } from './held.ts';
import { say } from '../../kernel/text/said.ts';
import { readTyped } from '../../kernel/text/typed.ts';

export type StaffStatus = 'Invited' | 'Active' | 'Deactivated';

/** A member of staff, without what they log in by, and under their address for a name. */
export interface StaffUser extends Omit<Stored<'Staff'>, 'generation'> {
  readonly fullName: string;
  readonly status: StaffStatus;
  readonly hasSecondFactor: boolean;
  readonly hasAuthenticatorApp: boolean;
  /** True if somebody has asked that they be made an admin, which nobody has decided yet. */
  readonly adminPending: boolean;
}

export interface StaffFilter {
  /** A part of the name or address. */
  readonly q?: string | null | undefined;
  readonly role?: Role | null | undefined;
  /** The code of an agency that they are bound to. */
  readonly agency?: string | null | undefined;
  readonly status?: StaffStatus | null | undefined;
}

const status = sql`case when active then 'Active' when deactivated_at is not null then 'Deactivated' else 'Invited' end`;

const users = sql`(select email as name, email, name as full_name, roles, agencies, active, break_glass, created_at, updated_at, invited_at,
  deactivated_at, deactivated_reason, ${status} as status from staff)`;
const authenticator = sql`exists (select from staff_second_factor f where f.staff = r.email and f.confirmed_at is not null)`;
const adminPending = sql`exists (
  select from approval a where a.kind = 'roles' and a.subject = r.email and a.status = 'Pending' and a.proposal -> 'roles' ? 'admin')`;
const columns = sql`${columnsOf('Staff', { without: ['generation'] })}, r.full_name as "fullName", r.status,
  ${holdsSecondFactor(sql`r.email`)} as "hasSecondFactor", ${authenticator} as "hasAuthenticatorApp", ${adminPending} as "adminPending"`;

/** All staff, newest first. */
export function listStaff(call: Call, filter: StaffFilter, page: PageArgs): Promise<Page<StaffUser>> {
  return readPage<StaffUser>(
    call,
    {
      select: sql`select ${columns} from ${users} r`,
      table: users.text,
      ...newestFirst,
      where: [],
      filters: [
        ifGiven(filter.q, (text) => sql`fold_for_search(r.email || ' ' || r.full_name) like ${matchAnywhere(text)}`),
        ifGiven(filter.role, (role) => sql`${role} = any(r.roles)`),
        ifGiven(filter.agency, (mda) => sql`${mda} = any(r.agencies)`),
        ifGiven(filter.status, (one) => sql`r.status = ${one}`),
      ],
    },
    page,
  );
}

/** A member of staff, for any caller; refuses an address that nobody has. */
export async function getStaff(call: Pick<Call, 'db'>, email: string): Promise<StaffUser> {
  const user = await findStaff(call, readTyped(email).toLowerCase());
  if (!user) throw new Refusal('not_found', say`The member of staff does not exist`);
  return user;
}

export async function findStaff({ db }: Pick<Call, 'db'>, email: string): Promise<StaffUser | null> {
  return db.row<StaffUser>(sql`select ${columns} from ${users} r where r.email = ${email}`);
}

/** Member of staff whom the caller may see: operators see all, everybody else themselves; null for the others. */
export function staffSeenBy({ viewer }: Call, email: string): string | null {
  if (!email.includes('@')) return null;
  const own = viewer.kind === 'staff' && viewer.actor === email;
  return own || findRefusal(viewer, 'operations.read') === null ? email : null;
}

/** Staff by e-mail address, as far as the caller may see them. */
export const staffLoader = loadByKey<StaffUser>(
  'email',
  ({ email }) => email,
  (call, emails) => {
    const seen = emails.filter((email) => staffSeenBy(call, email) !== null);
    return call.db.rows(sql`select ${columns} from ${users} r where r.email = any(${seen})`);
  },
);
