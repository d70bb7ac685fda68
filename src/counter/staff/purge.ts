import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { purgeChallenges } from './second-factor/passkeys/challenge.ts';
import { purgeAttempts } from './single-sign-on/attempt.ts';

/** How long it can be seen who was logged in when. */
const SESSION_DAYS = 90;
/** How long it is known how many links somebody was mailed. */
const LINK_DAYS = 2;

/**
 * Forgets sessions of long ago, links and challenges that have lapsed, failed logins of yesterday, and sign-ins that
 * nobody ended; how many rows.
 */
export async function purgeStaff(rail: Rail): Promise<number> {
  const { db, now } = rail;
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS);
  const sessions = await db.rows(sql`delete from staff_session where expires_at < ${before(SESSION_DAYS)} returning 1`);
  const failures = await db.rows(sql`delete from login_failures where last_failed_at < ${before(1)} returning 1`);
  const links = await db.rows(sql`delete from staff_link where expires_at < ${before(LINK_DAYS)} returning 1`);
  const lapsed = (await purgeAttempts(rail)) + (await purgeChallenges(rail));
  return sessions.length + failures.length + links.length + lapsed;
}
