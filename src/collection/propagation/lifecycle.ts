import type { Lifecycle } from '../../kernel/lifecycle.ts';

export type PropagationStatus = 'pending' | 'done' | 'dead' | 'rejected';

/** What an agency is told of. */
export type PropagationKind = 'payment' | 'reversal';

/** How far an agency was told of a payment, or of its reversal; that one was told is a message about the assessment. */
export const propagationLifecycle = {
  succeed: { from: ['pending'], to: 'done', emits: 'assessment.propagated' },
  /** The same of a reversal. */
  succeedReversal: { from: ['pending'], to: 'done', emits: 'assessment.propagation_reversed' },
  postpone: { from: ['pending'], to: 'pending' },
  giveUp: { from: ['pending'], to: 'dead' },
  /** The agency says by itself that it was told, of what it had not answered so; the same message follows. */
  acknowledge: { from: ['pending', 'dead', 'rejected'], to: 'done' },
  receive: { from: ['done'], to: 'done', emits: 'assessment.receipt_issued' },
  reject: { from: ['pending', 'done', 'dead'], to: 'rejected', emits: 'assessment.propagation_rejected' },
  retry: { from: ['dead', 'rejected'], to: 'pending' },
} as const satisfies Lifecycle<PropagationStatus>;
