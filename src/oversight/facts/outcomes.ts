import type { Fact } from '../../platform/analytics/fact.ts';

/** Results of the rows of each statement, by outcome and currency; one row without an outcome if there are none. */
export const OUTCOMES: Fact = {
  name: 'outcome',
  of: 'statement',
  columns: {
    run: 'varchar',
    provider: 'varchar',
    /** Alike for all comparisons of the same statement. */
    statement: 'varchar',
    /** By the clock of UTC; the end of its period is exclusive. */
    created_at: 'timestamp',
    from_at: 'timestamp',
    to_at: 'timestamp',
    outcome: 'varchar',
    /** Null for rows that name none. */
    currency: 'varchar',
    count: 'integer',
    settled: 'decimal(38, 4)',
    recorded: 'decimal(38, 4)',
  },
};
