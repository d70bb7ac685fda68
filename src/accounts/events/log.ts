import type { Waiting } from '../../platform/change/outbox.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { KEPT_DAYS } from './listening.ts';

/**
 * The step that enters messages in the log, in their order. One process at a time takes messages, and enters them with
 * that: who has read up to a position has read all that will ever be before it.
 */
export function logMessages(messages: Step, waiting: readonly Waiting[], account: Sql): Step {
  return step('logged')`
    insert into event_log (message, integrator, agency, type, created_at)
    select o.id, ${account}, o.agency, o.type, w.created_at
    from ${messages} o join unnest(${waiting.map(({ id }) => id)}::uuid[],
      ${waiting.map(({ createdAt }) => createdAt)}::timestamptz[]) with ordinality as w (id, created_at, place) on w.id = o.id
    order by w.place`;
}

/** Forgets what can no longer be fetched; how many messages. */
export async function purgeEvents(purging: Purging): Promise<number> {
  const before = new Date(purging.now().getTime() - KEPT_DAYS * DAY_MS);
  return purgeRows(purging, 'event_log', sql`created_at < ${before}`);
}
