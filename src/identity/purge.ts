import type { Purging } from '../platform/change/purge.ts';
import { purgeFailures } from './attempts/attempts.ts';
import { purgeLinks } from './links/links.ts';
import { purgeChallenges } from './second-factor/passkeys/challenge.ts';
import { purgeStaffSessions } from './sessions/end.ts';
import { purgeAttempts } from './single-sign-on/attempt.ts';

/**
 * Forgets sessions of long ago, links and challenges that have lapsed, failed logins of yesterday, and sign-ins that
 * nobody ended; how many rows.
 */
export async function purgeStaff(purging: Purging): Promise<number> {
  const sessions = await purgeStaffSessions(purging);
  const failures = await purgeFailures(purging);
  const links = await purgeLinks(purging);
  const lapsed = (await purgeAttempts(purging)) + (await purgeChallenges(purging));
  return sessions + failures + links + lapsed;
}
