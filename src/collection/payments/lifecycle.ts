import type { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** What is not written here is refused. Money that arrives late is still money received, hence `settle` from Failed and Expired. */
export const intentLifecycle = {
  initiate: { from: ['Pending'], to: 'Sent' },
  settle: { from: ['Pending', 'Sent', 'Failed', 'Expired'], to: 'Confirmed' },
  fail: { from: ['Pending', 'Sent'], to: 'Failed' },
  expire: { from: ['Pending', 'Sent'], to: 'Expired' },
} as const satisfies Lifecycle<IntentStatus>;
