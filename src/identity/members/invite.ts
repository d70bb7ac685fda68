import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireEmail } from '../../kernel/text/email.ts';
import { requireName } from '../../kernel/text/names.ts';
import { type StaffUser, findStaff, getStaff } from '../staff/find.ts';
import { mailLink } from '../links/links.ts';
import { requireAuthority } from '../staff/authority.ts';
import { readAgencies, readRoles, refuseBound } from './read.ts';
import { askForRoles, auditable, divide, reportRoles } from '../grants/roles.ts';

export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly agencies?: readonly string[] | null | undefined;
}

/**
 * Invites somebody to work with the rail: they get a link by mail, by which they choose a password. Somebody who was
 * invited and has not accepted is invited again, as is said now, and the earlier link works no more. Roles that take
 * two people are asked for, unless the operator is at the machine itself.
 */
export async function inviteStaff(call: Call, input: Invitation): Promise<StaffUser> {
  const email = requireEmail('email', input.email);
  const name = requireName('name', input.name);
  const asked = readRoles(input.roles);
  const agenciesAsked = await readAgencies(call, input.agencies ?? []);
  refuseBound(asked, agenciesAsked);
  return retryUntilSettled(async () => {
    const before = await findStaff(call, email);
    if (before && before.status !== 'Invited')
      throw new Refusal('duplicate_email', `${email} is a member of staff already: ${before.status}`);
    requireAuthority(call.viewer, [...asked, ...(before?.roles ?? [])]);
    const wanted = { roles: asked, agencies: agenciesAsked };
    const { roles: given, agencies, waiting } = divide(call, wanted, before ?? { roles: [], agencies: [] });
    const at = call.now();
    const changed = guard`
      insert into staff as u (email, name, roles, agencies, password_hash, active, invited_at, created_at, updated_at)
      values (${email}, ${name}, ${given}, ${agencies}, null, false, ${at}, ${at}, ${at})
      on conflict (email) do update set name = excluded.name, roles = excluded.roles, agencies = excluded.agencies,
        invited_at = excluded.invited_at, updated_at = excluded.updated_at
      where not u.active and u.deactivated_at is null and u.roles = ${before ? [...before.roles] : []}
        and u.agencies = ${before ? [...before.agencies] : []}
      returning u.email, u.email as staff`;
    const operated = {
      action: 'staff.invite',
      subject: email,
      before: before && { name: before.fullName, roles: before.roles, agencies: before.agencies },
      after: { name, roles: given, agencies, ...auditable(waiting) },
      reason: null,
    };
    const asking = await askForRoles(call, changed, email, waiting, null);
    const reported = await reportRoles(call, changed, operated, given, before?.roles);
    const steps = [...mailLink(call, 'invitation', changed), asking, ...reported];
    const done = await commit(call, { subject: email, guard: changed, steps, operated });
    return done ? getStaff(call, email) : undefined;
  });
}
