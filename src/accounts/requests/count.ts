import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** Requests of programs, by their endpoint; pages for the people of an account are in the log, and do not count. */
const OF_PROGRAMS = String.raw`^\S+ (/v1/|/graphql|\(none\)$)`;

/** The step that counts the requests among some uses by their integrator and UTC day. */
export function countRequests(uses: Step): Step {
  return step('counted')`
    insert into daily_usage as u (integrator, day, requests)
    select integrator, (ts at time zone 'utc')::date, count(*) from ${uses}
    where integrator is not null and endpoint ~ ${OF_PROGRAMS} group by 1, 2
    order by 1, 2
    on conflict (integrator, day) do update set requests = u.requests + excluded.requests`;
}

/** UTC days, including today, that the counter of requests covers. */
const USAGE_DAYS = 7;

/** The requests of an account in the last days, today among them; those of several accounts are counted together. */
export async function countRecentRequests(call: Call, integrator: string): Promise<number> {
  const requests = await loadTogether(call, countRecentRequests, integrator, async (integrators) => {
    const rows = await call.db.rows<{ readonly integrator: string; readonly requests: number }>(sql`
      select integrator, sum(requests)::int as requests from daily_usage
      where integrator = any(${integrators})
        and day > (${call.now()}::timestamptz at time zone 'utc')::date - ${USAGE_DAYS}::int
      group by integrator`);
    return new Map(rows.map((row) => [row.integrator, row.requests]));
  });
  return requests ?? 0;
}

/** The most days for which requests are counted one by one. */
export const MOST_USAGE_DAYS = 366;

/** The requests of an account on a UTC day. */
export interface DayOfRequests {
  readonly day: Date;
  readonly requests: number;
}

/** The requests of an account on each of the last days, today among them, oldest first. */
export async function countRequestsByDay(call: Call, integrator: string, days: number): Promise<DayOfRequests[]> {
  if (days < 1 || days > MOST_USAGE_DAYS) throw refuseValue('days', say`must be between ${1} and ${MOST_USAGE_DAYS}`);
  const today = dayOf(call.now());
  const from = new Date(today.getTime() - (days - 1) * DAY_MS);
  const counted = await call.db.rows<DayOfRequests>(sql`
    select day, requests from daily_usage where integrator = ${integrator} and day between ${formatDay(from)}::date
      and ${formatDay(today)}::date`);
  const requestsOn = new Map(counted.map(({ day, requests }) => [day.getTime(), requests]));
  return Array.from({ length: days }, (_none, index) => {
    const day = new Date(from.getTime() + index * DAY_MS);
    return { day, requests: requestsOn.get(day.getTime()) ?? 0 };
  });
}
