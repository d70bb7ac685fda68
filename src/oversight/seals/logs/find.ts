import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { formatDay } from '../../../kernel/time.ts';
import type { SealedLog } from './seal.ts';

/** Seal of a day of a log. */
export interface LogSeal {
  readonly log: SealedLog;
  readonly day: Date;
  readonly rows: number;
  readonly hash: string;
  readonly sealedAt: Date;
}

/** The seal of each log on a day; without one, the last of each. */
export function readLogSeals({ db }: Pick<Call, 'db'>, day: Date | null | undefined): Promise<LogSeal[]> {
  return db.rows<LogSeal>(sql`
    select distinct on (log) log, day::timestamp at time zone 'UTC' as day, rows, hash, sealed_at as "sealedAt"
    from log_seal where ${day ? sql`day = ${formatDay(day)}::date` : sql`true`} order by log, day desc`);
}
