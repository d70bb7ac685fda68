import type { Lifecycle } from '../../kernel/lifecycle.ts';

export type PropagationStatus = 'pending' | 'done' | 'dead';

/** How far an agency was told of a payment; that one was told is a message about the assessment. */
export const propagationLifecycle = {
  succeed: { from: ['pending'], to: 'done', emits: 'assessment.propagated' },
  postpone: { from: ['pending'], to: 'pending' },
  giveUp: { from: ['pending'], to: 'dead' },
  retry: { from: ['dead'], to: 'pending' },
} as const satisfies Lifecycle<PropagationStatus>;
