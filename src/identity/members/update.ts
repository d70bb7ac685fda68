import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { requireName } from '../../kernel/text/names.ts';
import { readText } from '../../kernel/text/free-text.ts';
import { type StaffUser, getStaff } from '../staff/find.ts';
import { notifyOfRoles } from '../staff/notify.ts';
import { refuseOwnAccount, requireAuthority } from '../staff/authority.ts';
import { anAdminStays, refuseLastAdmin } from './last-admin.ts';
import { readAgencies, readRoles, refuseBound } from './read.ts';
import { askForRoles, auditable, divide, reportRoles } from '../grants/roles.ts';

export interface StaffChanges {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly roles?: readonly string[] | null | undefined;
  readonly agencies?: readonly string[] | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Changes the name, roles or agencies of a member of staff, which hold from their very next request on. Roles
 * that take two people, and more agencies for them, are asked for, unless the operator is at the machine itself.
 */
export async function updateStaff(call: Call, changes: StaffChanges): Promise<StaffUser> {
  const reason = readText('reason', changes.reason, 280);
  const asked = changes.roles == null ? null : readRoles(changes.roles);
  const agenciesAsked = changes.agencies == null ? null : await readAgencies(call, changes.agencies);
  const nameAsked = changes.name == null ? null : requireName('name', changes.name);
  return retryUntilSettled(async () => {
    const before = await getStaff(call, changes.id);
    const { email } = before;
    if (asked || agenciesAsked) refuseOwnAccount(call.viewer, email);
    const wanted = { roles: asked ?? before.roles, agencies: agenciesAsked ?? before.agencies };
    if (asked || agenciesAsked) refuseBound(wanted.roles, wanted.agencies);
    const wasAdmin = before.roles.includes('admin');
    requireAuthority(call.viewer, [...before.roles, ...(asked ?? [])]);
    const { roles, agencies, waiting } = divide(call, wanted, before);
    const name = nameAsked ?? before.fullName;
    const goes = wasAdmin && !roles.includes('admin') && before.status === 'Active';
    if (goes) await refuseLastAdmin(call, email);
    const changed = guard`
      update staff set name = ${name}, roles = ${[...roles]}, agencies = ${[...agencies]}, updated_at = ${call.now()}
      where email = ${email} and name = ${before.fullName} and roles = ${[...before.roles]}
        and agencies = ${[...before.agencies]} and ${goes ? anAdminStays(email) : sql`true`}
      returning email`;
    const operated = {
      action: 'staff.update',
      subject: email,
      before: { name: before.fullName, roles: before.roles, agencies: before.agencies },
      after: { name, roles, agencies, ...auditable(waiting) },
      reason,
    };
    const mails = notifyOfRoles(call, changed, before.roles, roles);
    const reported = await reportRoles(call, changed, operated, roles, before.roles);
    const steps =
      asked || agenciesAsked ? [await askForRoles(call, changed, email, waiting, reason), ...mails, ...reported] : [];
    const done = await commit(call, { subject: email, guard: changed, steps, operated });
    return done ? getStaff(call, email) : undefined;
  });
}
