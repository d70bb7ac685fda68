import type { Rail } from '../../call/call.ts';
import { sql } from '../sql.ts';

/** The tables that are kept by the month of their rows: what is only added to, and grows for as long as the rail runs. */
const LOGS = ['audit_log', 'trace_row', 'webhook_attempt', 'operator_audit', 'citizen_access'];
/** How many months after this one have their tables, so that a job which does not run for a while does no harm. */
const MONTHS_AHEAD = 3;

/** Makes the tables of this month and the next ones. */
export async function prepareMonths({ db, now }: Pick<Rail, 'db' | 'now'>): Promise<void> {
  const missing = await db.rows<{ log: string; moment: Date }>(sql`
    select log, moment
    from unnest(${LOGS}::text[]) log,
      generate_series(${now()}::timestamptz, ${now()}::timestamptz + ${`${MONTHS_AHEAD} months`}::interval, '1 month') moment
    where to_regclass(log || to_char(moment at time zone 'utc', '_YYYY_MM')) is null`);
  // A statement each, since each locks what its log refers to for a moment.
  for (const { log, moment } of missing) await db.rows(sql`select ensure_month(${log}, ${moment})`);
}
