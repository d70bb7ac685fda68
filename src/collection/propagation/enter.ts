import { type Step, step } from '../../platform/change/step.ts';
import { mayBeKnown } from './known.ts';
import { propagationLifecycle } from './lifecycle.ts';

/**
 * Enters, once an assessment is paid, each agency that has a system of its own and is paid a part of it, or has lines
 * in it that are free: a step of that change.
 */
export function enterPropagations(changed: Step, assessment: string, paid: readonly string[], at: Date): Step {
  return step('propagations')`
    insert into propagation (name, assessment, mda, status, next_attempt_at, created_at, updated_at)
    select ${assessment}::text || '.' || m.name, ${assessment}, m.name, 'pending', ${at}, ${at}, ${at}
    from ${changed}, mda m where m.interaction_mode = 'B'
      and (m.name = any(${[...paid]}) or (
        select sum(l.amount) = 0 from assessment_line l where l.assessment = ${assessment} and l.mda = m.name))`;
}

/**
 * Enters, once a paid assessment is cancelled, each agency that was notified of its payment, to notify it of the
 * reversal: steps of that change. One that may know of the payment without an answer is notified of it first, and is
 * entered once it was (`enterReversalsOf`).
 */
export function enterReversals(changed: Step, assessment: string, at: Date): Step[] {
  const known = step('known')`
    select p.* from ${changed}, propagation p
    where p.assessment = ${assessment} and p.kind = 'payment' and ${mayBeKnown}`;
  const { from, to } = propagationLifecycle.resume;
  return [
    step('reversals')`
      insert into propagation (name, assessment, mda, kind, status, next_attempt_at, created_at, updated_at)
      select k.name || '.reversal', k.assessment, k.mda, 'reversal', 'pending', ${at}, ${at}, ${at}
      from ${known} k where k.status = ${propagationLifecycle.succeed.to}`,
    step('resumed')`
      update propagation p set status = ${to}, attempts = 0, next_attempt_at = ${at}, updated_at = ${at}
      from ${known} k where p.name = k.name and p.status = any(${from})`,
  ];
}

/**
 * Enters the reversal for agencies that were notified of a payment only after its assessment was cancelled. The step
 * before yields the propagations that are done now: `name`, `assessment`, `mda`, `kind` and the `assessment_status`.
 */
export function enterReversalsOf(notified: Step, at: Date): Step {
  const { from, to } = propagationLifecycle.resume;
  // An agency that says again that it has the payment knows of its reversal, unless that was given up: then it follows again.
  return step('reversals')`
    insert into propagation as r (name, assessment, mda, kind, status, next_attempt_at, created_at, updated_at)
    select n.name || '.reversal', n.assessment, n.mda, 'reversal', ${to}, ${at}, ${at}, ${at}
    from ${notified} n where n.kind = 'payment' and n.assessment_status = 'Cancelled'
    on conflict (name) do update set status = ${to}, attempts = 0, next_attempt_at = ${at}, updated_at = ${at}
      where r.status = any(${from})`;
}
