import { type Step, step } from '../../platform/change/step.ts';

/** The step that notes, to the second, when each key among some uses was last used. */
export function noteLastUse(uses: Step): Step {
  return step('used')`
    update api_key k set last_used_at = u.at from (
      select k.name, l.at from api_key k join (select key, max(ts) as at from ${uses} group by key) l on l.key = k.name
      where k.last_used_at is null or k.last_used_at < l.at - interval '1 second'
      order by k.name for no key update of k
    ) u where k.name = u.name`;
}
