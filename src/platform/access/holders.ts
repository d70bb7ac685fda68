import { type Database, sql } from '../database/sql.ts';
import type { Role } from './needs.ts';

/** The e-mail addresses of active staff who hold one of some roles, at an agency where one is named. */
export async function findHolders(db: Database, roles: readonly Role[], agency?: string): Promise<string[]> {
  const rows = await db.rows<{ email: string }>(sql`
    select email from staff
    where active and roles && ${roles}::text[]
      and (agencies = '{}' or ${agency ?? null}::text is null or ${agency ?? null} = any(agencies))
    order by email`);
  return rows.map(({ email }) => email);
}
