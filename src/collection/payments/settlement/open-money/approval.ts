import { Decimal } from '../../../../kernel/money.ts';
import { z } from '../../../../kernel/zod.ts';
import { defineApproval } from '../../../approvals/kinds.ts';
import { planAllocation } from './allocation.ts';
import { planClosing } from './closing.ts';

const amount = z.string();

/** Approval of what becomes of money that paid nothing. */
export const moneyApproval = defineApproval({
  kind: 'money',
  proposal: z.discriminatedUnion('as', [
    z.object({
      as: z.literal('allocated'),
      amount,
      currency: z.string(),
      parts: z.array(z.object({ money: z.string(), amount })),
    }),
    z.object({ as: z.enum(['transferred', 'written_off']), amount, currency: z.string() }),
  ]),
  needs: 'refunds.decide',
  carryOut: (call, { subject, proposal, askedReason }, held) =>
    proposal.as === 'allocated'
      ? planAllocation(call, subject, proposal.parts.map(withDecimal), held)
      : planClosing(call, { ...withDecimal(proposal), name: subject, reason: askedReason! }, held),
});

function withDecimal<Part extends { readonly amount: string }>(part: Part) {
  return { ...part, amount: new Decimal(part.amount) };
}
