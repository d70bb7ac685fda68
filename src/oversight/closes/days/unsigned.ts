import type { Call } from '../../../platform/call/call.ts';
import { always, commit } from '../../../platform/change/commit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { listOpenAnomalies } from '../../../collection/anomalies/find.ts';
import { raiseAnomalies } from '../../../collection/anomalies/raise.ts';
import { resolveOpen } from '../../../collection/anomalies/resolve.ts';
import { firstToConfirm } from './bank.ts';
import { readWorkingDays } from '../../../collection/catalogue/holidays.ts';

/** Working days after a day within which somebody confirms it. */
const SIGN_DAYS = 3;

/**
 * Raises the oldest day of each agency that nobody confirmed in time; how many were raised before or not. Others wait for
 * it: once it is confirmed, the next one is raised. One that nobody is to confirm any more, or not yet, is resolved.
 */
export async function raiseUnsigned(call: Call): Promise<number> {
  const [working, raised, open] = await Promise.all([
    readWorkingDays(call),
    listOpenAnomalies(call, ['agency_unsigned']),
    call.db.rows<{ name: string; mda: string; day: string; today: string }>(sql`
      select r.name, z.mda, r.day::text as day, (${call.now()}::timestamptz at time zone z.time_zone)::date::text as today
      from agency_calendar z cross join lateral (
        select name, day from agency_day where mda = z.mda and confirmed_at is null and day >= ${firstToConfirm(sql`z.mda`)}
        order by day limit 1) r order by z.mda`),
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
  const subjects = new Set(found.map(({ subject }) => subject));
  for (const anomaly of raised.filter(({ subject }) => !subjects.has(subject)))
    await resolveOpen(call, anomaly, 'Nobody needs to confirm it any more');
  return found.length;
}
