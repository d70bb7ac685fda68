import type { Fact } from '../../platform/analytics/fact.ts';

/** What agencies are to collect: of each fiscal year its days, and what falls to one of them. */
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
