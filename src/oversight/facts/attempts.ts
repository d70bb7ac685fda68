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
    /** Why it came to nothing; empty for what did not, and where that is not disclosed yet. */
    cause: 'varchar',
    /** Which it is among the changes that wait. */
    attempt: 'bigint',
  },
};
