import type { LoggedOut } from '../../accounts/sessions/schema.ts';
import { COOKIES, clearCookie } from '../../platform/access/cookies.ts';
import { refuseForeignOrigin } from '../../platform/call/source.ts';
import type { Call } from '../../platform/call/call.ts';
import { endStaffSession } from '../sessions/end.ts';
import { findSignOutUrl } from '../single-sign-on/sign-out.ts';

/**
 * Ends the session of the call, from the very next request on, and clears its cookie; without one there is nothing to
 * end.
 */
export async function logOutStaff(call: Call): Promise<LoggedOut> {
  const { db, viewer, now, transport } = call;
  refuseForeignOrigin(transport.source, viewer);
  transport.cookies.push(clearCookie(call, COOKIES.staff));
  const message = 'You have logged out.';
  if (viewer.kind !== 'staff') return { message };
  const ended = await db.row<{ signedOn: boolean }>(endStaffSession(viewer.session, viewer.actor, now()));
  return { message, signOutUrl: ended?.signedOn ? await findSignOutUrl(call) : null };
}
