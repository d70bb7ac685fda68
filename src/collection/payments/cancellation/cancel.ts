import { getApproval } from '../../approvals/find.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { isDocname } from '../../../platform/database/docnames.ts';
import { readText } from '../../../kernel/text/free-text.ts';
import { planCancellation } from './cancellation.ts';
import { askForReversal } from './reversal-approval.ts';
import { isPaidFor, requireCancellable } from './reversible.ts';

/**
 * Cancels an assessment. A Paid one is reversed: each event of its confirmed intents gets a negative counterpart. On a
 * live rail that is asked for, and the assessment answered as it is. What supervisors and operators cancel is in their
 * audit. It lives here and not with the assessments because the reversal is a matter of payments, and both are one
 * statement.
 */
export function cancelAssessment(
  call: Call,
  input: { name: string; reason?: string | null | undefined },
): Promise<Assessment> {
  const reason = readText('reason', input.reason);
  return retryUntilSettled(async () => {
    const before = await getAssessment(call, input.name);
    const cancellable = await requireCancellable(call, before);
    if (isPaidFor(before) && takesApproval(call)) {
      await askForReversal(call, before, cancellable.paid, reason);
      return before;
    }
    const { after, change } = await planCancellation(call, before, cancellable, reason);
    return (await commit(call, change)) ? after : undefined;
  });
}

/** The assessment that a request cancelled, or asked to be reversed, whose answer was lost. */
export async function readCancelled(call: Call, subject: string): Promise<Assessment> {
  return getAssessment(call, isDocname('grant', subject) ? (await getApproval(call, subject)).subject : subject);
}
