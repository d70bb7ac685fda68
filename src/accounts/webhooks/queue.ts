import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOver } from '../../platform/reading/ends.ts';

/**
 * A process that claimed a message and died gives it back after this long; the try that it did not book does not count.
 */
export const CLAIM_SECONDS = 30;

/** True if no process has the queued message `q` in hand. Claims follow the database's clock, which all processes share. */
export const free = sql`(q.claimed_until is null or ${isOver(sql`q.claimed_until`, sql`now()`, CLAIM_SECONDS)})`;

/** The condition under which `q` is the place in the queue of a delivery `d`. */
export const isPlace = sql`(q.endpoint, q.object, q.sequence) = (d.endpoint, d.object, d.sequence)`;

/** The step that queues the deliveries that another one wrote, and has those that wait already sent at once. */
export function queueDeliveries(written: Step, at: Date): Step {
  return step('queued')`
    insert into webhook_queue as q (delivery, endpoint, object, sequence, next_attempt_at)
    select name, endpoint, object, sequence, ${at} from ${written}
    on conflict (endpoint, object, sequence) do update
    set next_attempt_at = excluded.next_attempt_at, claimed_until = null where ${free}`;
}
