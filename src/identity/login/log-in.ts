import type { Call } from '../../platform/call/call.ts';
import { findSecondFactor } from '../second-factor/prove.ts';
import type { Whoami } from './whoami.ts';
import { openSession, provePassword, refuseOthers } from './person.ts';

/** Credentials of a login. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The code of their second factor, where they have one. */
  readonly code?: string | null | undefined;
}

/** Opens a session of staff at once. Those who know the password learn whether a code is also required. */
export async function logIn(call: Call, input: Credentials): Promise<Whoami> {
  refuseOthers(call);
  const { person, attempt } = await provePassword(call, input);
  const factor = await findSecondFactor(call, person.email);
  return openSession(call, person, attempt, { factor, code: input.code });
}
