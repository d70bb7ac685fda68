import type { Rail } from '../call/call.ts';
import { sql } from '../database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

const KEPT_DAYS = 30;

/** Forgets mail of long ago; how many letters. */
export async function purgeMail({ db, now }: Rail): Promise<number> {
  const rows = await db.rows(
    sql`delete from mail where created_at < ${new Date(now().getTime() - KEPT_DAYS * DAY_MS)} returning 1`,
  );
  return rows.length;
}
