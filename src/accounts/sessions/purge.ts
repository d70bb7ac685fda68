import { purgeNetworks } from '../../platform/call/networks.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

/**
 * Forgets links and sessions that have long been over, quotas of days past, and networks long unused; how many rows.
 */
export async function purgeSessions(purging: Purging): Promise<number> {
  const dayAgo = new Date(purging.now().getTime() - DAY_MS);
  const links = await purgeRows(purging, 'magic_link', sql`expires_at < ${dayAgo}`);
  const sessions = await purgeRows(purging, 'session', sql`expires_at < ${dayAgo} or ended_at < ${dayAgo}`);
  const quotas = await purgeRows(purging, 'sign_in_quota', sql`last_sent_at < ${dayAgo}`);
  const mailboxes = await purgeRows(purging, 'mailbox_quota', sql`last_sent_at < ${dayAgo}`);
  return links + sessions + quotas + mailboxes + (await purgeNetworks(purging));
}
