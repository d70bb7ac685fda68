import { type Sql, sql } from '../../platform/database/sql.ts';

/** Ends a session of staff, from its very next request on; a row where it had not ended. Null: there is none. */
export function endStaffSession(id: string | null, by: string, at: Date): Sql {
  return sql`update staff_session set ended_at = ${at}, ended_by = ${by} where id = ${id}::uuid and ended_at is null returning id`;
}
