import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** The first day, of the agencies' countries, of which a payment is recorded; null while there is none. */
export async function findRecordedSince(
  call: Pick<Call, 'oversight'>,
  agencies: readonly string[] | null,
): Promise<Date | null> {
  const among = sql`(${agencies}::text[] is null or f.mda = any(${agencies}))`;
  // A UTC day touches the day of a country of its name, and one beside it.
  const row = await call.oversight.row<{ day: string | null }>(sql`
    select least(
      (select min(f.local_day) from oversight.agency_total_daily f where ${among}
        and f.day <= 1 + (select min(f.day) from oversight.agency_total_daily f where ${among})),
      (select min(f.local_day) from oversight.tail f where ${among}))::text as day`);
  return row?.day == null ? null : new Date(`${row.day}T00:00:00Z`);
}
