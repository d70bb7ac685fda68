import { COOKIES, clearCookie } from '../../platform/access/cookies.ts';
import { refuseForeignOrigin } from '../../platform/call/source.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Integrator, getIntegrator } from '../integrators/find.ts';
import { endAccountSession } from './end.ts';
import { Refusal } from '../../kernel/refusal.ts';

export interface CurrentSession {
  readonly authenticated: boolean;
  readonly integrator: Integrator | null;
}

/** The caller, by session or key; nobody is an answer too. */
export async function getCurrentSession(call: Call): Promise<CurrentSession> {
  const { integrator } = call.viewer;
  if (integrator === null) return { authenticated: false, integrator: null };
  return { authenticated: true, integrator: await getIntegrator(call, integrator) };
}

/**
 * Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to
 * end.
 */
export async function logOut(call: Call): Promise<{ message: string }> {
  const { db, viewer, now, transport } = call;
  refuseForeignOrigin(transport.source, viewer);
  // At `/graphql` the cookie of staff goes before that of an account, whose session is then not the one that asks.
  if (viewer.kind === 'staff')
    throw new Refusal(
      'forbidden',
      'You are logged in as staff here; `staffLogOut` comes before signing out of the account',
    );
  transport.cookies.push(clearCookie(call, COOKIES.integrator));
  if (viewer.session !== null) await db.row(endAccountSession(viewer.session, now()));
  return { message: 'You have signed out.' };
}
