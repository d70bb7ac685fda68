import type { Call } from '../../platform/call/call.ts';
import { isOwnPath } from '../../kernel/text/own-path.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { requireAttempt, takeBack } from '../attempts/attempts.ts';
import { findPasskeys } from '../second-factor/passkeys/find.ts';
import { askForProof } from '../second-factor/passkeys/web-authn.ts';
import { type Shown, findSecondFactor } from '../second-factor/prove.ts';
import type { Whoami } from './whoami.ts';
import { dropHalfWay, isStill, keepHalfWay, readHalfWay } from './half-way.ts';
import { findPerson, openSession, provePassword, refuseOthers } from './person.ts';

/** First page of staff. */
const HOME = '/work';
/** The page that asks for a code. */
const CODE_PAGE = '/signin/staff/code';

/** Next step of a login. */
export interface LogInStep {
  readonly location: string;
  readonly codeRequired: boolean;
  /** The value of the cookie of a login that waits. */
  readonly attempt: string | null;
  /** Options for `navigator.credentials.get`; null if the login waits for none of its owner's passkeys. */
  readonly passkeyRequest: unknown;
}

interface Beginning {
  readonly email: string;
  readonly password: string;
  readonly returnTo?: string | null | undefined;
}

/**
 * Begins a login by password: opens the session of people without a second factor; of others, the browser keeps that
 * the password was right for a few minutes, for which `completeLogIn` takes a code.
 */
export async function beginLogIn(call: Call, { returnTo, ...input }: Beginning): Promise<LogInStep> {
  refuseOthers(call);
  const { person, attempt } = await provePassword(call, input);
  const factor = await findSecondFactor(call, person.email);
  const location = isOwnPath(returnTo) ? returnTo : HOME;
  if (factor === null) {
    await openSession(call, person, attempt, { factor });
    return { location, codeRequired: false, attempt: null, passkeyRequest: null };
  }
  // The password was right: no failed attempt. Those before it stay counted until the code is right too.
  await takeBack(call, attempt);
  const kept = keepHalfWay(call, person.email, person.hash);
  const query = location === HOME ? '' : `?to=${encodeURIComponent(location)}`;
  const passkeyRequest = await askForProof(call, person.email, factor.passkeys);
  return { location: `${CODE_PAGE}${query}`, codeRequired: true, attempt: kept, passkeyRequest };
}

/**
 * Options with which a browser asks for a passkey: of the login that waits in it, or else of the person who is logged
 * in. Null if they have none.
 */
export async function requestPasskey(
  call: Call,
  { attempt }: { readonly attempt?: string | null | undefined },
): Promise<unknown> {
  const { kind, actor } = call.viewer;
  const waiting = attempt ? readHalfWay(call, attempt) : null;
  const staff = waiting?.email ?? (kind === 'staff' ? actor : null);
  return staff === null ? null : askForProof(call, staff, await findPasskeys(call, staff));
}

/**
 * Opens the session of a login that waits for a code or a passkey. A wrong one leaves it waiting, and counts towards the
 * lock.
 */
export async function completeLogIn(
  call: Call,
  { attempt: cookie, ...shown }: Shown & { readonly attempt: string },
): Promise<Whoami> {
  refuseOthers(call);
  const halfWay = readHalfWay(call, cookie);
  if (!halfWay) throw refuseLapsed();
  const attempt = await requireAttempt(call, halfWay.email);
  const person = await findPerson(call, halfWay.email);
  const factor = person && isStill(halfWay, person.hash) ? await findSecondFactor(call, person.email) : null;
  if (!person || !factor) throw refuseLapsed();
  const whoami = await openSession(call, person, attempt, { factor, ...shown });
  dropHalfWay(call);
  return whoami;
}

function refuseLapsed() {
  const message = 'No login waits for a code in this browser: it took longer than 5 minutes, or was never begun';
  return refuseBecause('log_in_lapsed', message, 'attempt');
}
