import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { forgive, requireAttempt } from '../attempts/attempts.ts';
import { countAsProven } from '../sessions/open.ts';
import { refuseNotEnrolled } from './enrol.ts';
import { type Shown, findSecondFactor, proveSecondFactor, refuseProof } from './prove.ts';
import { forgetWrongCodes } from './wrong-codes.ts';

/** Has the caller's session count as opened with a second factor, which was not shown when it was opened elsewhere. */
export async function verifySecondFactor(call: Call, shown: Shown): Promise<{ message: string }> {
  const staff = call.viewer.actor;
  const factor = await findSecondFactor(call, staff);
  if (!factor) throw refuseNotEnrolled();
  const attempt = await requireAttempt(call, staff);
  const proof = await proveSecondFactor(call, factor, shown, attempt);
  const changed = countAsProven(call, proof);
  const steps = [...forgive(call, attempt, changed), forgetWrongCodes(changed)];
  const done = await commit(call, { subject: staff, guard: changed, steps });
  if (!done) throw await refuseProof(call, staff);
  return verified();
}

/** Answer to the verification. */
export function verified(): { message: string } {
  return { message: 'This session counts as opened with your second factor.' };
}
