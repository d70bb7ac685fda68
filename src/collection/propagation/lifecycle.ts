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
  retry: { from: ['dead', 'rejected'], to: 'pending' },
} as const satisfies Lifecycle<PropagationStatus>;
