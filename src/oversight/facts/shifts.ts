import type { Fact } from '../../platform/analytics/fact.ts';

/** Results of the tills of closed shifts. */
export const SHIFTS: Fact = {
  name: 'shift',
  of: 'shift',
  columns: {
    /** The month of its close by the clock of UTC, and the day by that of the agency's country. */
    month: 'date',
    day: 'date',
    /** A pseudonym of the clerk, another one at each agency. */
    person: 'varchar',
    mda: 'varchar',
    /** The code of its agency and its label; the code alone where it has none. */
    counter: 'varchar',
    currency: 'varchar',
    expected_cash: 'decimal(18, 3)',
    cash_counted: 'decimal(18, 3)',
    variance: 'decimal(18, 3)',
    variance_status: 'varchar',
    /** The change that is not disclosed yet; null once it is. */
    waiting: 'bigint',
  },
};
