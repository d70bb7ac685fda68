import type { Call } from '../../../platform/call/call.ts';
import type { Change } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { z } from '../../../kernel/zod.ts';
import { askForSecond } from '../../approvals/ask.ts';
import { defineApproval } from '../../approvals/kinds.ts';
import { updateRefund } from './draft.ts';
import { type Refund, getRefund, isOfPayment, readSharesOf } from './find.ts';
import { refundLifecycle } from './lifecycle.ts';
import { planChargeback } from './paying/finish.ts';
import { traceRefund } from './snapshot.ts';

const shared = {
  proposal: z.object({
    /** The payment, or the money that paid nothing. */
    intent: z.string(),
    amount: z.string(),
    currency: z.string(),
    reason_code: z.string(),
    method: z.string(),
    provider_reference: z.string().optional(),
    shares: z.array(z.object({ mda: z.string(), amount: z.string() })),
  }),
  needs: 'refunds.decide',
  lapse: async (call: Call, lapsed: Step, subject: string) => {
    const { guard: declined, trace } = await planDecision(call, await getRefund(call, subject), 'decline', lapsed);
    return { steps: [declined], trace: trace ?? [] };
  },
} as const;

/** Approval of a refund. */
export const refundApproval = defineApproval({
  ...shared,
  kind: 'refund',
  carryOut: async (call, approval, held) => {
    const refund = await getRefund(call, approval.subject);
    const decided = await planDecision(call, refund, 'approve', held);
    if (takesSecond(call, refund)) return askForSecond(call, payeeApproval, approval, held);
    const isChargeback = refund.method === 'chargeback' && isOfPayment(refund);
    return isChargeback ? planChargeback(call, refund, decided, held) : decided;
  },
});

/** Second approval of a refund to another payee than who paid. */
const payeeApproval = defineApproval({
  ...shared,
  kind: 'refund_payee',
  carryOut: async (call, { subject }, held) => planDecision(call, await getRefund(call, subject), 'approve', held),
});

/** The approvals that a refund may wait for, one after the other. */
export const refundApprovals = [refundApproval, payeeApproval] as const;

/** True if a refund takes a second approval, as it goes to somebody who did not pay it. */
function takesSecond({ config }: Call, { payeeHint, amount }: Refund): boolean {
  return payeeHint !== null && amount.greaterThan(config.refundTransferLimit);
}

/** The change by which a Requested refund is approved or declined, while a relation has a row. */
export async function planDecision(
  call: Call,
  before: Refund,
  decision: 'approve' | 'decline',
  held: Step | null,
): Promise<Change> {
  const edge = refundLifecycle[decision];
  const { name, revision, status } = before;
  if (status !== 'Requested') throw refuseBecause('approval_decided', `${name} is ${status} already`);
  const at = call.now();
  const after: Refund = {
    ...before,
    status: edge.to,
    approvedAt: decision === 'approve' ? at : null,
    enquireAt: decision === 'approve' && before.method === 'provider' ? at : null,
    revision: revision + 1,
    updatedAt: at,
  };
  return {
    subject: name,
    // A request that lapses is the guard of its own change.
    guard: step(decision === 'decline' && held ? 'declined' : 'changed')`${updateRefund(after, held ?? undefined)}`,
    trace: traceRefund(after, await readSharesOf(call, name), edge, status),
    operated: {
      action: `refund.${decision}`,
      subject: name,
      before: { status },
      after: { status: after.status },
      reason: null,
    },
  };
}
