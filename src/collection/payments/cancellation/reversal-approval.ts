import { requestApproval } from '../../approvals/ask.ts';
import { defineApproval } from '../../approvals/kinds.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sum } from '../../../kernel/money.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { z } from '../../../kernel/zod.ts';
import type { PaymentEvent } from '../find.ts';
import { agenciesBySize } from '../splits.ts';
import { planCancellation } from './cancellation.ts';
import { requireCancellable } from './reversible.ts';

/** Approval of cancelling a Paid assessment, and of reversing its payments. */
export const reversalApproval = defineApproval({
  kind: 'reversal',
  proposal: z.object({
    /** Amount that is given back in all. */
    amount: z.string(),
    currency: z.string(),
  }),
  needs: 'supervision.write',
  carryOut: async (call, { subject, proposal, askedReason }, held) => {
    const before = await getAssessment(call, subject);
    const cancellable = await requireCancellable(call, before);
    const left = totalOf(cancellable.paid);
    if (left !== proposal.amount)
      throw refuseBecause('payment_changed', `What was paid of ${subject} is ${left} ${before.currency} now`);
    return (await planCancellation(call, before, cancellable, askedReason, held)).change;
  },
});

/** Asks for a reversal. Who took the money cannot approve it: carrying it out refuses them. */
export async function askForReversal(
  call: Call,
  { name, currency }: Assessment,
  paid: readonly PaymentEvent[],
  reason: string | null,
): Promise<void> {
  await requestApproval(call, reversalApproval, {
    subject: name,
    about: [],
    mdas: agenciesBySize(paid),
    proposal: { amount: totalOf(paid), currency },
    reason,
  });
}

function totalOf(paid: readonly PaymentEvent[]): string {
  return String(sum(paid.map(({ amount }) => amount)));
}
