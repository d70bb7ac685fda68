import { type Step, step } from '../../platform/change/step.ts';

/** The step that counts the requests among some uses by their integrator and UTC day. */
export function countRequests(uses: Step): Step {
  return step('counted')`
    insert into daily_usage as u (integrator, day, requests)
    select integrator, (ts at time zone 'utc')::date, count(*) from ${uses} where integrator is not null group by 1, 2
    order by 1, 2
    on conflict (integrator, day) do update set requests = u.requests + excluded.requests`;
}
