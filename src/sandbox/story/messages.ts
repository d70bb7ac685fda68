import type { Database } from '../../platform/database/sql.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Cast, Integrator } from './cast.ts';

/** Answer of the endpoint that is in trouble. */
const ANSWER = '<html><body><h1>502 Bad Gateway</h1></body></html>';
/** After how many hours the rail gives a message up. */
const GIVEN_UP_HOURS = 30;

/** Keeps a rail that runs during the story from sending anything: nobody listens at its addresses. */
export async function holdMessages(db: Database, { integrators }: Cast, at: Date): Promise<void> {
  await db.rows(sql`
    update webhook_endpoint set disabled_at = ${at}, disabled_reason = 'kept_failing'
    where integrator = any(${integrators.map(({ code }) => code)}) and is_default and url is not null`);
}

/** Books how all messages fared: the first integrators took theirs, the last one's endpoint has failed for some days. */
export async function deliverOnStage(db: Database, { integrators }: Cast, now: Date): Promise<void> {
  for (const integrator of integrators) {
    if (integrator.listens === true) await deliverAll(db, integrator);
    if (integrator.listens === false) await failAll(db, integrator, now);
  }
  await db.rows(sql`
    update webhook_endpoint set disabled_at = null, disabled_reason = null
    where integrator = any(${integrators.map(({ code }) => code)}) and is_default`);
}

async function deliverAll(db: Database, { code }: Integrator): Promise<void> {
  await db.rows(sql`
    with delivered as (
      update webhook_delivery d set status = 'delivered', attempts = 1, last_http_status = 200,
        created_at = o.created_at, delivered_at = o.created_at + interval '1 second',
        updated_at = o.created_at + interval '1 second'
      from outbox o where d.integrator = ${code} and d.status = 'pending' and o.id = d.message
      returning d.name, d.delivered_at
    ), taken as (
      delete from webhook_queue q using delivered d where q.delivery = d.name
    )
    insert into webhook_attempt (delivery, at, endpoint, http_status, duration_ms, error, answer)
    select d.name, d.delivered_at, e.url, 200, 60 + abs(hashtext(d.name)) % 240, null, 'ok'
    from delivered d, webhook_endpoint e where e.integrator = ${code} and e.is_default`);
}

async function failAll(db: Database, { code }: Integrator, now: Date): Promise<void> {
  const old = new Date(now.getTime() - GIVEN_UP_HOURS * 3_600_000);
  await db.rows(sql`
    with failed as (
      update webhook_delivery d set status = case when o.created_at < ${old} then 'dead' else 'pending' end,
        attempts = case when o.created_at < ${old} then 8 else 3 end, last_http_status = 502,
        created_at = o.created_at, updated_at = o.created_at + interval '6 minutes'
      from outbox o where d.integrator = ${code} and d.status = 'pending' and o.id = d.message
      returning d.name, d.created_at, d.attempts, d.status
    ), given_up as (
      delete from webhook_queue q using failed f where q.delivery = f.name and f.status = 'dead'
    ), postponed as (
      update webhook_queue q set next_attempt_at = ${now}::timestamptz + interval '2 hours'
      from failed f where q.delivery = f.name and f.status = 'pending'
    )
    insert into webhook_attempt (delivery, at, endpoint, http_status, duration_ms, error, answer)
    select f.name, f.created_at + (n - 1) * interval '2 minutes', e.url, 502, 900 + n * 70, null,
      ${ANSWER}
    from failed f, webhook_endpoint e, generate_series(1, f.attempts) n where e.integrator = ${code} and e.is_default`);
  await db.rows(sql`
    update webhook_endpoint set failing_since = ${new Date(now.getTime() - 2 * 86_400_000)}, prompt = false
    where integrator = ${code} and is_default`);
}
