import { type Step, step } from '../../platform/change/step.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import type { Assessment } from './find.ts';

/**
 * Writes an assessment as it is after a change, for the row of a relation: one that has locked it at the revision
 * before. Its amounts are not among what changes here.
 */
export function updateAssessment(
  { name, status, shift, paidAt, cancelReason, cancelledAt, revision, updatedAt }: Assessment,
  relation: Sql,
): Sql {
  return sql`
    update assessment a set status = ${status}::assessment_status, shift = ${shift}, paid_at = ${paidAt},
      cancel_reason = ${cancelReason},
      cancelled_at = ${cancelledAt}, revision = ${revision}, updated_at = ${updatedAt}
    from ${relation} where a.name = ${name} returning a.name`;
}

/**
 * Raises the revision of each assessment that a relation names in a column `assessment`; one that has locked it. By one
 * for each message about it.
 */
export function raiseRevisions(relation: Sql, at: Date, by = 1): Sql {
  return sql`
    update assessment a set revision = a.revision + ${by}::int, updated_at = ${at}
    from ${relation} r where a.name = r.assessment returning a.name`;
}

/** The step that raises the revision of one assessment as it was read: of two changes at once the second has no row. */
export function raiseRevision(assessment: Pick<Assessment, 'name' | 'revision'>, at: Date): Step {
  return step('raised')`${raiseRevisions(sql`${holdRevision(assessment)}`, at)}`;
}

/** The step that locks an assessment as it was read. No row: it has changed since. */
export function holdRevision({ name, revision }: Pick<Assessment, 'name' | 'revision'>): Step {
  return step('held')`
    select a.name as assessment from assessment a
    where a.name = ${name} and a.revision = ${revision} for no key update of a`;
}
