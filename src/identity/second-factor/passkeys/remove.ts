import type { Call } from '../../../platform/call/call.ts';
import { commit } from '../../../platform/change/commit.ts';
import { guard } from '../../../platform/change/step.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { notifyOfChange } from '../../staff/notify.ts';
import { requireProof } from '../enrol.ts';
import { type Shown, findSecondFactor } from '../prove.ts';
import { dropRecoveryCodes } from '../recovery-codes.ts';
import { mustKeep, refuseLast } from '../remove.ts';
import { getPasskey } from './add.ts';

/** Removes a passkey of the caller's; with their last second factor, its recovery codes too. */
export async function removePasskey(
  call: Call,
  { id, ...shown }: Shown & { id: string },
): Promise<{ message: string }> {
  const staff = call.viewer.actor;
  const passkey = await getPasskey(call, id);
  const factor = await findSecondFactor(call, staff);
  if (!factor) throw new Refusal('not_found', 'The passkey does not exist');
  const last = factor.secret === null && factor.passkeys.length === 1;
  if (last && mustKeep(call)) throw refuseLast();
  await requireProof(call, factor, shown);
  // Not where the others were removed meanwhile, which would leave none.
  const others = factor.passkeys.filter((one) => one.id !== id).length;
  const changed = guard`
    delete from staff_passkey p where p.id = ${id}::uuid and p.staff = ${staff}
      and (select count(*) from staff_passkey o where o.staff = p.staff and o.id <> p.id) = ${others}
    returning p.staff as email`;
  const done = await commit(call, {
    subject: staff,
    guard: changed,
    steps: [notifyOfChange(call, changed, 'passkeyRemoved'), ...(last ? [dropRecoveryCodes(changed)] : [])],
    operated: {
      action: 'staff.remove_passkey',
      subject: staff,
      before: { passkey: passkey.label },
      after: null,
      reason: null,
    },
  });
  if (!done) throw new Refusal('not_found', 'The passkey was removed, or another was, meanwhile: look again');
  return passkeyRemoved();
}

/** Answer to the removal. */
export function passkeyRemoved(): { message: string } {
  return { message: 'The passkey was removed.' };
}
