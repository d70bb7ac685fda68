import type { AssessmentStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/**
 * Lifecycle of an assessment. All other transitions are refused.
 *
 * Triggers of the tables that the verbs of this folder change:
 *
 * - `assessment.assessment_equals_lines`: at commit, the lines add up to the total.
 * - `assessment.assessment_frozen`: only the total of a Draft changes.
 * - `assessment.follow_assessment`: the payment reference becomes Paid or Withdrawn with its assessment.
 * - `assessment.feed_new`: figures include a new assessment.
 * - `assessment.feed`: figures follow the status, the moments, the person and the counter.
 * - `assessment.remake_copies`: all figures are read again if a paid assessment moves to another shift.
 * - `assessment_line.line_equals_total`: at commit, the lines add up to the total.
 * - `assessment_line.line_of_unpaid_assessment`: at commit, a line with a payment intent is unchanged.
 */
export const assessmentLifecycle = {
  assess: { from: ['Draft'], to: 'Assessed' },
  settle: { from: ['Assessed'], to: 'Paid', emits: 'assessment.paid' },
  replace: { from: ['Assessed'], to: 'Cancelled', emits: 'assessment.cancelled' },
  cancel: { from: ['Draft', 'Assessed', 'Paid'], to: 'Cancelled', emits: 'assessment.cancelled' },
} as const satisfies Lifecycle<AssessmentStatus>;
