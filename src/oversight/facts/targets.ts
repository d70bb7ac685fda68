import type { Fact } from '../../platform/analytics/fact.ts';

/** Targets of agencies: the days of each fiscal year, and the share of one of them. */
export const TARGETS: Fact = {
  name: 'target',
  of: 'catalogue',
  columns: {
    mda: 'varchar',
    currency: 'varchar',
    first_day: 'date',
    last_day: 'date',
    a_day: 'decimal(22, 6)',
  },
};
