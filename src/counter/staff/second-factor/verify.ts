import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { forgive, requireAttempt } from '../attempts.ts';
import { refuseNotEnrolled } from './enrol.ts';
import { type Shown, findSecondFactor, proveSecondFactor, refuseProof } from './prove.ts';
import { forgetWrongCodes } from './wrong-codes.ts';

/** Has the caller's session count as opened with a second factor, which whoever opened it elsewhere did not show. */
export async function verifySecondFactor(call: Call, shown: Shown): Promise<{ message: string }> {
  const { actor: staff, session } = call.viewer;
  const factor = await findSecondFactor(call, staff);
  if (!factor) throw refuseNotEnrolled();
  const attempt = await requireAttempt(call, staff);
  const proof = await proveSecondFactor(call, factor, shown, attempt);
  const changed = guard`
    update staff_session s set second_factor = true from ${proof} p
    where s.id = ${session}::uuid and s.staff = p.email and s.ended_at is null returning s.id, s.staff as email`;
  const steps = [...forgive(call, attempt, changed), forgetWrongCodes(changed)];
  const done = await commit(call, { subject: staff, guard: changed, steps });
  if (!done) throw await refuseProof(call, staff);
  return verified();
}

/** What it answers. */
export function verified(): { message: string } {
  return { message: 'This session counts as opened with your second factor.' };
}
