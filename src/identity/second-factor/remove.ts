import { needSecondFactor } from '../../platform/access/needs.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { notifyOfChange } from '../staff/notify.ts';
import { refuseNotEnrolled, requireProof } from './enrol.ts';
import { type Shown, findSecondFactor } from './prove.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';
import { forgetWrongCodes } from './wrong-codes.ts';

/**
 * Removes the caller's authenticator app; where they have no passkey either, their recovery codes too, which roles that
 * require a second factor do not allow.
 */
export async function removeSecondFactor(call: Call, shown: Shown): Promise<{ message: string }> {
  const staff = call.viewer.actor;
  const factor = await findSecondFactor(call, staff);
  if (!factor || factor.secret === null) throw refuseNotEnrolled();
  const last = factor.passkeys.length === 0;
  if (last && mustKeep(call)) throw refuseLast();
  await requireProof(call, factor, shown);
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
    steps: [...(last ? [dropRecoveryCodes(changed)] : []), notifyOfChange(call, changed, 'removed')],
    operated,
  });
  return removed();
}

/** The steps that drop all second factors of the member of staff whose `email` a step yields. */
export function dropSecondFactors(holder: Step): Step[] {
  return [
    step('forgotten')`delete from staff_second_factor f using ${holder} c where f.staff = c.email`,
    step('unlinked')`delete from staff_passkey k using ${holder} c where k.staff = c.email`,
    dropRecoveryCodes(holder),
    forgetWrongCodes(holder),
  ];
}

/** True if the caller's roles require a second factor. */
export function mustKeep({ config, viewer }: Call): boolean {
  return config.mode === 'live' && needSecondFactor([...viewer.roles]);
}

/** The refusal to remove the last second factor of somebody who needs one. */
export function refuseLast() {
  return refuseBecause('second_factor_kept', 'Your roles require a second factor: enrol another first', 'code');
}

/** Answer to the removal. */
export function removed(): { message: string } {
  return { message: 'The authenticator app was removed; recovery codes go with the last second factor.' };
}
