import { type Finding, raiseAnomalies } from '../../../collection/anomalies/raise.ts';
import type { Call } from '../../../platform/call/call.ts';
import { hashNetwork } from '../../../platform/call/networks.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { forbidBecause, refuseBecause, Refusal } from '../../../kernel/refusal.ts';
import { requireText } from '../../../kernel/text/free-text.ts';
import { requireAuthority } from '../members/authority.ts';
import { type StaffUser, findStaff } from '../find.ts';

/**
 * The steps that flag a login by password where staff sign in at a provider: who, and from which network, by a hash of
 * it.
 */
export async function flagBreakGlass(call: Call, opened: Step, session: string, email: string): Promise<Step[]> {
  if (!call.config.singleSignOn) return [];
  const finding: Finding = {
    kind: 'break_glass_login',
    subject: `SESSION-${session}`,
    mdas: [],
    evidence: { staff: email, session: `SESSION-${session}`, network: hashNetwork(call).toString('hex') },
  };
  return raiseAnomalies(call, opened, [finding]);
}

/**
 * Says whether somebody may log in by password although staff sign in at a provider, which such an account no longer
 * can. Two people are needed to make a way around the provider: nobody decides it of themselves.
 */
export function setBreakGlass(
  call: Call,
  input: { readonly id: string; readonly breakGlass: boolean; readonly reason: string },
): Promise<StaffUser> {
  const { breakGlass } = input;
  const reason = requireText('reason', input.reason, 280);
  return retryUntilSettled(async () => {
    const { email, roles, breakGlass: before } = await getMember(call, input.id);
    if (email === call.viewer.actor) throw forbidBecause('own_account', 'You cannot decide this of yourself', 'id');
    requireAuthority(call.viewer, roles);
    if (breakGlass && !(await hasPassword(call, email)))
      throw refuseBecause('no_password', `${email} has no password to log in by`, 'id');
    const changed = guard`
      update staff set break_glass = ${breakGlass}, updated_at = ${call.now()}
      where email = ${email} and break_glass = ${before} and (password_hash is not null or not ${breakGlass})
      returning email`;
    const operated = {
      action: 'staff.set_break_glass',
      subject: email,
      before: { break_glass: before },
      after: { break_glass: breakGlass },
      reason,
    };
    const done = await commit(call, { subject: email, guard: changed, operated });
    return done ? getMember(call, email) : undefined;
  });
}

export async function getMember(call: Call, email: string): Promise<StaffUser> {
  const member = await findStaff(call, email);
  if (!member) throw new Refusal('not_found', 'The member of staff does not exist');
  return member;
}

async function hasPassword({ db }: Call, email: string): Promise<boolean> {
  return (await db.row(sql`select 1 from staff where email = ${email} and password_hash is not null`)) !== null;
}
