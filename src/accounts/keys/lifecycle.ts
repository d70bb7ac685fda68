import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** `expired` is what a key is once its time is over, whether or not anything has run since. */
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
  const ends = key.status === 'rolling' || key.status === 'active';
  return ends && key.expiresAt !== null && key.expiresAt <= now ? 'expired' : key.status;
}
