import { type Finding, raiseAnomalies } from '../../collection/anomalies/raise.ts';
import type { Call } from '../../platform/call/call.ts';
import { hashNetwork } from '../../platform/call/networks.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { type StaffUser, getStaff } from '../staff/find.ts';
import { refuseOwnAccount, requireAuthority } from '../staff/authority.ts';
import { endSessionsOf } from '../sessions/end.ts';

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
 * can. Two people are needed to make a way around the provider: nobody decides it of themselves. Where it is taken
 * away, the sessions that it may have opened end.
 */
export function setBreakGlass(
  call: Call,
  input: { readonly id: string; readonly breakGlass: boolean; readonly reason: string },
): Promise<StaffUser> {
  const { breakGlass } = input;
  const reason = requireText('reason', input.reason, 280);
  return retryUntilSettled(async () => {
    const { email, roles, breakGlass: before } = await getStaff(call, input.id);
    refuseOwnAccount(call.viewer, email);
    requireAuthority(call.viewer, roles);
    if (breakGlass && !(await hasPassword(call, email)))
      throw refuseBecause('no_password', `${email} has no password to log in by`, 'id');
    const taken = before && !breakGlass;
    const changed = guard`
      update staff set break_glass = ${breakGlass}, updated_at = ${call.now()},
        generation = generation + ${taken ? 1 : 0}::int
      where email = ${email} and break_glass = ${before} and (password_hash is not null or not ${breakGlass})
      returning email`;
    const operated = {
      action: 'staff.set_break_glass',
      subject: email,
      before: { break_glass: before },
      after: { break_glass: breakGlass },
      reason,
    };
    const steps = taken ? [endSessionsOf(changed, call.viewer.actor, call.now())] : [];
    const done = await commit(call, { subject: email, guard: changed, steps, operated });
    return done ? getStaff(call, email) : undefined;
  });
}

async function hasPassword({ db }: Call, email: string): Promise<boolean> {
  return (await db.row(sql`select 1 from staff where email = ${email} and password_hash is not null`)) !== null;
}
