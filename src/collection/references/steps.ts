import { type Step, step } from '../../platform/change/step.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { sql } from '../../platform/database/sql.ts';
import { referenceLifecycle } from './lifecycle.ts';

/** The step by which a reference becomes Paid, by its number. Of others, the trigger `follow_assessment` takes care. */
export function payReference(changed: Step, number: string, intent: string, at: Date): Step {
  const { from, to } = referenceLifecycle.pay;
  return step('reference')`
    update payment_reference p set status = ${to}, paid_by = ${intent}, revision = p.revision + 1, updated_at = ${at}
    from ${changed} where p.number = ${number} and p.status = any(${from}::payment_reference_status[])`;
}

/** The step by which the reference of an assessment is Withdrawn, once a step allows it. */
export function withdrawReference(allowed: Step, assessment: string, at: Date): Step {
  const { from, to } = referenceLifecycle.withdraw;
  return step('withdrawn')`
    update payment_reference p set status = ${to}, revision = p.revision + 1, updated_at = ${at}
    from ${allowed} where p.assessment = ${assessment} and p.status = any(${from}::payment_reference_status[])
    returning p.assessment`;
}

/**
 * The condition under which a reference stands as it was read. What changes one raises the revision of its assessment, so
 * that it holds for as long as that revision does.
 */
export function isUnchanged({ number, revision }: { readonly number: string; readonly revision: number }): Sql {
  return sql`exists (select from payment_reference where number = ${number} and revision = ${revision})`;
}
