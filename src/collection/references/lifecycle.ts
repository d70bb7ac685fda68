import type { PaymentReferenceStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** `Expired` is what an Issued reference is once its time is over; nothing has to run for it. */
export type ReferenceStatus = PaymentReferenceStatus | 'Expired';

/**
 * The trigger of the table that the verbs of this folder change:
 *
 * - `payment_reference.reference_frozen`: a reference never changes its assessment or amount, and is never deleted.
 */
export const referenceLifecycle = {
  // A reference that was withdrawn after it expired may have been paid before.
  pay: { from: ['Issued', 'Withdrawn'], to: 'Paid' },
  withdraw: { from: ['Issued'], to: 'Withdrawn' },
} as const satisfies Lifecycle<PaymentReferenceStatus>;

/** The state of a reference at a moment: it can be paid up to the last of its time. */
export function referenceStatusOf(
  { status, expiresAt }: { readonly status: PaymentReferenceStatus; readonly expiresAt: Date },
  now: Date,
): ReferenceStatus {
  return status === 'Issued' && expiresAt < now ? 'Expired' : status;
}
