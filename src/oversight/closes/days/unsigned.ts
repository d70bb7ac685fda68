import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { raiseAnomalies } from '../../../collection/anomalies/raise.ts';
import { readWorkingDays } from '../../../collection/catalogue/holidays.ts';

/** Working days after a day within which somebody confirms it. */
const SIGN_DAYS = 3;

/**
 * Raises the oldest day of each agency that nobody confirmed in time; how many were raised before or not. Others wait for
 * it: once it is confirmed, the next one is raised.
 */
export async function raiseUnsigned(call: Call): Promise<number> {
  const [working, open] = await Promise.all([
    readWorkingDays(call),
    call.db.rows<{ name: string; mda: string; day: string; today: string; days: number }>(sql`
      select distinct on (r.mda) r.name, r.mda, r.day::text as day,
        (${call.now()}::timestamptz at time zone z.time_zone)::date::text as today
      from agency_day r join agency_calendar z on z.mda = r.mda where r.confirmed_at is null order by r.mda, r.day`),
  ]);
  const late = open.filter(({ mda, day, today }) => working(mda).after(day, SIGN_DAYS) < today);
  const found = late.map(({ name, mda, day }) => ({
    kind: 'agency_unsigned' as const,
    subject: name,
    mdas: [mda],
    evidence: { day },
  }));
  if (found.length > 0)
    await commit(call, { subject: null, guard: always, steps: await raiseAnomalies(call, always, found) });
  return found.length;
}
