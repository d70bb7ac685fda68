import { type Step, step } from '../../platform/change/step.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { sql } from '../../platform/database/sql.ts';
import { referenceLifecycle } from './lifecycle.ts';

/**
 * The step by which the reference that an assessment was paid by becomes Paid, and another that it has Withdrawn. Paid in
 * another way, it is the one that it has.
 */
export function payReference(changed: Step, assessment: string, by: string | null, intent: string, at: Date): Step {
  const { pay, withdraw } = referenceLifecycle;
  const paid = sql`p.number = coalesce(${by}, p.number)`;
  return step('reference')`
    update payment_reference p set revision = p.revision + 1, updated_at = ${at},
      status = (case when ${paid} then ${pay.to} else ${withdraw.to} end)::payment_reference_status,
      paid_by = case when ${paid} then ${intent} end
    from ${changed} where p.assessment = ${assessment} and (p.status = any(${withdraw.from}::payment_reference_status[])
      or p.number = ${by} and p.status = any(${pay.from}::payment_reference_status[]))`;
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
