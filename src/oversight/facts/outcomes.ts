import type { Fact } from '../../platform/analytics/fact.ts';

/** What came of the rows of each statement of a provider, by outcome and currency; a row of no outcome where it has none. */
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
