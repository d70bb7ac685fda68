import type { Fact } from '../../platform/analytics/fact.ts';

/** What came of the rows of each statement of a provider, by outcome and currency. */
export const OUTCOMES: Fact = {
  name: 'outcome',
  of: 'statement',
  columns: {
    run: 'varchar',
    provider: 'varchar',
    outcome: 'varchar',
    /** Null for rows that name none. */
    currency: 'varchar',
    count: 'integer',
    settled: 'decimal(38, 4)',
    recorded: 'decimal(38, 4)',
  },
};
