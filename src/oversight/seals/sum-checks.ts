import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';
import { ROLLUPS, type Rollup, isByService, keyOfRollup } from '../revenue/rollups.ts';
import { type Check, listDifferences } from './check.ts';

/** Payment events that are part of the sums: all but those that wait to be. */
const foldedFrom = (table: string, event: string): Sql => sql`
  select * from ${raw(table)} e where not exists (select from oversight_tail t where t.kind = 'payment_event'
    and t.subject = e.${raw(event)})`;

/** Payment events, and where each was taken. */
const PLACED = sql`
  select e.mda, e.channel, e.currency, e.kind, e.amount, e.occurred_at, e.occurred_at at time zone z.time_zone as local_at,
    case when a.shift is not null then 'counter' when e.integrator is not null then 'integrator' else 'other' end as station,
    coalesce(h.mda || coalesce(' ' || nullif(trim(h.counter_label), ''), ''), '') as counter,
    coalesce(e.integrator, '') as integrator, null::text as service, 0 as quantity
  from (${foldedFrom('payment_event', 'name')}) e join agency_calendar z using (mda)
  left join assessment a on a.name = e.assessment left join counter_shift h on h.name = a.shift`;
/** Their parts, which are checked beside them. */
const PARTS = sql`
  select mda, channel, currency, kind, amount, occurred_at, local_at, station, counter, integrator, service, quantity
  from revenue_part`;

/** Stored sums beside the sums of what they are made of. */
function sumsOf(rollup: Rollup): Check {
  const { table, period } = rollup;
  const key = keyOfRollup(rollup);
  const columns = joined(key.map((name) => raw(name)));
  const sums = ['collected', 'reversed', 'payments', 'reversals', ...(isByService(rollup) ? ['sold', 'returned'] : [])];
  const differs = listDifferences(
    Object.fromEntries(sums.map((name) => [name, sql`coalesce(r.${raw(name)}, 0) <> coalesce(t.${raw(name)}, 0)`])),
  );
  return [
    table,
    sql`select * from (
        select concat_ws(' ', ${table}::text, ${columns}) as row,
          ${rollup.columns.includes('mda') ? sql`mda` : sql`null::text as mda`}, 'differs from its events in ' || ${differs} as why
        from ${raw(table)} r full join (
          select ${columns}, sum(amount) filter (where kind = 'payment') as collected,
            -sum(amount) filter (where kind = 'reversal') as reversed,
            count(*) filter (where kind = 'payment') as payments,
            count(*) filter (where kind = 'reversal') as reversals,
            sum(quantity) filter (where kind = 'payment') as sold,
            sum(quantity) filter (where kind = 'reversal') as returned
          from (
            select date_trunc(${period}, occurred_at at time zone 'utc')::date as day,
              date_trunc(${period}, local_at)::date as local_day,
              extract(hour from occurred_at at time zone 'utc')::smallint as hour,
              extract(hour from local_at)::smallint as local_hour, e.*
            from (${isByService(rollup) ? PARTS : PLACED}) e
          ) e group by ${columns}
        ) t using (${columns})
      ) d where why is not null`,
  ];
}

/**
 * What is stored of payment events elsewhere, beside them. What waits to become part of it is left out on both sides.
 */
