import type { Rail } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { restUntil, startLoop } from '../../kernel/loop.ts';
import { ROLLUPS, type Rollup, isByService, keyOfRollup } from './rollups.ts';

/** Any number that nobody else uses: one process folds at a time, so that positions become visible in their order. */
const FOLD_LOCK = 7_283_004;
/** What a transaction folds at most: enough for a busy second, and not so much that it holds its locks for long. */
const BATCH = 5_000;
const IDLE_MS = 250;
/** On which PostgreSQL tells every process that the stream has grown. */
export const STREAM_CHANNEL = 'rail_oversight_stream';

/**
 * Folds what happened into the rollups and the stream for as long as it is not stopped. Any number of processes may.
 */
export function startFolding(rail: Rail): { stop(): Promise<void> } {
  const round = async () => {
    const waiting = await rail.db.row(sql`select id from oversight_tail order by id limit 1`);
    if (!waiting) return restUntil(IDLE_MS);
    // Fewer, or none where another process is at it: it pays to let some come together.
    return (await foldRevenue(rail)) === BATCH ? 0 : IDLE_MS;
  };
  return startLoop(rail.log, 'oversight', round, rail.work.hear);
}

/**
 * Takes what happened since, adds it to the sums by day and month, keeps its parts, and gives each its position in the stream; all of
 * that together or not at all, so that each counts once. How many were taken; none where another process is at it.
 */
export async function foldRevenue(
  { transaction, now }: Pick<Rail, 'transaction' | 'now'>,
  most = BATCH,
): Promise<number> {
  return transaction(async (db) => {
    const held = await db.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as held`);
    if (!held!.held) return 0;
    // A statement of its own: it has to see what the holder before it wrote.
    const row = await db.row<{ taken: number }>(sql`
      with taken as (
        delete from oversight_tail where id in (select id from oversight_tail order by id limit ${most}) returning id,
          kind, subject
      ), placed as (
        insert into oversight_stream (position, kind, subject, at, mda, channel, currency, event_kind, amount,
          occurred_at)
        select (select coalesce(max(position), 0) from oversight_stream) + row_number() over (order by t.id), t.kind,
          t.subject, ${now()},
          e.mda, e.channel, e.currency, e.kind, e.amount, e.occurred_at
        from taken t left join payment_event e on t.kind = 'payment_event' and e.name = t.subject
        order by t.id returning position
      ), share as (
        select s.* from taken t join event_share s on s.event = t.subject where t.kind = 'payment_event'
      ), parts as (
        insert into revenue_part (event, service, occurred_at, local_at, mda, channel, currency, kind, amount, leads,
          station, counter, integrator, quantity)
        select event, service, occurred_at, local_at, mda, channel, currency, kind, amount, leads, station, counter,
          integrator, quantity
        from share
      ), ${joined(ROLLUPS.map((rollup) => sql`${raw(`into_${rollup.table}`)} as (${foldBatch(rollup)})`))}, sizes as (${FOLD_SIZES}
      ), collected as (${FOLD_COLLECTED}
      -- Nobody is told unless this is read below.
      ), told as (select pg_notify(${STREAM_CHANNEL}, '') from (select count(*) as placed from placed) p
      where p.placed > 0)
      select (select count(*)::int from taken) as taken, (select count(*) from told) as told`);
    return row!.taken;
  });
}

/** How many payments were of each amount: the parts of an event are the whole of it. */
const FOLD_SIZES = sql`
  insert into payment_size_monthly as r (day, local_day, mda, channel, currency, amount, payments)
  select day, local_day, mda, channel, currency, amount, count(*) from (
    select date_trunc('month', occurred_at at time zone 'utc')::date as day,
      date_trunc('month', local_at)::date as local_day, mda, channel, currency, sum(amount) as amount
    from share where kind = 'payment' group by event, 1, 2, 3, 4, 5
  ) e
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (day, local_day, mda, channel, currency, amount) do update set payments = r.payments + excluded.payments`;

const FOLD_COLLECTED = sql`
  insert into collected_daily as r (day, provider, currency, amount)
  select (e.occurred_at at time zone 'utc')::date, i.aggregator, e.currency, sum(e.amount)
  from taken t join payment_event e on e.name = t.subject join payment_intent i on i.name = e.intent
  where t.kind = 'payment_event' and e.kind = 'payment' group by 1, 2, 3 order by 1, 2, 3
  on conflict (day, provider, currency) do update set amount = r.amount + excluded.amount`;

/** What a rollup's key is of a share of an event: what it has none of is empty, for keys have no nulls. */
const VALUES: Readonly<Record<string, Sql>> = {
  hour: sql`extract(hour from occurred_at at time zone 'utc')`,
  local_hour: sql`extract(hour from local_at)`,
  counter: sql`coalesce(counter, '')`,
  integrator: sql`coalesce(integrator, '')`,
};

/**
 * Adds sums to a rollup. Rows are written in the order of their key, as everything is that could wait for another.
 */
function foldBatch(rollup: Rollup): Sql {
  const byService = isByService(rollup);
  const [, , ...named] = keyOfRollup(rollup);
  const key = joined(keyOfRollup(rollup).map((name) => raw(name)));
  const piecesOf = (kind: 'payment' | 'reversal') =>
    sql`coalesce(sum(quantity) filter (where kind = ${raw(`'${kind}'`)}), 0)`;
  return sql`
    insert into ${raw(rollup.table)} as r (${key}, collected, reversed, payments, reversals
      ${byService ? sql`, sold, returned` : empty})
    select ${key}, coalesce(sum(amount) filter (where kind = 'payment'), 0),
      coalesce(-sum(amount) filter (where kind = 'reversal'), 0),
      count(*) filter (where kind = 'payment' and counts), count(*) filter (where kind = 'reversal' and counts)
      ${byService ? sql`, ${piecesOf('payment')}, ${piecesOf('reversal')}` : empty}
    from (
      select date_trunc(${rollup.period}, occurred_at at time zone 'utc')::date as day,
        date_trunc(${rollup.period}, local_at)::date as local_day,
        ${joined(named.map((name) => sql`${VALUES[name] ?? raw(name)} as ${raw(name)}`))}, kind, amount, quantity,
        ${byService ? sql`true` : sql`leads`} as counts
      from share
    ) s group by ${key} order by ${key}
    on conflict (${key}) do update set collected = r.collected + excluded.collected,
      reversed = r.reversed + excluded.reversed,
      payments = r.payments + excluded.payments, reversals = r.reversals + excluded.reversals
      ${byService ? sql`, sold = r.sold + excluded.sold, returned = r.returned + excluded.returned` : empty}`;
}
