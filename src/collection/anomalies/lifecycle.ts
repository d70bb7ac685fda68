import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

export const anomalyLifecycle = {
  resolve: { from: ['Open'], to: 'Resolved' },
  /** What happens again. */
  reopen: { from: ['Resolved'], to: 'Open' },
} as const satisfies Lifecycle<AnomalyStatus>;
