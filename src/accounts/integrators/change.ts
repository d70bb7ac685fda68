import type { Account } from '../../platform/access/account.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import type { IntegratorStatus } from '../../generated/prisma/enums.ts';

/** Members of an account that operators decide. */
export interface OperatorsPart extends Account {
  readonly status: IntegratorStatus;
  readonly suspendedReason: string | null;
  readonly notes: string | null;
}

/** The step that holds an account which is still as operators read it; it yields its `code`, or nothing. */
export function holdAccount(code: string, before: OperatorsPart): Step {
  const { status, tier, pricingTier, allowedChannels, allowedAgencies, limitPerMinute, notes } = before;
  return step('held')`
    select code from integrator
    where code = ${code} and status = ${status}::integrator_status and tier = ${tier}::integrator_tier
      and pricing_tier = ${pricingTier}::pricing_tier and allowed_channels = ${[...allowedChannels]}
      and allowed_agencies = ${[...allowedAgencies]} and limit_per_minute is not distinct from ${limitPerMinute}
      and notes is not distinct from ${notes}
    for no key update`;
}

/** The step that makes the account in the column `integrator` of another step what operators decided. */
export function setAccount({ now }: Call, of: Step, after: OperatorsPart): Step {
  const { status, suspendedReason, tier, pricingTier, allowedChannels, allowedAgencies, limitPerMinute, notes } = after;
  return step('set')`
    update integrator i set status = ${status}::integrator_status, suspended_reason = ${suspendedReason},
      tier = ${tier}::integrator_tier, pricing_tier = ${pricingTier}::pricing_tier,
      allowed_channels = ${[...allowedChannels]}, allowed_agencies = ${[...allowedAgencies]},
      limit_per_minute = ${limitPerMinute}, notes = ${notes}, updated_at = ${now()}
    from ${of} o where i.code = o.integrator`;
}

/** The step that notes when the account in the column `integrator` of another step signed in. */
export function noteLogin(signedIn: Step, at: Date): Step {
  return step('greeted')`update integrator i set last_login_at = ${at} from ${signedIn} s where i.code = s.integrator`;
}
