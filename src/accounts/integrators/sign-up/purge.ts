import type { Rail } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** How long a sign-up may wait for its code before its address is free again. */
const PENDING_DAYS = 7;

/** Forgets sign-ups that nobody verified; how many. */
export async function purgeAccounts({ db, now }: Rail): Promise<number> {
  const before = new Date(now().getTime() - PENDING_DAYS * DAY_MS);
  const rows = await db.rows(
    sql`delete from integrator where status = 'PendingEmail' and created_at < ${before} returning 1`,
  );
  return rows.length;
}
