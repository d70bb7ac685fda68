import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { withdrawEach } from '../../approvals/ask.ts';
import { planDecision, refundApprovals } from './approval.ts';
import { type Refund, getRefund } from './find.ts';

/** Withdraws a Requested refund: for those who asked for it. */
export function withdrawRefund(call: Call, name: string): Promise<Refund> {
  return retryUntilSettled(async () => {
    const before = await getRefund(call, name);
    if (before.requestedBy !== call.viewer.actor)
      throw new Refusal('forbidden', say`Only ${before.requestedBy} can withdraw ${name}`);
    const change = await planDecision(call, before, 'decline', null);
    const withdrawn = withdrawEach(call, refundApprovals, change.guard, [name], 'Withdrawn by who asked for it');
    return (await commit(call, { ...change, steps: [withdrawn] })) ? getRefund(call, name) : undefined;
  });
}
