import type { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/**
 * What is not written here is refused. Money that arrives late is still money received, hence `settle` from Failed and
 * Expired.
 */
export const intentLifecycle = {
  initiate: { from: ['Pending'], to: 'Sent' },
  settle: { from: ['Pending', 'Sent', 'Failed', 'Expired'], to: 'Confirmed', emits: 'payment_intent.confirmed' },
  fail: { from: ['Pending', 'Sent'], to: 'Failed', emits: 'payment_intent.failed' },
  expire: { from: ['Pending', 'Sent'], to: 'Expired', emits: 'payment_intent.expired' },
} as const satisfies Lifecycle<IntentStatus>;
