import { type Database, sql } from '../../platform/database/sql.ts';

/** Least payments of a day and provider in a statement: the run of a day compares a part of them. */
const PART = 4;

/** Compares each provider's statement of each day with what is recorded; all of it matches, except one of 500 rows. */
export async function writeStatements(db: Database, period: string): Promise<void> {
  await db.rows(sql`
    with compared as (
      select channel::text as provider, (paid_at at time zone 'utc')::date as day, intent, currency, paid_at,
        amount + case when service2 is null then 0 else amount2 end as amount,
        row_number() over (partition by channel, (paid_at at time zone 'utc')::date order by paid_at, n)::int as idx,
        case when n % 500 = 0 then 'amount_differs' else 'matched' end as outcome
      from history_case where fate = 'paid' and channel <> 'cash' and n % ${PART} = 0
    ), run as (
      select provider, day, count(*) filter (where outcome = 'matched')::int as matched,
        count(*) filter (where outcome <> 'matched')::int as differs,
        row_number() over (order by day, provider)::int as number
      from compared group by provider, day
    ), series as (
      insert into docname_counter as c (series, next)
      select ${`RECON-${period}`}::text, count(*) + 1 from run
      on conflict (series) do update set next = c.next + excluded.next - 1
      returning c.next - (select count(*) from run) as first
    ), named as (
      insert into reconciliation_run (name, provider, from_at, to_at, source_hash, rows, ignored, matched, missing_here,
        missing_there, amount_differs, duplicate, created_by, created_at)
      select ${`RECON-${period}-`} || lpad((s.first - 1 + r.number)::text, 6, '0'), r.provider,
        r.day::timestamp at time zone 'utc', (r.day + 1)::timestamp at time zone 'utc',
        encode(sha256((r.provider || r.day || s.first)::bytea), 'hex'), '[]', 0, r.matched, 0, 0, r.differs, 0,
        'head@history.example', (r.day + 1)::timestamp at time zone 'utc' + r.number * interval '1 second'
      from run r, series s order by r.number returning name, provider, from_at
    )
    insert into reconciliation_item (name, run, idx, outcome, line, reference, intent, intent_status, statement_amount,
      statement_currency, recorded_amount, recorded_currency, txn_id)
    select r.name || '.' || lpad(c.idx::text, 6, '0'), r.name, c.idx, c.outcome, c.idx + 1, 'HISTORY-' || c.intent,
      c.intent, 'Confirmed', c.amount + case when c.outcome = 'matched' then 0 else 500 end, c.currency, c.amount,
      c.currency, 'TXN-' || c.intent
    from compared c join named r on r.provider = c.provider and r.from_at = c.day::timestamp at time zone 'utc'
    order by r.name, c.idx`);
}
