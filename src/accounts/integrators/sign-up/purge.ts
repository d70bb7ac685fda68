import { type Purging, purgeRows } from '../../../platform/change/purge.ts';
import { sql } from '../../../platform/database/sql.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** Days for which a sign-up may wait for its code before its address is free again. */
const PENDING_DAYS = 7;

/** Forgets sign-ups that nobody verified; how many. */
export async function purgeAccounts(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - PENDING_DAYS * DAY_MS);
  return purgeRows(purging, 'integrator', sql`status = 'PendingEmail' and created_at < ${before}`);
}
