import type { Fact } from '../../platform/analytics/fact.ts';

/** Payers of agencies by month, for each assessment. */
export const PAYERS: Fact = {
  name: 'payer',
  of: 'assessment',
  columns: {
    /** Another number for each agency, which is the same in all months. */
    person: 'bigint',
    mda: 'varchar',
    /** The first day of the month of the payment (UTC). */
    month: 'date',
  },
};
