import type { Call } from '../../platform/call/call.ts';
import { type Step, guard, step } from '../../platform/change/step.ts';
import type { IntegratorStatus, IntegratorTier } from '../../generated/prisma/enums.ts';

/** What operators decide of an account. */
export interface OperatorsPart {
  readonly status: IntegratorStatus;
  readonly suspendedReason: string | null;
  readonly tier: IntegratorTier;
  readonly notes: string | null;
}

/**
 * The guard of a change that an operator makes of an account: it happens to the account as it was read, or not at all.
 */
export function changeAccount({ now }: Call, code: string, before: OperatorsPart, after: OperatorsPart): Step {
  const { status, suspendedReason, tier, notes } = after;
  return guard`
    update integrator set status = ${status}::integrator_status, suspended_reason = ${suspendedReason},
      tier = ${tier}::integrator_tier,
      notes = ${notes}, updated_at = ${now()}
    where code = ${code} and status = ${before.status}::integrator_status and tier = ${before.tier}::integrator_tier
      and notes is not distinct from ${before.notes} returning code`;
}

/** The step that notes when the account in the column `integrator` of another step signed in. */
export function noteLogin(signedIn: Step, at: Date): Step {
  return step('greeted')`update integrator i set last_login_at = ${at} from ${signedIn} s where i.code = s.integrator`;
}
