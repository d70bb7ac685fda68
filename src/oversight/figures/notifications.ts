import type { Call, Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { startLoop } from '../../kernel/loop.ts';
import { formatDay } from '../../kernel/time.ts';

/** Any number that nobody else uses: one process at a time adds up notifications. */
const LOCK = 7_283_011;
/** So many changes are taken at a time. */
const BATCH = 5_000;
const IDLE_MS = 1_000;
/** How long it rests where it hears of nothing: whoever asks reads what waits too, so that nothing is late. */
const UNHEARD_MS = 30_000;

/** Adds up how many notifications there are of each day, for as long as it is not stopped. Any number of processes may. */
export function startCountingNotifications(rail: Rail): { stop(): Promise<void> } {
  const round = async () => {
    const waiting = await rail.db.row(sql`select id from notification_tail order by id limit 1`);
    if (!waiting) return { leastMs: IDLE_MS, mostMs: UNHEARD_MS };
    return (await countNotifications(rail)) === BATCH ? 0 : IDLE_MS;
  };
  return startLoop(rail.log, 'notifications', round, rail.work.hear);
}

/**
 * Takes what triggers wrote down and adds it to the sums of its days; all of that together or not at all. How many
 * changes were taken; none where another process is at it.
 */
export async function countNotifications(
  { transaction }: Pick<Rail, 'transaction'>,
  most: number = BATCH,
): Promise<number> {
  return transaction(async (db) => {
    const held = await db.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as held`);
    if (!held!.held) return 0;
    const row = await db.row<{ taken: number }>(sql`
      with taken as (
        delete from notification_tail where id in (select id from notification_tail order by id limit ${most})
        returning kind, day, status, change
      ), added as (
        insert into notification_day as d (kind, day, status, count)
        select kind, day, status, sum(change) from taken group by kind, day, status having sum(change) <> 0
        order by kind, day, status
        on conflict (kind, day, status) do update set count = d.count + excluded.count
      )
      select count(*)::int as taken from taken`);
    return row!.taken;
  });
}

/** How many notifications of a kind there are, by how far they came. */
export interface NotificationCount {
  readonly kind: 'webhook' | 'propagation';
  readonly status: string;
  readonly count: number;
}

/** How far the notifications of some days (UTC) came, both included: sums, and what waits to be added to them. */
export function readNotificationCounts({ oversight }: Call, from: Date, to: Date): Promise<NotificationCount[]> {
  return oversight.rows<NotificationCount>(sql`
    select kind, status, sum(count)::int as count from oversight.notification_day
    where day >= ${formatDay(from)}::date and day <= ${formatDay(to)}::date group by kind, status`);
}
