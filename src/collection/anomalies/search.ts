import type { Call } from '../../platform/call/call.ts';
import { always, commit } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { type Day, findHarvests } from './harvests.ts';
import { type Finding, raiseAnomalies } from './raise.ts';
import { thresholdsOf } from './thresholds.ts';

/**
 * Looks for what is strange about yesterday, and days before it that were not looked at, by the clock of each agency, and
 * who goes through the registry today, and raises it; how much was found, raised before or not.
 */
export async function lookForAnomalies(call: Call): Promise<number> {
  let found = 0;
  for (const day of await listDays(call)) {
    found += await raiseAll(call, (await Promise.all(searchesOf(day).map((find) => find(call, day)))).flat());
    await call.db.rows(sql`
      insert into searched_day (time_zone, day) values (${day.zone}, ${day.day}::date)
      on conflict (time_zone) do update set day = excluded.day`);
  }
  const today = dayOf(call.now());
  const soFar = { day: formatDay(today), from: today, to: new Date(today.getTime() + DAY_MS) };
  const now = await Promise.all([
    findHarvests(call, soFar),
    findUnproved(call, today),
    findStuckRefunds(call),
    findOpenMoney(call),
  ]);
  return found + (await raiseAll(call, now.flat()));
}

/** More days are not made up for after an outage. */
const MOST_DAYS = 92;

/** A day by the clock of a time zone, with the agencies that go by it. */
interface LocalDay extends Day {
  readonly zone: string;
  readonly agencies: readonly string[];
}

/** Accounts are of no time zone. */
const ZONE_OF_ACCOUNTS = 'UTC';

/** The days to look at, of each time zone that an agency has, the earliest first: yesterday again, however often. */
function listDays({ db, now }: Call): Promise<LocalDay[]> {
  return db.rows<LocalDay>(sql`
    select z.zone, to_char(d.day, 'YYYY-MM-DD') as day, d.day at time zone z.zone as "from",
      (d.day + interval '1 day') at time zone z.zone as "to", z.agencies
    from (
      select zone, coalesce(array_agg(mda) filter (where mda is not null), '{}') as agencies
      from (select time_zone as zone, mda from agency_calendar union all select ${ZONE_OF_ACCOUNTS}, null) a group by zone
    ) z left join searched_day s on s.time_zone = z.zone
      cross join lateral (
        select date_trunc('day', ${now()}::timestamptz at time zone z.zone) - interval '1 day' as day
      ) yesterday
      cross join lateral generate_series(
        greatest(least(s.day + 1, yesterday.day), yesterday.day - ${MOST_DAYS - 1}::int * interval '1 day'),
        yesterday.day, interval '1 day') d (day)
    order by d.day, z.zone`);
}

