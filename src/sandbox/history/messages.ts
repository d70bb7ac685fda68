import { type Database, sql } from '../../platform/database/sql.ts';
import { takeNumbers } from './cases.ts';

/** Sends integrators messages about half of the payments; one of a hundred did not arrive. */
export async function writeDeliveries(db: Database, period: string, count: number): Promise<void> {
  const first = await takeNumbers(db, `WHD-${period}`, count);
  await db.rows(sql`
    with message as (
      insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
      select gen_random_uuid(), 'assessment.paid', assessment, 3, integrator, jsonb_build_object('name', assessment,
        'citizen', citizen, 'status', 'Paid', 'currency', currency, 'total_amount', amount, 'paid_at', paid_at,
        'service', service, 'service_name', service_name, 'mda', mda), paid_at, paid_at
      from history_case where fate = 'paid' and integrator is not null and n % 5 < 3
      order by paid_at returning id, object, sequence, integrator, created_at
    ), delivery as (
      insert into webhook_delivery (name, message, integrator, type, object, sequence, status, attempts,
        last_http_status, created_at, updated_at, delivered_at)
      select ${`WHD-${period}-`} || lpad((${first} - 1 + number)::text, 6, '0'), id, integrator, 'assessment.paid',
        object, sequence, case when dead then 'dead' else 'delivered' end, 1, case when dead then 500 else 200 end,
        created_at, created_at, case when not dead then created_at end
      from (select *, row_number() over (order by created_at, id) as number from message) m,
        lateral (select number % 100 = 0 as dead) d
      order by number returning name, created_at, last_http_status
    )
    insert into webhook_attempt (delivery, at, endpoint, http_status, duration_ms, error, answer)
    select name, created_at, 'https://office.history.example/hooks', last_http_status, 120, null, 'OK' from delivery`);
}

/** Tells agencies of about a third of what was paid for; one of a hundred could not be told. */
export async function writePropagations(db: Database): Promise<void> {
  await db.rows(sql`
    insert into propagation (name, assessment, mda, status, attempts, last_error, receipt, created_at, updated_at,
      done_at)
    select assessment || '.' || mda, assessment, mda, case when dead then 'dead' else 'done' end, 1,
      case when dead then 'The agency answered 503' end, case when not dead then 'R-' || intent end, paid_at, paid_at,
      case when not dead then paid_at end
    from history_case, lateral (select n % 1000 = 0 as dead) d
    where fate = 'paid' and n % 10 < 3 order by paid_at`);
}
