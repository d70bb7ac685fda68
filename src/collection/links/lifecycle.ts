import type { PaymentLinkStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** `Expired` is what an Open link is once its time is over; nothing has to run for it. */
export type LinkStatus = PaymentLinkStatus | 'Expired';

export const linkLifecycle = {
  withdraw: { from: ['Open'], to: 'Withdrawn' },
} as const satisfies Lifecycle<PaymentLinkStatus>;

/** The state of a link at a moment: it is open up to the last of its time. */
export function linkStatusOf(
  { status, expiresAt }: { readonly status: PaymentLinkStatus; readonly expiresAt: Date },
  now: Date,
): LinkStatus {
  return status === 'Open' && expiresAt < now ? 'Expired' : status;
}
