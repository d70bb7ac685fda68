import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type DisabledReason, PATIENCE_DAYS } from './address.ts';

/** The step that notes a delivery to an endpoint. Only what has changed is written: a healthy endpoint costs no row. */
export function noteDelivery(endpoint: string, prompt: boolean): Step {
  return step('health')`
    update webhook_endpoint set failing_since = null, prompt = ${prompt}
    where name = ${endpoint} and (failing_since is not null or prompt <> ${prompt})`;
}

interface Failure {
  readonly endpoint: string;
  /** Address that the message was sent to: an endpoint with another one since did not fail. */
  readonly url: string;
  readonly reason: DisabledReason;
  readonly at: Date;
}

/**
 * The step that notes a failure of an endpoint, and switches off one that is gone, or has failed every time for too
 * long.
 */
export function noteFailure({ endpoint, url, reason, at }: Failure): Step {
  const impatient = new Date(at.getTime() - PATIENCE_DAYS * DAY_MS);
  const givenUp = sql`(${reason === 'answered_gone'} or failing_since <= ${impatient})`;
  return step('health')`
    update webhook_endpoint set failing_since = coalesce(failing_since, ${at}), prompt = false,
      disabled_at = case when ${givenUp} then ${at}::timestamptz end,
      disabled_reason = case when ${givenUp} then ${reason} end
    where name = ${endpoint} and url = ${url} and disabled_at is null
      and (failing_since is null or prompt or ${givenUp})
    returning integrator, disabled_at`;
}
