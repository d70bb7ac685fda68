import { type Database, sql } from '../../platform/database/sql.ts';
import { addressOfClerk } from './accounts.ts';
import type { Cast } from './cast.ts';

/** Collections of a shift at most. */
const COLLECTIONS = 5;

/** The float that each shift begins with. */
const FLOAT = 50_000;

/**
 * Has what was paid in cash be taken in shifts at the counters of the first agency: by clerks, or under the key of the
 * integrator that it is of. Some drawers are short, some of those by so much that it is an anomaly.
 */
export async function writeShifts(db: Database, { clerks, now }: Cast): Promise<void> {
  await db.rows(sql`
    create temp table history_shift on commit drop as
    with taken as (
      -- Money of a reversal goes back before the shift is closed.
      select n, fate, mda, integrator, paid_at, currency,
        case fate when 'paid' then amount + case when service2 is null then 0 else amount2 end else 0 end as cash,
        (paid_at at time zone 'utc')::date as day,
        (row_number() over (partition by mda, integrator, (paid_at at time zone 'utc')::date order by paid_at, n) - 1)
          / ${COLLECTIONS} as part
      from history_case where channel = 'cash' and fate in ('paid', 'reversed')
    ), shift as (
      select day, mda, integrator, currency, min(paid_at) - interval '2 hours' as opened_at,
        max(paid_at) + interval '3 hours' as closed_at, sum(cash) as cash, (count(*) filter (where fate = 'paid'))::int as collections,
        array_agg(n) as cases,
        row_number() over (partition by day order by mda, integrator, part)::int as number
      from taken group by day, mda, integrator, currency, part
    ), numbered as (
      insert into docname_counter as c (series, next)
      select 'SHIFT-' || day, max(number) + 1 from shift group by day order by day
      on conflict (series) do update set next = c.next + excluded.next - 1 returning c.series, c.next
    )
    select s.*, n.series || '-' || lpad((n.next - m.most + s.number - 1)::text, 3, '0') as name,
      coalesce(s.integrator, ${addressOfClerk(sql`(1 + abs(hashtext(n.series || s.number)) % ${clerks}::int)`)}) as clerk,
      case abs(hashtext(s.number || n.series)) % 40 when 0 then -20000 - round(s.cash * 0.02) when 1 then 500 when 2
        then -1000 else 0 end as variance
    from shift s join numbered n on n.series = 'SHIFT-' || s.day
    join (select day, max(number) as most from shift group by day) m on m.day = s.day`);
  await db.rows(sql`
    insert into counter_shift (name, mda, clerk, integrator, counter_label, status, currency, opening_float, opened_at,
      cash_collected, collection_count, cash_counted, variance, variance_reason, variance_status, variance_decided_by,
      variance_decided_at, closed_at, revision, created_at, updated_at)
    select name, mda, clerk, integrator, 'Window ' || 1 + collections, 'Closed', currency, ${FLOAT}, opened_at, cash,
      collections, ${FLOAT} + cash + variance, variance, case when variance <> 0 then 'Miscounted change' end, decision,
      case when decision <> 'Pending' then 'head@history.example' end,
      case when decision <> 'Pending' then closed_at + interval '1 day' end, closed_at,
      2 + collections, opened_at, closed_at
    from history_shift, lateral (
      select case when variance = 0 then null when closed_at + interval '1 day' > ${now} then 'Pending' else
        (array['Approved', 'Approved', 'Rejected', 'Escalated', 'Pending'])[1 + abs(hashtext(name)) % 5]
      end::variance_status as decision
    ) decided
    order by opened_at, name`);
  await db.rows(sql`
    update history_case c set shift = s.name, clerk = s.clerk
    from history_shift s cross join lateral unnest(s.cases) t (n) where t.n = c.n`);
}
