import type { Fact } from '../../platform/analytics/fact.ts';

/** Each attempt to pay. */
export const ATTEMPTS: Fact = {
  name: 'attempt',
  of: 'assessment',
  columns: {
    /** The one who owes: another number in each month. */
    person: 'bigint',
    /** The first day of the month in which it began (UTC). */
    month: 'date',
    channel: 'varchar',
    /** The agency that was to get the largest part; empty for none. */
    mda: 'varchar',
    /** `Sent`, `Confirmed`, `Failed` or `Expired`. */
    status: 'varchar',
    /** Cause of failure; empty for others, and if it is not disclosed yet. */
    cause: 'varchar',
    /** Number among the changes that wait. */
    attempt: 'bigint',
  },
};
