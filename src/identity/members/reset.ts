import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { type StaffUser, getStaff } from '../staff/find.ts';
import { notifyOfChange } from '../staff/notify.ts';
import { holdsSecondFactor } from '../staff/held.ts';
import { dropSecondFactors } from '../second-factor/remove.ts';
import { endSessionsOf } from '../sessions/end.ts';
import { refuseOwnAccount, requireAuthority } from '../staff/authority.ts';
import type { Reasoned } from './leave.ts';

/** Removes the second factors of somebody who has lost them; their sessions end, and they are told by mail. */
export async function resetSecondFactor(call: Call, input: Reasoned): Promise<StaffUser> {
  const reason = requireText('reason', input.reason, 280);
  const before = await getStaff(call, input.id);
  const { email } = before;
  refuseOwnAccount(call.viewer, email);
  requireAuthority(call.viewer, before.roles);
  const at = call.now();
  const changed = guard`
    update staff set generation = generation + 1, updated_at = ${at}
    where email = ${email} and ${holdsSecondFactor(sql`email`)} returning email`;
  const operated = {
    action: 'staff.reset_second_factor',
    subject: email,
    before: { second_factor: true },
    after: { second_factor: false },
    reason,
  };
  const steps = [
    endSessionsOf(changed, call.viewer.actor, at),
    ...dropSecondFactors(changed),
    notifyOfChange(call, changed, 'reset'),
  ];
  if (!(await commit(call, { subject: email, guard: changed, steps, operated })))
    throw refuseBecause('second_factor_not_enrolled', `${email} has no second factor`, 'email');
  return getStaff(call, email);
}

/** Ends all sessions of somebody, from their very next request on, on every process. */
export async function endStaffSessions(call: Call, input: Reasoned): Promise<StaffUser> {
  const reason = requireText('reason', input.reason, 280);
  const before = await getStaff(call, input.id);
  const { email } = before;
  requireAuthority(call.viewer, before.roles);
  const at = call.now();
  const changed = guard`
    update staff set generation = generation + 1, updated_at = ${at} where email = ${email} returning email`;
  const operated = { action: 'staff.end_sessions', subject: email, before: null, after: null, reason };
  const steps = [endSessionsOf(changed, call.viewer.actor, at)];
  await commit(call, { subject: email, guard: changed, steps, operated });
  return getStaff(call, email);
}
