import type { ShiftStatus, VarianceStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/**
 * Triggers of the table that the verbs of this folder change:
 *
 * - `counter_shift.shift_counted`: what a closed shift counted never changes.
 * - `counter_shift.feed_closing`: figures include a shift when it closes, and its clerk with the next step.
 * - `counter_shift.feed_closed`: the same of a shift that is inserted as closed.
 * - `counter_shift.feed`: figures follow the variance and its review.
 * - `counter_shift.remake_copies`: all figures are read again if a shift changes its clerk or counter.
 */
export const shiftLifecycle = {
  close: { from: ['Open'], to: 'Closed' },
  cancel: { from: ['Open'], to: 'Cancelled' },
} as const satisfies Lifecycle<ShiftStatus>;

/** Decisions on the variance of a closed shift. */
export const varianceLifecycle = {
  approve: { from: ['Pending', 'Escalated'], to: 'Approved' },
  reject: { from: ['Pending', 'Escalated'], to: 'Rejected' },
  escalate: { from: ['Pending'], to: 'Escalated' },
} as const satisfies Lifecycle<VarianceStatus>;

export type VarianceDecision = keyof typeof varianceLifecycle;

/** A decision that ends the review of a variance. */
export type VarianceVerdict = Exclude<VarianceDecision, 'escalate'>;
