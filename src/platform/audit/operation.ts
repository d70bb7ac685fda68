import type { Call } from '../call/call.ts';
import { type Step, step } from '../change/step.ts';
import { json } from '../database/sql.ts';

/** What an operator did: the audit row says by whom and when. */
export interface Operated {
  /** Such as `integrator.suspend`. */
  readonly action: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** The step that audits, with a change, what an operator did, where one did something. */
export function recordOperation({ viewer, requestId, now }: Call, changed: Step, operated: Operated | undefined): Step[] {
  if (!operated) return [];
  const { action, subject, before, after, reason } = operated;
  return [
    step('audited')`
    insert into operator_audit (at, actor, action, subject, before, after, reason, request_id)
    select ${now()}, ${viewer.actor}, ${action}, ${subject}, ${before && json(before)}::jsonb, ${after && json(after)}::jsonb,
      ${reason}, ${requestId}
    from ${changed}`,
  ];
}
