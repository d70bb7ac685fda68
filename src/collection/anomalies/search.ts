import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { findHarvests } from './harvests.ts';
import { type Finding, raiseAnomalies } from './raise.ts';
import { thresholdsOf } from './thresholds.ts';

/** Looks for what is strange about yesterday, and who goes through the registry today, and raises it; how much was found, raised before or not. */
export async function lookForAnomalies(call: Call): Promise<number> {
  const today = dayOf(call.now());
  const yesterday = new Date(today.getTime() - DAY_MS);
  const found = (
    await Promise.all([
      findCancellations(call, yesterday),
      findOffHours(call, yesterday),
      findRoundAmounts(call, yesterday),
      findSuddenChanges(call, yesterday),
      findHarvests(call, yesterday),
      findHarvests(call, today),
      findUnproved(call, today),
    ])
  ).flat();
  return raiseAll(call, found);
}

/** Looks for gaps in the numbers of seals. */
export async function lookForSealGaps(call: Call): Promise<number> {
  const gaps = await call.db.rows<{ mda: string; last: number; sealed: number }>(
    sql`select mda, max(sequence) as last, count(*) as sealed from event_seal group by mda having max(sequence) <> count(*)`,
  );
  return raiseAll(
    call,
    gaps.map(({ mda, last, sealed }) => ({
      kind: 'seal_gap',
      subject: `${mda}:${last}:${sealed}`,
      mdas: [mda],
      evidence: { last_sequence: last, sealed },
    })),
  );
}

async function raiseAll(call: Call, found: readonly Finding[]): Promise<number> {
  if (found.length > 0)
    await commit(call, { subject: null, guard: always, steps: await raiseAnomalies(call, always, found) });
  return found.length;
}

/** Claims about payments that were asked about in vain for three days, by the day of their report. */
async function findUnproved({ db }: Call, today: Date): Promise<Finding[]> {
  const rows = await db.rows<{ provider: string; day: string; claims: number; transactions: string[] }>(sql`
    select provider, to_char(received_at at time zone 'utc', 'YYYY-MM-DD') as day, count(*)::int as claims,
      (array_agg(txn_id order by received_at))[1:20] as transactions
    from payment_claim where received_at < ${new Date(today.getTime() - 3 * DAY_MS)} group by 1, 2`);
  return rows.map(({ provider, day, claims, transactions }) => ({
    kind: 'claim_unproved',
    subject: `${provider}:${day}`,
    mdas: [],
    evidence: { provider, day, claims, transactions },
  }));
}

async function findCancellations({ db, config }: Call, day: Date): Promise<Finding[]> {
  const { rate, least } = thresholdsOf(config).cancellation_rate;
  const rows = await db.rows<{ mda: string; counter: string; collections: number; cancelled: number }>(sql`
    select s.mda, coalesce(s.counter_label, '') as counter, count(*)::int as collections,
      count(*) filter (where a.status = 'Cancelled')::int as cancelled
    from counter_shift s join assessment a on a.shift = s.name
    where s.opened_at >= ${day} and s.opened_at < ${nextDay(day)} and a.status in ('Paid', 'Cancelled')
      and a.paid_at is not null
    group by 1, 2
    having count(*) filter (where a.status = 'Cancelled')
      >= greatest(${least}::double precision, ${rate}::double precision * count(*))`);
  return rows.map(({ mda, counter, collections, cancelled }) => ({
    kind: 'cancellation_rate',
    subject: `${mda}:${counter}:${formatDay(day)}`,
    mdas: [mda],
    evidence: {
      day: formatDay(day),
      collections,
      cancelled,
      rate: Math.round((cancelled / collections) * 1e4) / 1e4,
      threshold: rate,
    },
  }));
}

async function findOffHours({ db, config }: Call, day: Date): Promise<Finding[]> {
  const { from_hour, to_hour, utc_offset_hours, least } = thresholdsOf(config).off_hours;
  const rows = await db.rows<{ mda: string; collections: number }>(sql`
    select mda, count(*)::int as collections from (
      select mda, extract(hour from occurred_at at time zone 'utc' + ${utc_offset_hours}::double precision * interval '1 hour') as hour
      from payment_event
      where channel = 'cash' and kind = 'payment' and occurred_at >= ${day} and occurred_at < ${nextDay(day)}
        and created_at >= ${day}
    ) e
    where hour < ${from_hour}::int or hour >= ${to_hour}::int
    group by mda having count(*) >= ${least}::int`);
  return rows.map(({ mda, collections }) => ({
    kind: 'off_hours',
    subject: `${mda}:${formatDay(day)}`,
    mdas: [mda],
    evidence: { day: formatDay(day), collections, from_hour, to_hour, threshold: least },
  }));
}

