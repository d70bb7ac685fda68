import type { ShiftStatus, VarianceStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

export const shiftLifecycle = {
  close: { from: ['Open'], to: 'Closed' },
  cancel: { from: ['Open'], to: 'Cancelled' },
} as const satisfies Lifecycle<ShiftStatus>;

/** What may be decided of the variance of a closed shift. */
export const varianceLifecycle = {
  approve: { from: ['Pending', 'Escalated'], to: 'Approved' },
  reject: { from: ['Pending', 'Escalated'], to: 'Rejected' },
  escalate: { from: ['Pending'], to: 'Escalated' },
} as const satisfies Lifecycle<VarianceStatus>;

export type VarianceDecision = keyof typeof varianceLifecycle;

/** A decision that ends the review of a variance. */
export type VarianceVerdict = Exclude<VarianceDecision, 'escalate'>;
