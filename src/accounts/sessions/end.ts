import { type Sql, sql } from '../../platform/database/sql.ts';

/** Ends an account's session, from its very next request on; a row where it had not ended. */
export function endAccountSession(id: string, at: Date): Sql {
  return sql`update session set ended_at = ${at} where id = ${id}::uuid and ended_at is null returning id`;
}
