import { type Assessment, getAssessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { refuseUncollectable } from '../../assessments/payable.ts';
import { trackAssessment } from '../../assessments/snapshot.ts';
import { updateAssessment } from '../../assessments/update.ts';
import { enterPropagations } from '../../propagation/enter.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { sql } from '../../../platform/database/sql.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';

/**
 * Makes an Assessed assessment of a total of zero Paid: agencies and integrators are told as of any other. No money
 * moves, so that there is no intent, no event and no receipt.
 */
export function settleZero(call: Call, name: string): Promise<Assessment> {
  return retryUntilSettled(async () => {
    const before = await getAssessment(call, name);
    refuseUncollectable(call, before, 'assessment_not_payable', 'name');
    const { totalAmount, currency } = before;
    if (!totalAmount.isZero())
      throw refuseBecause(
        'total_not_zero',
        `${name} has a total of ${String(totalAmount)} ${currency}; it has to be paid`,
      );
    const at = call.now();
    const { settle } = assessmentLifecycle;
    const after: Assessment = {
      ...before,
      status: settle.to,
      paidAt: at,
      revision: before.revision + 1,
      updatedAt: at,
    };
    const held = step('held')`
      select a.name from assessment a where a.name = ${name} and a.revision = ${before.revision} and a.total_amount = 0
        and a.status = any(${settle.from}::assessment_status[]) for no key update of a`;
    const changed = guard`${updateAssessment(after, sql`${held}`)}`;
    const done = await commit(call, {
      subject: name,
      guard: changed,
      steps: [enterPropagations(changed, name, [], at)],
      trace: [transition(trackAssessment(after), settle, before.status)],
    });
    return done ? after : undefined;
  });
}
