import { HOT_DAYS } from '../../platform/audit/trail.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Database, sql } from '../../platform/database/sql.ts';
import { codeOfIntegrator, keyOfIntegrator } from './accounts.ts';
import type { Cast } from './cast.ts';

/** Requests of integrators, the most frequent first. */
const ENDPOINTS = [
  'GET /v1/assessments/{name}',
  'POST /v1/assessments',
  'POST /v1/assessments/{name}:assess',
  'POST /v1/payment-intents',
  'POST /v1/payment-intents/{name}:initiate',
  'POST /v1/payment-intents/{name}:confirm',
  'GET /v1/payment-intents/{name}',
  'GET /v1/services',
  'GET /v1/citizens',
  'POST /v1/citizens',
  'GET /v1/payment-events',
  'POST /graphql',
  'GET /v1/citizens/{name}',
] as const;

/** Days of which one statement writes the log. */
const DAYS = 5;

/** Writes so many lines of the log of requests, as far back as it is at hand; some days at a time. */
export async function* writeRequests(db: Database, lines: number, cast: Cast, now: Date) {
  const spans = HOT_DAYS / DAYS;
  await db.rows(sql`
    select ensure_audit_partition(${now}::timestamptz - n * interval '1 month')
    from generate_series(0, ${Math.ceil(HOT_DAYS / 28)}::int) n`);
  const each = Math.ceil(lines / spans);
  for (let span = spans; span > 0; span--) {
    const from = new Date(now.getTime() - span * DAYS * DAY_MS);
    const index = sql`case when lot % 100 < 40 then 1 else 2 + lot / 100 % greatest(${cast.integrators.length}::int - 1, 1) end`;
    await db.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor)
      select gen_random_uuid(), ${from}::timestamptz + n * (interval '1 day' * ${DAYS}::int / ${each}::int),
        gen_random_uuid(), status, (${[...ENDPOINTS]}::text[])[1 + floor(power(random(), 2) * ${ENDPOINTS.length}::int)],
        case when status = 403 then 'api.auth.denied' when status = 500 then 'api.handler.error' else
          'api.auth.granted' end,
        ${codeOfIntegrator(cast, sql`i`)}, ${keyOfIntegrator(sql`i`)}, ${codeOfIntegrator(cast, sql`i`)}
      from (
        select n, lot, ${index} as i,
          case when lot % 997 = 0 then 500 when lot % 89 = 0 then 403 when lot % 41 = 0 then 422 when lot % 37 = 0
            then 404 else 200 end as status
        from generate_series(1, ${each}::int) n, lateral (select floor(random() * 100000000)::int + n * 0 as lot) l
      ) drawn`);
    yield (spans - span + 1) * each;
  }
}

/** Writes so many lines of what operators did, over the years of the history. */
export async function writeOperations(db: Database, lines: number, years: number, cast: Cast): Promise<void> {
  await db.rows(sql`
    insert into operator_audit (at, actor, action, subject, before, after, reason, request_id)
    select ${cast.now}::timestamptz - (${lines}::int - n) * (interval '1 year' * ${years}::float8 / ${lines}::int),
      'operator' || n % 20 || '@history.example', (array['integrator.suspend', 'key.revoke', 'key.issue',
        'anomaly.resolve'])[1 + n % 4], ${codeOfIntegrator(cast, sql`(1 + n % ${cast.integrators.length}::int)`)}, '{"status": "Active"}',
      '{"status": "Suspended"}', 'As agreed with the office', gen_random_uuid()
    from generate_series(1, ${lines}::int) n`);
}

/** Writes so many notices, of which the last are not over. */
export async function writeNotices(db: Database, notices: number, now: Date): Promise<void> {
  await db.rows(sql`
    insert into service_notice (name, title, body, severity, starts_at, ends_at, created_by, created_at)
    select 'NOTICE-2020-' || (900000 + n), 'Maintenance', 'The rail is maintained tonight.', 'info', at,
      at + interval '6 hours', 'operator1@history.example', at
    from generate_series(1, ${notices}::int) n,
      lateral (select ${now}::timestamptz - (${notices}::int - n) * interval '8 hours' as at) m
    -- Made up before.
    on conflict do nothing`);
}
