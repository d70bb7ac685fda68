import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { sql } from '../../platform/database/sql.ts';

/** Deletes expired assertions, which are refused without a record; returns their number. */
export async function purgeAssertions(purging: Purging): Promise<number> {
  return purgeRows(purging, 'agency_assertion', sql`expires_at <= ${purging.now()}`);
}
