import type { Call } from '../../platform/call/call.ts';
import { newestFirst, type PageArgs, readPage } from '../../platform/change/page.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';

/** A member of staff, without what they log in by, and under their address for a name. */
export type StaffUser = Stored<'Staff'> & { readonly fullName: string };

const users = sql`(select email as name, email, name as full_name, roles, active, created_at, updated_at from staff)`;
const columns = sql`${columnsOf('Staff')}, r.full_name as "fullName"`;

export function listStaff(call: Call, page: PageArgs): Promise<StaffUser[]> {
  return readPage<StaffUser>(
    call,
    { select: sql`select ${columns} from ${users} r`, table: users.text, ...newestFirst, where: [] },
    page,
  );
}

export async function findStaff({ db }: Pick<Call, 'db'>, email: string): Promise<StaffUser | null> {
  return db.row<StaffUser>(sql`select ${columns} from ${users} r where r.email = ${email}`);
}
