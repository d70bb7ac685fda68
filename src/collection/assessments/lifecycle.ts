import type { AssessmentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** What is not written here is refused. */
export const assessmentLifecycle = {
  assess: { from: ['Draft'], to: 'Assessed' },
  settle: { from: ['Assessed'], to: 'Paid' },
  cancel: { from: ['Draft', 'Assessed', 'Paid'], to: 'Cancelled' },
} as const satisfies Lifecycle<AssessmentStatus>;
