import { needSecondFactor } from '../../../platform/access/needs.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { notifyOfChange } from '../notify.ts';
import { findSecondFactor } from './prove.ts';
import { refuseNotEnrolled, requireCode } from './enrol.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';

/** Removes the caller's second factor and recovery codes, where their roles do not require one. */
export async function removeSecondFactor(call: Call, input: { readonly code: string }): Promise<{ message: string }> {
  const staff = call.viewer.actor;
  const factor = await findSecondFactor(call, staff);
  if (!factor) throw refuseNotEnrolled();
  if (call.config.mode === 'live' && needSecondFactor([...call.viewer.roles]))
    throw refuseBecause('second_factor_kept', 'Your roles require a second factor: enrol another instead', 'code');
  await requireCode(call, factor, input.code);
  const changed = guard`
    delete from staff_second_factor where staff = ${staff} and confirmed_at is not null returning staff as email`;
  const operated = {
    action: 'staff.remove_second_factor',
    subject: staff,
    before: { second_factor: true },
    after: { second_factor: false },
    reason: null,
  };
  await commit(call, {
    subject: staff,
    guard: changed,
    steps: [dropRecoveryCodes(changed), notifyOfChange(call, changed, 'removed')],
    operated,
  });
  return removed();
}

/** What the removal answers. */
export function removed(): { message: string } {
  return { message: 'The second factor and its recovery codes were removed.' };
}
