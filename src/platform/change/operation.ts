import { type Step, step } from './step.ts';
import { json } from '../database/sql.ts';

/** An action of an operator: the audit row has its author and time. */
export interface Operated {
  /** Such as `integrator.suspend`. */
  readonly action: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** The author, the request or command, and the time. */
export interface Operator {
  readonly viewer: { readonly actor: string };
  readonly requestId: string;
  now(): Date;
}

/** The step that audits, with a change, what an operator did, where one did something. */
export function recordOperations(
  { viewer, requestId, now }: Operator,
  changed: Step,
  operations: readonly Operated[],
): Step[] {
  if (operations.length === 0) return [];
  return [
    step('audited')`
    insert into operator_audit (at, actor, action, subject, before, after, reason, request_id)
    select ${now()}, ${viewer.actor}, o.action, o.subject, o.before, o.after, o.reason, ${requestId}
    from ${changed}, jsonb_to_recordset(${json(operations)}::jsonb)
      as o (action text, subject text, before jsonb, after jsonb, reason text)`,
  ];
}
