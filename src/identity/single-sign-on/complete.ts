import { type SignOnClaims, type SignOnProvider, SignOnRefused } from '../../adapters/sign-on/port.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { forbidBecause } from '../../kernel/refusal.ts';
import { openStaffSession } from '../sessions/open.ts';
import { checksOf, isAttempt, takeAttempt } from './attempt.ts';
import { callbackOf, requireSignOn } from './begin.ts';
import { storePerson } from './member.ts';
import { readPerson } from './person.ts';
import { refuseClosed, refuseVoid } from './refusals.ts';

export interface Return {
  /** Content of the cookie of the sign-in. */
  readonly attempt: string;
  /** Query of the address that the provider sent the browser back to. */
  readonly query: string;
}

/**
 * Ends a sign-in: the person whom the provider names is made a member of staff, or given the roles and agencies that
 * their groups stand for now, and gets a session. An answer that is not to a sign-in of this browser leaves the one
 * that it may have under way alone; any other uses it up.
 */
export async function completeSignOn(call: Call, { attempt, query }: Return): Promise<{ location: string }> {
  const { provider, mapping } = requireSignOn(call);
  const returned = new URL(`${callbackOf(call)}?${query}`);
  if (!isAttempt(attempt) || returned.searchParams.get('state') !== checksOf(attempt).state) throw refuseVoid();
  const returnTo = await takeAttempt(call, attempt);
  if (returnTo === null) throw refuseVoid();
  const person = readPerson(await askProvider(call, provider, attempt, returned), mapping);
  const id = await openStaffSession(call, {
    email: await storePerson(call, person),
    secondFactor: person.secondFactor,
    signedOn: true,
    provided: sql`not u.break_glass`,
  });
  if (id === null) throw refuseClosed();
  return { location: returnTo };
}

async function askProvider(
  call: Call,
  provider: SignOnProvider,
  attempt: string,
  returned: URL,
): Promise<SignOnClaims> {
  try {
    return await provider.complete(checksOf(attempt), returned);
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    call.log.warn({ request_id: call.requestId, reason: error.reason }, error.message);
    if (error.reason === 'void') throw refuseVoid();
    throw forbidBecause('sign_on_denied', 'The identity provider did not let you sign in', 'sign_on');
  }
}
