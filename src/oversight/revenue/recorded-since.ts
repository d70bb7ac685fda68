import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';

/** The first day, of the agencies' countries, of which a payment is recorded; null while there is none. */
export async function findRecordedSince(
  { analytics }: Pick<Call, 'analytics'>,
  agencies: readonly string[] | null,
): Promise<Date | null> {
  const row = await analytics.row<{ day: Date | null }>(sql`
    select min(local_day) as day from payment where ${agencies}::text[] is null or mda = any(${agencies}::text[])`);
  return row!.day;
}
