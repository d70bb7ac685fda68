import type { Call } from '../../platform/call/call.ts';
import { type Step, guard } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Shift } from './find.ts';

/**
 * The guard of a change of a shift, which happens to the shift as it was read or not at all: any other change,
 * such as a collection, raises its revision. `provided` is what else has to be true.
 */
export function changeShift(
  { now }: Call,
  { name, revision }: Pick<Shift, 'name' | 'revision'>,
  set: Sql,
  provided = sql`true`,
): Step {
  return guard`
    update counter_shift set ${set}, revision = revision + 1, updated_at = ${now()}
    where name = ${name} and revision = ${revision} and ${provided} returning name`;
}
