import type { Rail } from '../../platform/call/call.ts';
import { type Waiting, takeMessages } from '../../platform/change/outbox.ts';
import { statement, step } from '../../platform/change/step.ts';
import { json, sql } from '../../platform/database/sql.ts';
import { DEFAULT_ENDPOINT } from '../integrators/endpoint/default-endpoint.ts';

/**
 * Any number that nobody else uses: one process relays at a time, so that messages of an object come in their order.
 */
const RELAY_LOCK = 7_283_003;
const BATCH = 500;

/**
 * Hands messages on for delivery: each to the endpoint of its integrator, or to the default endpoint where it is of
 * none, and to nobody where there is no endpoint. How many
 * were taken; a message is taken once, in the statement that enters its delivery.
 */
export async function relay({ db, docnames, now }: Rail): Promise<number> {
  const waiting = await db.rows<Waiting & { readonly deliverable: boolean }>(sql`
    select o.id, q.created_at as "createdAt", i.code is not null as deliverable
    from outbox_queue q join outbox o on o.id = q.message
    left join integrator i on i.code = coalesce(o.integrator, ${DEFAULT_ENDPOINT}) and i.webhook_endpoint is not null and i.status <> 'PendingEmail'
    order by q.created_at, o.object, o.sequence limit ${BATCH}`);
  if (waiting.length === 0) return 0;
  const at = now();
  const deliverable = waiting.filter((message) => message.deliverable);
  const names = await docnames.take('delivery', deliverable.length, at);
  const deliveries = deliverable.map(({ id }, index) => ({ id, name: names[index] }));
  const held = step('held')`select from (select pg_try_advisory_xact_lock(${RELAY_LOCK}) as mine) l where l.mine`;
  const messages = takeMessages(held, waiting);
  const delivered = step('deliveries')`
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, next_attempt_at,
      created_at, updated_at)
    select d.name, t.id, coalesce(t.integrator, ${DEFAULT_ENDPOINT}), t.type, t.object, t.sequence, 'pending', ${at}, ${at}, ${at}
    from ${messages} t join jsonb_to_recordset(${json(deliveries)}::jsonb) as d (id uuid, name text) on d.id = t.id`;
  const taken = await db.rows(statement(sql`select id from ${messages}`, [delivered]));
  return taken.length;
}

/** Milliseconds until there is a message to relay or to send; null where there is none. */
export async function timeToNext({ db, now }: Rail): Promise<number | null> {
  const row = await db.row<{ queued: boolean; next: Date | null }>(sql`
    select exists (select from outbox_queue) as queued, min(d.next_attempt_at) as next
    from integrator i cross join lateral (
      select next_attempt_at from webhook_delivery where integrator = i.code and status = 'pending'
      order by next_attempt_at limit 1
    ) d where i.status = 'Active' and i.webhook_endpoint is not null and i.webhook_disabled_at is null`);
  if (row!.queued) return 0;
  return row!.next && row!.next.getTime() - now().getTime();
}