function searchesOf({ zone, agencies }: LocalDay): readonly ((call: Call, day: LocalDay) => Promise<Finding[]>)[] {
  return [
    ...(agencies.length > 0 ? [findCancellations, findOffHours, findRoundAmounts, findSuddenChanges] : []),
    ...(zone === ZONE_OF_ACCOUNTS ? [findHarvests] : []),
  ];
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

/** Refunds that a provider was asked for more than a day ago, and has not paid. */
async function findStuckRefunds({ db, now }: Call): Promise<Finding[]> {
  const rows = await db.rows<{ name: string; intent: string; mdas: string[]; status: string }>(sql`
    select r.name, r.intent, array_agg(distinct s.mda) as mdas, r.status from refund r join refund_share s on s.refund = r.name
    where r.enquire_at is not null and coalesce(r.asked_at, r.approved_at) < ${new Date(now().getTime() - DAY_MS)} group by r.name`);
  return rows.map(({ name, intent, mdas, status }) => ({
    kind: 'refund_stuck',
    subject: name,
    mdas,
    evidence: { intent, status },
  }));
}

/** Days after which money that nobody settles is raised. */
const SETTLE_DAYS = 5;

async function findOpenMoney({ db, now }: Call): Promise<Finding[]> {
  interface Open {
    readonly name: string;
    readonly assessment: string | null;
    readonly amount: Decimal;
    readonly currency: string;
    readonly mdas: string[];
  }
  const rows = await db.rows<Open>(sql`
    select r.name, r.assessment, r.amount, r.currency, array(
      select distinct l.mda from assessment_line l where l.assessment = r.assessment order by 1) as mdas
    from money_received r where r.created_at < ${new Date(now().getTime() - SETTLE_DAYS * DAY_MS)}
      and not exists (select from payment_event e where e.intent = r.intent and e.txn_id = r.txn_id)
      and r.amount > coalesce((select sum(o.amount) from money_outcome o where o.money = r.name), 0)
        + coalesce((select sum(f.amount) from refund f where f.money = r.name and f.status in ('Requested', 'Approved')), 0)`);
  return rows.map(({ name, assessment, amount, currency, mdas }) => ({
    kind: 'money_open',
    subject: name,
    mdas,
    evidence: { assessment, amount, currency },
  }));
}

async function findCancellations({ db, config }: Call, { day, from, to, agencies }: LocalDay): Promise<Finding[]> {
  const { rate, least } = thresholdsOf(config).cancellation_rate;
  const rows = await db.rows<{ mda: string; counter: string; collections: number; cancelled: number }>(sql`
    select s.mda, coalesce(s.counter_label, '') as counter, count(*)::int as collections,
      count(*) filter (where a.status = 'Cancelled')::int as cancelled
    from counter_shift s join assessment a on a.shift = s.name
    where s.mda = any(${agencies}) and s.opened_at >= ${from} and s.opened_at < ${to} and a.status in ('Paid', 'Cancelled')
      and a.paid_at is not null and a.total_amount > 0
    group by 1, 2
    having count(*) filter (where a.status = 'Cancelled')
      >= greatest(${least}::double precision, ${rate}::double precision * count(*))`);
  return rows.map(({ mda, counter, collections, cancelled }) => ({
    kind: 'cancellation_rate',
    subject: `${mda}:${counter}:${day}`,
    mdas: [mda],
    evidence: {
      day,
      collections,
      cancelled,
      rate: Math.round((cancelled / collections) * 1e4) / 1e4,
      threshold: rate,
    },
  }));
}

async function findOffHours({ db, config }: Call, { zone, day, from, to, agencies }: LocalDay): Promise<Finding[]> {
  const { from_hour, to_hour, utc_offset_hours, least } = thresholdsOf(config).off_hours;
  const clock =
    utc_offset_hours === undefined
      ? sql`${zone}::text`
      : // An interval ahead of UTC, where a text would be so much behind it.
        sql`${utc_offset_hours}::double precision * interval '1 hour'`;
  const rows = await db.rows<{ mda: string; collections: number }>(sql`
    select mda, count(*)::int as collections from (
      select mda, extract(hour from occurred_at at time zone ${clock}) as hour from payment_event
      where channel = 'cash' and kind = 'payment' and mda = any(${agencies}) and occurred_at >= ${from}
        and occurred_at < ${to} and created_at >= ${from}
    ) e
    where hour < ${from_hour}::int or hour >= ${to_hour}::int
    group by mda having count(*) >= ${least}::int`);
  return rows.map(({ mda, collections }) => ({
    kind: 'off_hours',
    subject: `${mda}:${day}`,
    mdas: [mda],
    evidence: { day, collections, from_hour, to_hour, threshold: least },
  }));
}

async function findRoundAmounts({ db, config }: Call, { day, from, to, agencies }: LocalDay): Promise<Finding[]> {
  const { unit, excess, least, days } = thresholdsOf(config).round_amounts;
  const since = new Date(from.getTime() - days * DAY_MS);
  const rows = await db.rows<{ mda: string; currency: string; payments: number; rate: number; usual: number }>(sql`
    select * from (
      select mda, currency, count(*) filter (where today)::int as payments,
        coalesce(avg(round) filter (where today), 0)::double precision as rate,
        coalesce(avg(round) filter (where not today), 0)::double precision as usual
      from (
        select mda, currency, occurred_at >= ${from} as today,
          case when amount % ${unit}::int = 0 then 1 else 0 end as round
        from payment_event
        where kind = 'payment' and mda = any(${agencies}) and occurred_at >= ${since} and occurred_at < ${to}
          and created_at >= ${since}
      ) e group by mda, currency
    ) r where payments >= ${least}::int and rate - usual >= ${excess}::double precision`);
  return rows.map(({ mda, currency, payments, rate, usual }) => ({
    kind: 'round_amounts',
    subject: `${mda}:${currency}:${day}`,
    mdas: [mda],
    evidence: {
      day,
      currency,
      payments,
      rate: roundTo4(rate),
      usual_rate: roundTo4(usual),
      threshold: excess,
    },
  }));
}

/** A day whose revenue is not like the same weekday before. An agency needs some weeks of history to be surprising. */
async function findSuddenChanges({ db, config }: Call, { zone, day, agencies }: LocalDay): Promise<Finding[]> {
  const { revenue_drop: drop, revenue_rise: rise } = thresholdsOf(config);
  const days = sql`(
    select day, day at time zone ${zone} as "from", (day + interval '1 day') at time zone ${zone} as "to"
    from generate_series(${day}::timestamp - ${Math.max(drop.weeks, rise.weeks)}::int * interval '7 days',
      ${day}::timestamp, interval '7 days') w (day)
  ) d`;
  const rows = await db.rows<{ mda: string; currency: string; net: number; usual: number; deviation: number }>(sql`
    with taken as materialized (
      select e.mda, e.currency, d.day, sum(e.amount) as net
      from ${days} cross join lateral (
        select * from payment_event where mda = any(${agencies}) and occurred_at >= d."from" and occurred_at < d."to"
      ) e group by 1, 2, 3
    ), history as (
      select a.mda, a.currency, d.day, coalesce(t.net, 0) as net
      from (select distinct mda, currency from taken) a cross join ${days} left join taken t using (mda, currency, day)
      -- Since its first payment was recorded, which an index finds.
      cross join lateral (
        select from payment_event e where e.mda = a.mda and e.currency = a.currency
          and e.created_at < d."to" limit 1
      ) recorded
    )
    select h.mda, h.currency, h.net::double precision as net, b.usual::double precision as usual,
      b.deviation::double precision as deviation
    from history h join (
      select mda, currency, avg(net) as usual, coalesce(stddev_samp(net), 0) as deviation
      from history where day < ${day}::timestamp
      group by mda, currency having count(*) >= 4 and avg(net) > 0
    ) b on b.mda = h.mda and b.currency = h.currency
    where h.day = ${day}::timestamp`);
  return rows.flatMap(({ mda, currency, net, usual, deviation }): Finding[] => {
    const deviations = deviation === 0 ? Infinity : Math.abs(net - usual) / deviation;
    const [kind, rule] = net < usual ? (['revenue_drop', drop] as const) : (['revenue_rise', rise] as const);
    if (deviations < rule.deviations || Math.abs(net - usual) < rule.part * usual) return [];
    const evidence = {
      day,
      currency,
      amount: net,
      usual: roundTo4(usual),
      deviations: Number.isFinite(deviations) ? roundTo4(deviations) : null,
      thresholds: rule,
    };
    return [{ kind, subject: `${mda}:${currency}:${day}`, mdas: [mda], evidence }];
  });
}

function roundTo4(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
