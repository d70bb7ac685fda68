import { type Step, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { type DisabledReason, PATIENCE_DAYS } from './webhook-endpoint.ts';

/**
 * The step that notes a delivery to the endpoint of an account. Only what has changed is written: a healthy endpoint
 * costs no row.
 */
export function noteDelivery(integrator: string, prompt: boolean): Step {
  return step('health')`
    update integrator set webhook_failing_since = null, webhook_prompt = ${prompt}
    where code = ${integrator} and (webhook_failing_since is not null or webhook_prompt <> ${prompt})`;
}

interface Failure {
  readonly integrator: string;
  readonly endpoint: string;
  readonly reason: DisabledReason;
  readonly at: Date;
}

/**
 * The step that notes a failure of an endpoint, and switches off one that is gone, or has failed every time for too
 * long.
 */
export function noteFailure({ integrator, endpoint, reason, at }: Failure): Step {
  const impatient = new Date(at.getTime() - PATIENCE_DAYS * DAY_MS);
  const givenUp = sql`(${reason === 'answered_gone'} or webhook_failing_since <= ${impatient})`;
  return step('health')`
    update integrator set webhook_failing_since = coalesce(webhook_failing_since, ${at}), webhook_prompt = false,
      webhook_disabled_at = case when ${givenUp} then ${at}::timestamptz end,
      webhook_disabled_reason = case when ${givenUp} then ${reason} end
    where code = ${integrator} and webhook_endpoint = ${endpoint} and webhook_disabled_at is null
      and (webhook_failing_since is null or webhook_prompt or ${givenUp})
    returning code as integrator, webhook_disabled_at`;
}
