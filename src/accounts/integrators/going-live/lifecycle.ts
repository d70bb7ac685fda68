import type { LiveRequestStatus } from '../../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';

/** A request is decided once, by an operator; after a refusal another may be made. */
export const liveRequestLifecycle = {
  approve: { from: ['Pending'], to: 'Approved' },
  refuse: { from: ['Pending'], to: 'Refused' },
} as const satisfies Lifecycle<LiveRequestStatus>;