export const SUM_CHECKS: readonly Check[] = [
  ...ROLLUPS.map((rollup) => sumsOf(rollup)),
  [
    'revenue_part',
    sql`select * from (
        select concat_ws(' ', coalesce(e.event, p.event), coalesce(e.service, p.service)) as row,
          coalesce(e.mda, p.mda) as mda,
          case when e.event is null then 'is a part of no event' when p.event is null then 'is missing'
          when parts > 1 then 'is there more than once' else 'differs from its event in ' || ${listDifferences({
            occurred_at: sql`p.occurred_at <> e.occurred_at`,
            local_at: sql`p.local_at <> e.local_at`,
            mda: sql`p.mda <> e.mda`,
            channel: sql`p.channel <> e.channel`,
            currency: sql`p.currency <> e.currency`,
            kind: sql`p.kind <> e.kind`,
            amount: sql`p.amount <> e.amount`,
            leads: sql`p.leads <> e.leads`,
            station: sql`p.station <> e.station`,
            counter: sql`p.counter is distinct from e.counter`,
            integrator: sql`p.integrator is distinct from e.integrator`,
            quantity: sql`p.quantity <> e.quantity`,
          })} end as why
        from (select *, count(*) over (partition by event, service) as parts from revenue_part) p
          full join (${foldedFrom('event_share', 'event')}) e on e.event = p.event and e.service = p.service
      ) d where why is not null`,
  ],
  [
    'payment_size_monthly',
    sql`select concat_ws(' ', day, local_day, mda, channel, currency, amount) as row, mda, 'differs from its payments' as why
      from payment_size_monthly s full join (
        select date_trunc('month', e.occurred_at at time zone 'utc')::date as day,
          date_trunc('month', e.occurred_at at time zone z.time_zone)::date as local_day, mda, e.channel, e.currency,
          e.amount, count(*) as payments
        from (${foldedFrom('payment_event', 'name')}) e join agency_calendar z using (mda) where e.kind = 'payment'
        group by 1, 2, 3, 4, 5, 6
      ) t using (day, local_day, mda, channel, currency, amount) where s.payments is distinct from t.payments`,
  ],
  [
    'payment_size_yearly',
    sql`select concat_ws(' ', case when local then 'local' else 'UTC' end, month, mda, channel, currency, amount) as row, mda,
        'differs from the sums of months' as why
      from (
        select local, make_date(year, month, 1) as month, mda, channel, currency, amount, payments
        from payment_size_yearly cross join lateral (
          values (1, m1), (2, m2), (3, m3), (4, m4), (5, m5), (6, m6), (7, m7), (8, m8), (9, m9), (10, m10), (11, m11), (12, m12)
        ) m (month, payments) where payments <> 0
      ) s full join (
        select local, month, mda, channel, currency, amount, sum(payments) as payments
        from payment_size_monthly p cross join lateral (values (false, p.day), (true, p.local_day)) c (local, month)
        group by 1, 2, 3, 4, 5, 6
      ) t using (local, month, mda, channel, currency, amount) where s.payments is distinct from t.payments`,
  ],
  [
    'collected_daily',
    sql`select concat_ws(' ', day, provider, currency) as row, null::text as mda, 'differs from its payments' as why
      from collected_daily s full join (
        select (e.occurred_at at time zone 'utc')::date as day, i.aggregator as provider, e.currency,
          sum(e.amount) as amount
        from (${foldedFrom('payment_event', 'name')}) e join payment_intent i on i.name = e.intent
        where e.kind = 'payment' group by 1, 2, 3
      ) t using (day, provider, currency) where s.amount is distinct from t.amount`,
  ],
  [
    'oversight_stream',
    sql`select * from (
        select coalesce(e.name, s.subject) as row, coalesce(e.mda, s.mda) as mda,
          case when e.name is null then 'oversight is shown it, and it is not there'
          when s.subject is null then 'oversight is not shown it, and it does not wait to be' else 'oversight is shown another ' || ${listDifferences(
            {
              mda: sql`s.mda is distinct from e.mda`,
              channel: sql`s.channel is distinct from e.channel`,
              currency: sql`s.currency is distinct from e.currency`,
              kind: sql`s.event_kind is distinct from e.kind`,
              amount: sql`s.amount is distinct from e.amount`,
              occurred_at: sql`s.occurred_at is distinct from e.occurred_at`,
            },
          )} end as why
        from (select * from oversight_stream where kind = 'payment_event') s full
          join (${foldedFrom('payment_event', 'name')}) e on e.name = s.subject
      ) d where why is not null`,
  ],
  [
    'oversight_tail',
    sql`select t.subject as row, null::text as mda, case when e.name is null then 'waits to be counted, and is not there' else 'waits to be counted, and is' end as why
      from oversight_tail t left join payment_event e on e.name = t.subject
      left join oversight_stream s on s.kind = 'payment_event' and s.subject = t.subject
      where t.kind = 'payment_event' and (e.name is null or s.subject is not null)`,
  ],
  [
    'stream_positions',
    sql`select 'oversight_stream ' || (last + 1) || ' to ' || (position - 1) as row, null::text as mda, 'these positions are missing' as why
      from (select position, lag(position, 1, 0::bigint) over (order by position) as last from oversight_stream) s
      where position <> last + 1`,
  ],
  [
    'counter_shift',
    sql`select s.name as row, s.mda, 'its cash collected differs from its events' as why
      from counter_shift s left join (
        select a.shift, sum(e.amount) as cash from assessment a join payment_event e on e.assessment = a.name
          and e.channel = 'cash' where a.shift is not null group by a.shift
      ) e on e.shift = s.name where s.cash_collected <> coalesce(e.cash, 0)`,
  ],
];
