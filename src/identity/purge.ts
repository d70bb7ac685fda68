import type { Rail } from '../platform/call/call.ts';
import { purgeFailures } from './attempts/attempts.ts';
import { purgeLinks } from './links/links.ts';
import { purgeChallenges } from './second-factor/passkeys/challenge.ts';
import { purgeStaffSessions } from './sessions/end.ts';
import { purgeAttempts } from './single-sign-on/attempt.ts';

/**
 * Forgets sessions of long ago, links and challenges that have lapsed, failed logins of yesterday, and sign-ins that
 * nobody ended; how many rows.
 */
export async function purgeStaff(rail: Rail): Promise<number> {
  const sessions = await purgeStaffSessions(rail);
  const failures = await purgeFailures(rail);
  const links = await purgeLinks(rail);
  const lapsed = (await purgeAttempts(rail)) + (await purgeChallenges(rail));
  return sessions + failures + links + lapsed;
}
