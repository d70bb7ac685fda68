import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { restUntil, startLoop } from '../../kernel/loop.ts';

/** Any number that nobody else uses: one process places at a time, so that positions become visible in their order. */
const PLACING_LOCK = 7_283_004;
/** Most rows that a transaction places: enough for a busy second, and not so many that it holds its locks for long. */
const BATCH = 5_000;
const IDLE_MS = 250;
/** On which PostgreSQL tells every process that the stream has grown. */
export const STREAM_CHANNEL = 'rail_oversight_stream';

/** Places what happens in the stream of oversight for as long as it is not stopped. Any number of processes may. */
export function startPlacing(rail: Rail): { stop(): Promise<void> } {
  const round = async () => {
    const waiting = await rail.db.row(sql`select id from oversight_tail order by id limit 1`);
    if (!waiting) return restUntil(IDLE_MS);
    // Fewer, or none where another process is at it: it pays to let some come together.
    return (await placeEvents(rail)) === BATCH ? 0 : IDLE_MS;
  };
  return startLoop(rail.log, 'oversight', round, rail.work.hear);
}

/**
 * Gives each event and anomaly that waits its position in the stream; how many were placed, none where another process
 * is at it.
 */
export async function placeEvents(
  { transaction, now }: Pick<Rail, 'transaction' | 'now'>,
  most = BATCH,
): Promise<number> {
  return transaction(async (db) => {
    const held = await db.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${PLACING_LOCK}) as held`);
    if (!held!.held) return 0;
    // A statement of its own: it has to see what the holder before it wrote.
    const row = await db.row<{ placed: number }>(sql`
      with taken as (
        -- By a range: whether statistics know of what waits or not, no row is compared with another.
        delete from oversight_tail
        where id <= (select max(id) from (select id from oversight_tail order by id limit ${most}) first)
        returning id, kind, subject
      ), placed as (
        insert into oversight_stream (position, kind, subject, at, mda, channel, currency, event_kind, amount,
          occurred_at)
        select (select coalesce(max(position), 0) from oversight_stream) + row_number() over (order by t.id), t.kind,
          t.subject, ${now()},
          e.mda, e.channel, e.currency, e.kind, e.amount, e.occurred_at
        from taken t left join payment_event e on t.kind = 'payment_event' and e.name = t.subject
        order by t.id returning position
      -- Nobody is told unless this is read below.
      ), told as (select pg_notify(${STREAM_CHANNEL}, '') from (select count(*) as placed from placed) p
      where p.placed > 0)
      select (select count(*)::int from placed) as placed, (select count(*) from told) as told`);
    return row!.placed;
  });
}
