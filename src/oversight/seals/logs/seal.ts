import type { Rail } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { dayOf, formatDay } from '../../../kernel/time.ts';

/** The logs that are sealed by day, each with the time of its first row. */
const FIRST_ROWS = {
  approval: sql`select min(created_at) from approval`,
  citizen_access: sql`select min(at) from citizen_access`,
  money_received: sql`select min(created_at) from money_received`,
  operator_audit: sql`select min(at) from operator_audit`,
} as const;

export type SealedLog = keyof typeof FIRST_ROWS;

/** Time after the end of a day at which its last rows are surely written. */
const MARGIN_MS = 3_600_000;

/**
 * Seals the days of each log that are over, one after another, from the day of its first row on; how many. A day without
 * rows is sealed too, so that one which was emptied shows. Two processes at it seal no day twice.
 */
export async function sealLogs({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<number> {
  const at = now();
  const today = formatDay(dayOf(new Date(at.getTime() - MARGIN_MS)));
  let sealed = 0;
  for (const [log, firstRow] of Object.entries(FIRST_ROWS)) {
    let row: { hash: string } | null;
    do {
      row = await db.row<{ hash: string }>(sql`
        with last as (select day, hash from log_seal where log = ${log} order by day desc limit 1),
        next as (
          select coalesce((select day + 1 from last), ((${firstRow}) at time zone 'UTC')::date) as day
        )
        insert into log_seal (log, day, rows, hash, sealed_at)
        select ${log}, n.day, d.rows, hash_of_log((select hash from last), ${log}, n.day, d.rows, d.digest), ${at}
        from next n cross join lateral digest_of_log(${log}, n.day) d
        where n.day < ${today}::date
        -- Another process sealed the day.
        on conflict do nothing returning hash`);
      if (row) sealed++;
    } while (row);
  }
  return sealed;
}
