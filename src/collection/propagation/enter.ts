import { type Step, step } from '../../platform/change/step.ts';

/**
 * Enters, once an assessment is paid, each agency in it that has a system of its own and is to be told: a step of that
 * change.
 */
export function enterPropagations(changed: Step, assessment: string, at: Date): Step {
  return step('propagations')`
    insert into propagation (name, assessment, mda, status, next_attempt_at, created_at, updated_at)
    select ${assessment}::text || '.' || m.name, ${assessment}, m.name, 'pending', ${at}, ${at}, ${at}
    from ${changed}, mda m where m.interaction_mode = 'B'
      and exists (select from assessment_line l where l.assessment = ${assessment} and l.mda = m.name)`;
}
