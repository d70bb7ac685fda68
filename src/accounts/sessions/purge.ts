import { purgeNetworks } from '../../platform/call/networks.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';

/**
 * Forgets links and sessions that have long been over, quotas of days past, and networks long unused; how many rows.
 */
export async function purgeSessions(rail: Rail): Promise<number> {
  const { db, now } = rail;
  const dayAgo = new Date(now().getTime() - DAY_MS);
  const links = await db.rows(sql`delete from magic_link where expires_at < ${dayAgo} returning 1`);
  const sessions = await db.rows(
    sql`delete from session where expires_at < ${dayAgo} or ended_at < ${dayAgo} returning 1`,
  );
  const quotas = await db.rows(sql`delete from sign_in_quota where last_sent_at < ${dayAgo} returning 1`);
  const mailboxes = await db.rows(sql`delete from mailbox_quota where last_sent_at < ${dayAgo} returning 1`);
  return links.length + sessions.length + quotas.length + mailboxes.length + (await purgeNetworks(rail));
}
