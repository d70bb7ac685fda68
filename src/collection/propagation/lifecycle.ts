import type { Lifecycle } from '../../kernel/lifecycle.ts';

export type PropagationStatus = 'pending' | 'done' | 'dead' | 'rejected';

/** Subject of a notice to an agency. */
export type PropagationKind = 'payment' | 'reversal';

/**
 * The states of a notice of a payment, or of its reversal; its delivery is a message about the assessment.
 *
 * Triggers of the table that the verbs of this folder change:
 *
 * - `propagation.feed_queued`: figures include new notices.
 * - `propagation.feed`: figures follow the status.
 * - `propagation.feed_gone`: figures leave out deleted notices.
 */
export const propagationLifecycle = {
  succeed: { from: ['pending'], to: 'done', emits: 'assessment.propagated' },
  /** The same of a reversal. */
  succeedReversal: { from: ['pending'], to: 'done', emits: 'assessment.propagation_reversed' },
  postpone: { from: ['pending'], to: 'pending' },
  giveUp: { from: ['pending'], to: 'dead' },
  /** The agency reports later that it was told, though it had not answered so; the same message follows. */
  acknowledge: { from: ['pending', 'dead', 'rejected'], to: 'done' },
  receive: { from: ['done'], to: 'done', emits: 'assessment.receipt_issued' },
  reject: { from: ['pending', 'done', 'dead'], to: 'rejected', emits: 'assessment.propagation_rejected' },
  retry: { from: ['dead', 'rejected'], to: 'pending' },
  /** Its payment, which the agency may know of, is reversed: the agency is notified of both, in order. */
  resume: { from: ['dead'], to: 'pending' },
} as const satisfies Lifecycle<PropagationStatus>;
