import type { Call } from '../../../platform/call/call.ts';
import { isOwnPath } from '../../../kernel/text/own-path.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { requireAttempt, takeBack } from '../attempts.ts';
import { findSecondFactor } from '../second-factor/prove.ts';
import type { Whoami } from '../whoami.ts';
import { dropHalfWay, isStill, keepHalfWay, readHalfWay } from './half-way.ts';
import { findPerson, openSession, provePassword, refuseOthers } from './person.ts';

/** Where staff begin. */
const HOME = '/work';
/** The page that asks for a code. */
const CODE_PAGE = '/signin/staff/code';

/** How a login that was begun goes on. */
export interface LogInStep {
  readonly location: string;
  readonly codeRequired: boolean;
}

interface Beginning {
  readonly email: string;
  readonly password: string;
  readonly returnTo?: string | null | undefined;
}

/**
 * Begins a login by password: opens the session of whoever has no second factor; of others, the browser keeps that the
 * password was right for a few minutes, for which `completeLogIn` takes a code.
 */
export async function beginLogIn(call: Call, { returnTo, ...input }: Beginning): Promise<LogInStep> {
  refuseOthers(call);
  const { person, attempt } = await provePassword(call, input);
  const factor = await findSecondFactor(call, person.email);
  const location = isOwnPath(returnTo) ? returnTo : HOME;
  if (factor === null) {
    await openSession(call, person, attempt, { factor });
    return { location, codeRequired: false };
  }
  // The password was right: no failed attempt. Those before it stay counted until the code is right too.
  await takeBack(call, attempt);
  keepHalfWay(call, person.email, person.hash);
  const query = location === HOME ? '' : `?to=${encodeURIComponent(location)}`;
  return { location: `${CODE_PAGE}${query}`, codeRequired: true };
}

/** Opens the session of a login that waits for its code. A wrong code leaves it waiting, and counts towards the lock. */
export async function completeLogIn(
  call: Call,
  input: { readonly attempt: string; readonly code: string },
): Promise<Whoami> {
  refuseOthers(call);
  const halfWay = readHalfWay(call, input.attempt);
  if (!halfWay) throw refuseLapsed();
  const attempt = await requireAttempt(call, halfWay.email);
  const person = await findPerson(call, halfWay.email);
  const factor = person && isStill(halfWay, person.hash) ? await findSecondFactor(call, person.email) : null;
  if (!person || !factor) throw refuseLapsed();
  const whoami = await openSession(call, person, attempt, { factor, code: input.code });
  dropHalfWay(call);
  return whoami;
}

function refuseLapsed() {
  const message = 'No login waits for a code in this browser: it took longer than 5 minutes, or was never begun';
  return refuseBecause('log_in_lapsed', message, 'attempt');
}
