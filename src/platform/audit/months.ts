import type { Logger } from 'pino';
import { type Database, sql } from '../database/sql.ts';

/** The tables that are kept by the month of their rows: what is only added to, and grows for as long as the rail runs. */
const LOGS = ['audit_log', 'trace_row', 'webhook_attempt', 'operator_audit', 'citizen_access'];
/** Months ahead that have their tables, so that a job that does not run for a while does no harm. */
const MONTHS_AHEAD = 3;

/**
 * Makes the tables of this month and the next ones at each call. One that cannot be made, since an earlier table or that
 * for the rest holds rows of it, is named once, and not tried again: each try would scan them.
 */
export function makeMonths({
  db,
  now,
  log,
}: {
  readonly db: Database;
  readonly log: Logger;
  now(): Date;
}): () => Promise<void> {
  const held: string[] = [];
  const listMissing = () =>
    db.rows<{ log: string; moment: Date; part: string }>(sql`
      select * from unnest(${LOGS}::text[]) log,
        generate_series(${now()}::timestamptz, ${now()}::timestamptz + ${`${MONTHS_AHEAD} months`}::interval, '1 month') moment,
        concat(log, to_char(moment at time zone 'utc', '_YYYY_MM')) part
      where to_regclass(part) is null and part <> all(${held})`);
  return async () => {
    const missing = await listMissing();
    if (missing.length === 0) return;
    // A statement each, since each locks what its log refers to for a moment.
    for (const { log: of, moment } of missing) await db.rows(sql`select ensure_month(${of}, ${moment})`);
    const unmade = (await listMissing()).map(({ part }) => part);
    if (unmade.length === 0) return;
    held.push(...unmade);
    log.warn(
      { tables: unmade },
      'tables of months were not made: their rows are in an earlier table or that for the rest',
    );
  };
}
