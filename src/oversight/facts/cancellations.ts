import type { Fact } from '../../platform/analytics/fact.ts';

/** Reversals, and cancellations before payment, of each agency. */
export const CANCELLATIONS: Fact = {
  name: 'cancellation',
  of: 'assessment',
  columns: {
    /** The docname of a reversal's event, or for a cancellation a name that leads nowhere. */
    name: 'varchar',
    /** `reversal` or `cancellation`. */
    kind: 'varchar',
    mda: 'varchar',
    amount: 'decimal(18, 3)',
    currency: 'varchar',
    channel: 'varchar',
    cancelled_at: 'timestamptz',
    /** By the clock of UTC, and by that of the agency. */
    day: 'date',
    local_day: 'date',
    /** The first day of the month (UTC). */
    month: 'date',
    paid_at: 'timestamptz',
    /** The agency and the label of the counter at which it was paid. */
    counter_mda: 'varchar',
    counter: 'varchar',
    /** True if a reason was given. */
    explained: 'boolean',
    /** True if the person who took the money also reversed it. */
    same_hand: 'boolean',
    /** The person who owed what was cancelled: another number in each month. */
    person: 'bigint',
    /** False of a cancellation that is not disclosed yet. */
    told: 'boolean',
  },
};
