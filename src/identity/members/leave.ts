import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { type StaffUser, getStaff } from '../staff/find.ts';
import { voidLinks } from '../links/links.ts';
import { endSessionsOf } from '../sessions/end.ts';
import { refuseOwnAccount, requireAuthority } from '../staff/authority.ts';
import { anAdminStays, refuseLastAdmin } from './last-admin.ts';
import { askForRoles, auditable, divide, reportRoles, withdrawRoles } from '../grants/roles.ts';

export interface Reasoned {
  readonly id: string;
  readonly reason: string;
}

/** Keeps somebody out from their very next request on, on every process: their sessions and links end. */
export async function deactivateStaff(call: Call, input: Reasoned): Promise<StaffUser> {
  const reason = requireText('reason', input.reason, 280);
  return retryUntilSettled(async () => {
    const before = await getStaff(call, input.id);
    const { email, status, roles } = before;
    refuseOwnAccount(call.viewer, email);
    requireAuthority(call.viewer, before.roles);
    if (status === 'Deactivated') throw refuseBecause('staff_not_active', `${email} is deactivated already`, 'email');
    const goes = status === 'Active' && roles.includes('admin');
    if (goes) await refuseLastAdmin(call, email);
    const at = call.now();
    const changed = guard`
      update staff set active = false, deactivated_at = ${at}, deactivated_reason = ${reason},
        generation = generation + 1, updated_at = ${at}
      where email = ${email} and deactivated_at is null and active = ${status === 'Active'}
        and roles = ${[...roles]} and ${goes ? anAdminStays(email) : sql`true`}
      returning email`;
    const operated = {
      action: 'staff.deactivate',
      subject: email,
      before: { status, roles },
      after: { status: 'Deactivated' },
      reason,
    };
    const steps = [
      endSessionsOf(changed, call.viewer.actor, at),
      voidLinks(call, changed),
      withdrawRoles(call, changed, email, 'Deactivated'),
    ];
    const done = await commit(call, { subject: email, guard: changed, steps, operated });
    return done ? getStaff(call, email) : undefined;
  });
}

/**
 * Takes that back. Roles that take two people are given again only once another one approves; those who had not
 * accepted their invitation have to be invited again.
 */
export async function reactivateStaff(call: Call, input: Reasoned): Promise<StaffUser> {
  const reason = requireText('reason', input.reason, 280);
  return retryUntilSettled(async () => {
    const before = await getStaff(call, input.id);
    const { email, status } = before;
    refuseOwnAccount(call.viewer, email);
    requireAuthority(call.viewer, before.roles);
    if (status !== 'Deactivated') throw refuseBecause('staff_active', `${email} is not deactivated`, 'email');
    const { roles, waiting } = divide(call, before, { ...before, roles: [] });
    const changed = guard`
      update staff set active = password_hash is not null, deactivated_at = null, deactivated_reason = null,
        roles = ${roles}, updated_at = ${call.now()}
      where email = ${email} and deactivated_at is not null and roles = ${[...before.roles]}
        and agencies = ${[...before.agencies]} returning email`;
    const operated = {
      action: 'staff.reactivate',
      subject: email,
      before: { status, roles: before.roles },
      after: { roles, ...auditable(waiting) },
      reason,
    };
    const reported = await reportRoles(call, changed, operated, roles);
    const steps = [await askForRoles(call, changed, email, waiting, reason), ...reported];
    const done = await commit(call, { subject: email, guard: changed, steps, operated });
    return done ? getStaff(call, email) : undefined;
  });
}