async function findRoundAmounts({ db, config }: Call, day: Date): Promise<Finding[]> {
  const { unit, excess, least, days } = thresholdsOf(config).round_amounts;
  const since = new Date(day.getTime() - days * DAY_MS);
  const rows = await db.rows<{ mda: string; currency: string; payments: number; rate: number; usual: number }>(sql`
    select * from (
      select mda, currency, count(*) filter (where today)::int as payments,
        coalesce(avg(round) filter (where today), 0)::double precision as rate,
        coalesce(avg(round) filter (where not today), 0)::double precision as usual
      from (
        select mda, currency, occurred_at >= ${day} as today,
          case when amount % ${unit}::int = 0 then 1 else 0 end as round
        from payment_event
        where kind = 'payment' and occurred_at >= ${since} and occurred_at < ${nextDay(day)} and created_at >= ${since}
      ) e group by mda, currency
    ) r where payments >= ${least}::int and rate - usual >= ${excess}::double precision`);
  return rows.map(({ mda, currency, payments, rate, usual }) => ({
    kind: 'round_amounts',
    subject: `${mda}:${currency}:${formatDay(day)}`,
    mdas: [mda],
    evidence: {
      day: formatDay(day),
      currency,
      payments,
      rate: roundTo4(rate),
      usual_rate: roundTo4(usual),
      threshold: excess,
    },
  }));
}

/** A day whose revenue is not like the same weekday before. An agency needs some weeks of history to be surprising. */
async function findSuddenChanges({ db, config }: Call, day: Date): Promise<Finding[]> {
  const { revenue_drop: drop, revenue_rise: rise } = thresholdsOf(config);
  const first = new Date(day.getTime() - Math.max(drop.weeks, rise.weeks) * 7 * DAY_MS);
  const days = sql`generate_series(${first}::timestamptz, ${day}::timestamptz, interval '168 hours') as d (day)`;
  const rows = await db.rows<{ mda: string; currency: string; net: number; usual: number; deviation: number }>(sql`
    with taken as materialized (
      select e.mda, e.currency, d.day, sum(e.amount) as net
      from ${days} cross join lateral (
        select * from payment_event where occurred_at >= d.day and occurred_at < d.day + interval '24 hours'
      ) e group by 1, 2, 3
    ), history as (
      select a.mda, a.currency, d.day, coalesce(t.net, 0) as net
      from (select distinct mda, currency from taken) a cross join ${days} left join taken t using (mda, currency, day)
      -- Since its first payment was recorded, which an index finds.
      cross join lateral (
        select from payment_event e where e.mda = a.mda and e.currency = a.currency
          and e.created_at < d.day + interval '24 hours' limit 1
      ) recorded
    )
    select h.mda, h.currency, h.net::double precision as net, b.usual::double precision as usual,
      b.deviation::double precision as deviation
    from history h join (
      select mda, currency, avg(net) as usual, coalesce(stddev_samp(net), 0) as deviation
      from history where day < ${day}
      group by mda, currency having count(*) >= 4 and avg(net) > 0
    ) b on b.mda = h.mda and b.currency = h.currency
    where h.day = ${day}`);
  return rows.flatMap(({ mda, currency, net, usual, deviation }): Finding[] => {
    const deviations = deviation === 0 ? Infinity : Math.abs(net - usual) / deviation;
    const [kind, rule] = net < usual ? (['revenue_drop', drop] as const) : (['revenue_rise', rise] as const);
    if (deviations < rule.deviations || Math.abs(net - usual) < rule.part * usual) return [];
    const evidence = {
      day: formatDay(day),
      currency,
      amount: net,
      usual: roundTo4(usual),
      deviations: Number.isFinite(deviations) ? roundTo4(deviations) : null,
      thresholds: rule,
    };
    return [{ kind, subject: `${mda}:${currency}:${formatDay(day)}`, mdas: [mda], evidence }];
  });
}

function nextDay(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}

function roundTo4(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
