import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { refuseBecause } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { changeShift } from '../shifts/change.ts';
import { type Shift, reviewShift } from '../shifts/find.ts';
import { shiftLifecycle } from '../shifts/lifecycle.ts';

/** Cancels an Open shift in which nothing was collected: a supervisor's way out of one that was opened by mistake. */
export function cancelShift(call: Call, input: { name: string; reason: string }): Promise<Shift> {
  const reason = requireText('reason', input.reason);
  return retryUntilSettled(async () => {
    const shift = await reviewShift(call, input.name);
    const { name, status } = shift;
    if (!allows(shiftLifecycle.cancel, status))
      throw refuseBecause('shift_not_open', `${name} is ${status}; only an Open shift can be cancelled`);
    const collected = await call.db.row(
      sql`select 1 from payment_event e join assessment a on a.name = e.assessment where a.shift = ${name} limit 1`,
    );
    if (collected) throw refuseBecause('shift_has_collections', `${name} has collections; it can only be closed`);
    const changed = changeShift(
      call,
      shift,
      sql`status = ${shiftLifecycle.cancel.to}::shift_status, cancel_reason = ${reason}, closed_at = ${call.now()}`,
    );
    const operated = {
      action: 'shift.cancel',
      subject: name,
      before: { status },
      after: { status: shiftLifecycle.cancel.to },
      reason,
    };
    return (await commit(call, { subject: name, guard: changed, operated })) ? reviewShift(call, name) : undefined;
  });
}
