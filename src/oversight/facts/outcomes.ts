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

/** Fees of payments, as statements have them, by the agencies that bear them. */
export const WITHHELD: Fact = {
  name: 'withheld',
  of: 'statement',
  columns: {
    mda: 'varchar',
    provider: 'varchar',
    currency: 'varchar',
    /** Of the payment: by the clock of UTC, and its day by that of the agency. */
    occurred_at: 'timestamp',
    local_day: 'date',
    amount: 'decimal(18, 3)',
  },
};

/** Lines of statements of banks that are about payouts of providers. */
export const BANK_LINES: Fact = {
  name: 'bank_line',
  of: 'bank',
  columns: {
    /** The account, as that of agencies. */
    key: 'varchar',
    provider: 'varchar',
    currency: 'varchar',
    /** The days of payments that it pays out, by the clock of the agency. */
    from_on: 'date',
    to_on: 'date',
    value_on: 'date',
    /** Below zero for what went back. */
    amount: 'decimal(18, 3)',
  },
};

/** The days of agencies that are closed. */
export const AGENCY_DAYS: Fact = {
  name: 'agency_day',
  of: 'day',
  columns: {
    mda: 'varchar',
    day: 'date',
    /** By the clock of UTC; null while nobody has signed. */
    signed_on: 'date',
  },
};
