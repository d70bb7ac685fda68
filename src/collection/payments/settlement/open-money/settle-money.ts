import type { MoneyReceived } from '../../../../generated/prisma/client.ts';
import type { Call } from '../../../../platform/call/call.ts';
import { isDocname } from '../../../../platform/database/docnames.ts';
import { commit, retryUntilSettled } from '../../../../platform/change/commit.ts';
import { LONGEST_REASON, readText, requireText } from '../../../../kernel/text/free-text.ts';
import { requestApproval } from '../../../approvals/ask.ts';
import { getApproval } from '../../../approvals/find.ts';
import { takesApproval } from '../../../approvals/kinds.ts';
import { type Assessment, getAssessment } from '../../../assessments/find.ts';
import { getMoney, readAgenciesOf } from '../../../money/find.ts';
import { forgetSigner } from '../../../receipts/keys.ts';
import { agenciesBySize } from '../../splits.ts';
import { type Part, planAllocation, requireFitting } from './allocation.ts';
import { moneyApproval } from './approval.ts';
import { type Closing, planClosing } from './closing.ts';

interface AllocationInput {
  readonly assessment: string;
  readonly parts: readonly Part[];
  readonly reason?: string | null | undefined;
}

/**
 * Pays an assessment with money that arrived and paid nothing: parts of one channel that add up to its total. On a live
 * rail a second person approves it.
 */
export function allocateMoney(call: Call, { assessment, parts, ...input }: AllocationInput): Promise<Assessment> {
  const reason = readText('reason', input.reason, LONGEST_REASON);
  return retryUntilSettled(async () => {
    if (takesApproval(call)) {
      const { before, amount } = await requireFitting(call, assessment, parts);
      await requestApproval(call, moneyApproval, {
        subject: assessment,
        about: [],
        mdas: agenciesBySize(before.lines),
        proposal: {
          as: 'allocated',
          amount: String(amount),
          currency: before.currency,
          parts: parts.map((part) => ({ money: part.money, amount: String(part.amount) })),
        },
        reason,
      });
      return before;
    }
    if (await commit(call, await planAllocation(call, assessment, parts))) return getAssessment(call, assessment);
    forgetSigner(call);
    return undefined;
  });
}

/** Closes money, or a part of it: its provider transferred it elsewhere, or it is written off, up to `WRITE_OFF_LIMIT`. */
export function closeMoney(call: Call, input: Closing): Promise<MoneyReceived> {
  const closing = { ...input, reason: requireText('reason', input.reason, LONGEST_REASON) };
  return retryUntilSettled(async () => {
    const { name, as, amount, reason } = closing;
    const change = await planClosing(call, closing);
    const money = await getMoney(call, name);
    if (!takesApproval(call)) return (await commit(call, change)) ? money : undefined;
    await requestApproval(call, moneyApproval, {
      subject: name,
      about: [],
      mdas: await readAgenciesOf(call, money),
      proposal: { as, amount: String(amount), currency: money.currency },
      reason,
    });
    return money;
  });
}

/** The name that a change was asked for, by the subject of its first answer: itself, or a request to approve it. */
export async function subjectOfAnswer(call: Call, subject: string): Promise<string> {
  return isDocname('grant', subject) ? (await getApproval(call, subject)).subject : subject;
}
