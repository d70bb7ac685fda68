import type { Rail } from '../../platform/call/call.ts';
import { type Waiting, takeMessages } from '../../platform/change/outbox.ts';
import { type Purging, purgeRows } from '../../platform/change/purge.ts';
import { statement, step } from '../../platform/change/step.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { accountOf, endpointsOf, sendable } from '../endpoints/matching.ts';
import { KEPT_DAYS } from '../events/listening.ts';
import { logMessages } from '../events/log.ts';
import { queueDeliveries } from './queue.ts';

/**
 * Any number that nobody else uses: one process relays at a time, so that messages of an object come in their order.
 */
const RELAY_LOCK = 7_283_003;
const BATCH = 500;

/**
 * Hands messages on: into the log of events that accounts and agencies fetch, and for delivery to each endpoint that
 * wants them. How many were taken; a message is taken once, in the statement that enters its deliveries.
 */
export async function relay({ db, docnames, now }: Rail): Promise<number> {
  // The clocks of processes differ: what waits of an object goes with its later messages, and before them.
  const waiting = await db.rows<Waiting & { readonly endpoints: readonly string[] }>(sql`
    with due as (
      select o.object, max(o.sequence) as last from (
        select message from outbox_queue order by created_at, message limit ${BATCH}) q
      join outbox o on o.id = q.message group by o.object
    )
    select o.id, q.created_at as "createdAt", ${endpointsOf} as endpoints
    from due join outbox o on o.object = due.object and o.sequence <= due.last
    join outbox_queue q on q.created_at = o.created_at and q.message = o.id
    order by max(q.created_at) over (partition by o.object order by o.sequence), o.object, o.sequence`);
  if (waiting.length === 0) return 0;
  const at = now();
  const wanted = waiting.flatMap(({ id, endpoints }) => endpoints.map((endpoint) => ({ id, endpoint })));
  const names = await docnames.take('delivery', wanted.length, at);
  const deliveries = wanted.map((each, index) => ({ ...each, name: names[index] }));
  const held = step('held')`select from (select pg_try_advisory_xact_lock(${RELAY_LOCK}) as mine) l where l.mine`;
  const messages = takeMessages(held, waiting);
  const delivered = step('deliveries')`
    insert into webhook_delivery (name, message, endpoint, integrator, agency, type, object, sequence, status,
      created_at, updated_at)
    select d.name, o.id, e.name, e.integrator, e.agency, o.type, o.object, o.sequence, 'pending', ${at}, ${at}
    from ${messages} o join jsonb_to_recordset(${json(deliveries)}::jsonb) as d (id uuid, endpoint text, name text)
      on d.id = o.id
    join webhook_endpoint e on e.name = d.endpoint and e.place is not null for key share of e
    returning name, endpoint, object, sequence`;
  const taken = await db.rows(
    statement(sql`select id from ${messages}`, [
      queueDeliveries(delivered, at),
      logMessages(messages, waiting, accountOf),
    ]),
  );
  return taken.length;
}

/** Milliseconds until there is a message to relay or to send; null where there is none. */
export async function timeToNext({ db, now }: Rail): Promise<number | null> {
  const row = await db.row<{ queued: boolean; next: Date | null }>(sql`
    select exists (select from outbox_queue) as queued, min(d.next_attempt_at) as next
    from ${sendable} e cross join lateral (
      select next_attempt_at from webhook_queue where endpoint = e.name order by next_attempt_at limit 1
    ) d`);
  if (row!.queued) return 0;
  return row!.next && row!.next.getTime() - now().getTime();
}

/**
 * Forgets deliveries that ended long ago, once their attempts are gone, which go month by month; how many deliveries.
 */
export async function purgeDeliveries(purging: Purging): Promise<number> {
  await purging.db.rows(sql`select forget_attempts()`);
  const before = new Date(purging.now().getTime() - KEPT_DAYS * DAY_MS);
  return purgeRows(
    purging,
    'webhook_delivery',
    sql`created_at < ${before} and updated_at < ${before} and status <> 'pending'
      and not exists (select from webhook_attempt t where t.delivery = webhook_delivery.name)`,
  );
}
