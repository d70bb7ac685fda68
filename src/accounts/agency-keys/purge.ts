import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** Deletes expired assertions, which are refused without a record; returns their number. */
export async function purgeAssertions({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  return (await db.rows(sql`delete from agency_assertion where expires_at <= ${now()} returning 1`)).length;
}
