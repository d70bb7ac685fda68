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

/**
 * Enters, once a paid assessment is cancelled, each agency that was notified of its payment, to notify it of the
 * reversal: a step of that change. One that is still being told is entered once it was told (`enterReversalsOf`).
 */
export function enterReversals(changed: Step, assessment: string, at: Date): Step {
  return step('reversals')`
    insert into propagation (name, assessment, mda, kind, status, next_attempt_at, created_at, updated_at)
    select p.name || '.reversal', p.assessment, p.mda, 'reversal', 'pending', ${at}, ${at}, ${at}
    from ${changed}, propagation p where p.assessment = ${assessment} and p.kind = 'payment' and p.status = 'done'
    on conflict (name) do nothing`;
}

/**
 * Enters the reversal for agencies that were notified of a payment only after its assessment was cancelled. The step
 * before yields the propagations that are done now: `name`, `assessment`, `mda`, `kind` and the `assessment_status`.
 */
export function enterReversalsOf(notified: Step, at: Date): Step {
  return step('reversals')`
    insert into propagation (name, assessment, mda, kind, status, next_attempt_at, created_at, updated_at)
    select n.name || '.reversal', n.assessment, n.mda, 'reversal', 'pending', ${at}, ${at}, ${at}
    from ${notified} n where n.kind = 'payment' and n.assessment_status = 'Cancelled'
    on conflict (name) do nothing`;
}
