import { COOKIES, clearingCookie } from '../access/cookies.ts';
import { refuseForeign } from '../access/source.ts';
import type { Call } from '../call.ts';
import { sql } from '../database/sql.ts';
import { type Profile, getProfile } from '../integrators/profile.ts';

export interface CurrentSession {
  readonly authenticated: boolean;
  readonly integrator: Profile | null;
}

/** Who calls, by session or key; nobody is an answer too. */
export async function currentSession(call: Call): Promise<CurrentSession> {
  const { integrator } = call.viewer;
  if (integrator === null) return { authenticated: false, integrator: null };
  return { authenticated: true, integrator: await getProfile(call, integrator) };
}

/** Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to end. */
export async function logOut({ db, viewer, now, source, cookies }: Call): Promise<{ message: string }> {
  refuseForeign(source, viewer);
  cookies.push(clearingCookie(COOKIES.integrator));
  if (viewer.session !== null) await db.row(sql`update session set ended_at = ${now()} where id = ${viewer.session}::uuid and ended_at is null`);
  return { message: 'You are signed out.' };
}
