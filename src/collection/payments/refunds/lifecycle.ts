import type { RefundStatus } from '../../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';

/**
 * Lifecycle of a refund. All other transitions are refused.
 *
 * Triggers of the tables that the verbs of this folder change:
 *
 * - `refund.within_payment`: at commit, its shares add up to it, and no more goes back than was paid.
 * - `refund.within_money`: at commit, no more of money that paid nothing goes back than arrived.
 * - `refund.feed_money`: the figures of money that paid nothing follow.
 * - `refund.feed`: the figures of refunds follow what is paid.
 * - `refund.settled`: the payment, the assessment, the amount and the currency never change.
 * - `refund_share.append_only`: a share never changes.
 * - `payment_event.reversal_within_payment`: at commit, no more went back than was paid.
 */
export const refundLifecycle = {
  approve: { from: ['Requested'], to: 'Approved', emits: 'refund.approved' },
  decline: { from: ['Requested'], to: 'Declined', emits: 'refund.declined' },
  send: { from: ['Approved'], to: 'Sent' },
  fail: { from: ['Approved', 'Sent'], to: 'Failed', emits: 'refund.failed' },
  finish: { from: ['Approved', 'Sent', 'Failed'], to: 'Done', emits: 'refund.done' },
} as const satisfies Lifecycle<RefundStatus>;

/** The edge by which a refund comes about. */
export const requested = { from: [], to: 'Requested', emits: 'refund.requested' } as const;
