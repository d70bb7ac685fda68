import type { Fact } from '../../platform/analytics/fact.ts';

/** Money that arrived at a provider and paid nothing. Rows never change. */
export const MONEY: Fact = {
  name: 'money_received',
  of: 'money',
  columns: {
    provider: 'varchar',
    channel: 'varchar',
    currency: 'varchar',
    amount: 'decimal(18, 3)',
    /** On which it was reported, by the clock of UTC. */
    day: 'date',
  },
};
