import type { Transaction } from '../../../adapters/billers/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import { guard } from '../../../platform/change/step.ts';
import type { Biller } from '../../../platform/config/billers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Decimal } from '../../../kernel/money.ts';
import { z } from '../../../kernel/zod.ts';
import { requestApproval } from '../../approvals/ask.ts';
import { defineApproval } from '../../approvals/kinds.ts';
import { hasClaim, setAskedNow } from './keep.ts';

/** A statement's row of a transaction, as it is approved. */
const proposal = z.object({
  provider: z.string(),
  txn_id: z.string(),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  paid_at: z.string(),
  /** The run of the statement. */
  run: z.string(),
});

const GONE = 'The payment was decided on meanwhile, or its report is no longer kept; refuse the request';

/** Approval of a claim by a statement, once its payment point can no longer be asked. */
export const claimApproval = defineApproval({
  kind: 'claim',
  proposal,
  needs: 'operations.write',
  carryOut: async (call, { subject, proposal: { provider, txn_id, ...after } }, held) => {
    if (!(await hasClaim(call, provider, txn_id))) throw new Refusal('not_found', GONE);
    return {
      subject,
      // The approved claim is decided on like an answer of the payment point.
      guard: guard`${setAskedNow(call, provider, [txn_id], held)}`,
      operated: { action: 'claim.approve', subject, before: null, after, reason: null },
    };
  },
});

/** The transaction that was approved. */
export function readApproved(approved: unknown): Transaction {
  const { txn_id: txnId, reference, amount, currency, paid_at: paidAt } = proposal.parse(approved);
  return { txnId, reference, amount: new Decimal(amount), currency, paidAt: new Date(paidAt) };
}

/**
 * Has a second operator decide on claims that a statement has, and that M-Pesa, which lists what it took in two days, was
 * asked about for as long as that helps. Other payment points can always be asked.
 */
export async function askForClaims(
  call: Call,
  { name: provider, form }: Biller,
  run: string,
  taken: readonly Transaction[],
): Promise<void> {
  if (form !== 'mpesa_c2b') return;
  const waiting = await call.db.rows<{ txnId: string; subject: string }>(sql`
    select c.txn_id as "txnId", c.subject from (select *, provider || ':' || txn_id as subject from payment_claim) c
    where c.provider = ${provider} and c.txn_id = any(${taken.map(({ txnId }) => txnId)})
      and c.received_at <= ${call.now()}::timestamptz - interval '3 days'
      and not exists (select from approval a
        where a.kind = ${claimApproval.kind} and a.subject = c.subject and a.status in ('Pending', 'Approved'))`);
  for (const { txnId, subject } of waiting) {
    const { reference, amount, currency, paidAt } = taken.find((one) => one.txnId === txnId)!;
    // The statement is what the request was about.
    await requestApproval({ ...call, once: null }, claimApproval, {
      subject,
      about: [],
      proposal: {
        provider,
        txn_id: txnId,
        reference,
        amount: amount.toString(),
        currency,
        paid_at: paidAt.toISOString(),
        run,
      },
      reason: null,
    });
  }
}
