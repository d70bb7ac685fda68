import type { AssessmentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/** What is not written here is refused. */
export const assessmentLifecycle = {
  assess: { from: ['Draft'], to: 'Assessed' },
  settle: { from: ['Assessed'], to: 'Paid', emits: 'assessment.paid' },
  cancel: { from: ['Draft', 'Assessed', 'Paid'], to: 'Cancelled', emits: 'assessment.cancelled' },
} as const satisfies Lifecycle<AssessmentStatus>;
