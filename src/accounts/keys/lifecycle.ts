import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** `expired` is what a rolling key is once its grace window has passed, whether or not anything has run since. */
export type KeyStatus = 'waiting' | 'active' | 'rolling' | 'expired' | 'revoked';

export const keyLifecycle = {
  approve: { from: ['waiting'], to: 'active' },
  rotate: { from: ['active'], to: 'rolling' },
  revoke: { from: ['waiting', 'active', 'rolling'], to: 'revoked' },
} as const satisfies Lifecycle<KeyStatus>;

/** The state of a key at a moment. */
export function keyStatusOf(
  key: { readonly status: KeyStatus; readonly expiresAt: Date | null },
  now: Date,
): KeyStatus {
  return key.status === 'rolling' && key.expiresAt !== null && key.expiresAt <= now ? 'expired' : key.status;
}
