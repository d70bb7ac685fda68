import { type Step, step } from '../../platform/change/step.ts';
import { mayBeKnown } from './known.ts';
import { propagationLifecycle } from './lifecycle.ts';
import type { Refund } from '../../generated/prisma/client.ts';

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
 * reversal: steps of that change; refunds that gave back all that it was paid have notices of their own. One that may know of the payment without an answer is notified of it first, and is
 * entered once it was (`enterReversalsOf`).
 */
export function enterReversals(changed: Step, assessment: string, reversed: readonly string[], at: Date): Step[] {
  const known = step('known')`
    select p.* from ${changed}, propagation p
    where p.assessment = ${assessment} and p.kind = 'payment' and ${mayBeKnown}
      and (p.mda = any(${[...reversed]}) or not exists (
        select from refund r join refund_share s on s.refund = r.name
        where r.assessment = p.assessment and s.mda = p.mda and not r.booked and r.status not in ('Declined', 'Failed')))`;
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
 * Enters, once a refund was paid, each agency of its shares that was notified of the payment; one that may know of it
 * without an answer is entered once it was (`enterReversalsOf`).
 */
export function enterRefund(changed: Step, { name, assessment }: Pick<Refund, 'name' | 'assessment'>, at: Date): Step {
  return step('refund_notices')`
    insert into propagation (name, assessment, mda, kind, refund, status, next_attempt_at, created_at, updated_at)
    select p.name || '.' || ${name}, p.assessment, p.mda, 'reversal', ${name}, 'pending', ${at}, ${at}, ${at}
    from ${changed}, propagation p
    where p.assessment = ${assessment} and p.kind = 'payment' and p.status = ${propagationLifecycle.succeed.to}
      and exists (select from refund_share s where s.refund = ${name} and s.mda = p.mda)`;
}

/**
 * Enters the reversal for agencies that were notified of a payment only after its assessment was cancelled. The step
 * before yields the propagations that are done now: `name`, `assessment`, `mda`, `kind` and the `assessment_status`.
 */
export function enterReversalsOf(notified: Step, at: Date): Step {
  const { from, to } = propagationLifecycle.resume;
  // An agency that says again that it has the payment knows of its reversal, unless that was given up: then it follows again.
  return step('reversals')`
    insert into propagation as r (name, assessment, mda, kind, refund, status, next_attempt_at, created_at, updated_at)
    select n.name || '.reversal', n.assessment, n.mda, 'reversal', null, ${to}, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from ${notified} n where n.kind = 'payment' and n.assessment_status = 'Cancelled'
    union all
    select n.name || '.' || f.name, n.assessment, n.mda, 'reversal', f.name, ${to}, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from ${notified} n join refund f on f.assessment = n.assessment and f.status = 'Done' and not f.booked
    where n.kind = 'payment' and exists (select from refund_share s where s.refund = f.name and s.mda = n.mda)
    on conflict (name) do update set status = ${to}, attempts = 0, next_attempt_at = ${at}, updated_at = ${at}
      where r.status = any(${from})`;
}
