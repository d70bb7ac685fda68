import type { TraceEntry } from '../../platform/change/commit.ts';
import { type Step, step } from '../../platform/change/step.ts';
import { type Sql, json, sql } from '../../platform/database/sql.ts';
import { say } from '../../kernel/text/said.ts';
import type { Reference } from './find.ts';
import { referenceLifecycle } from './lifecycle.ts';

/** A reference that is to be issued at a moment. */
export interface ReferenceDraft extends Pick<
  Reference,
  'number' | 'assessment' | 'integrator' | 'amount' | 'currency' | 'expiresAt'
> {
  readonly at: Date;
}

/** The SQL that issues references, each for the assessment whose `name` is in a relation; it yields their numbers. */
export function insertReferences(relation: Sql, drafts: readonly ReferenceDraft[]): Sql {
  return sql`
    insert into payment_reference (number, assessment, integrator, amount, currency, status, expires_at, revision,
      created_at, updated_at)
    select d.number, d.assessment, d.integrator, d.amount, d.currency, 'Issued', d."expiresAt", 1, d.at, d.at
    from ${relation} r join jsonb_to_recordset(${json(drafts)}::jsonb) as d (number text, assessment text, integrator text,
      amount numeric, currency text, "expiresAt" timestamptz, at timestamptz) on d.assessment = r.name
    returning number as name`;
}

/** The row of its issue in the timeline of an assessment. */
export function traceIssue(draft: Omit<ReferenceDraft, 'integrator'>): TraceEntry {
  const { number, assessment, amount, currency, expiresAt } = draft;
  return {
    kind: 'assessment.update',
    assessment,
    doc: number,
    summary: say`Payment reference ${number} issued`,
    detail: { amount, currency, expires_at: expiresAt },
  };
}

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
