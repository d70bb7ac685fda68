import type { Fact } from '../../platform/analytics/fact.ts';

/** The receipt of each payment event: one that pays several agencies has a row for each. */
export const RECEIPTS: Fact = {
  name: 'receipt',
  of: 'payment',
  columns: {
    /** Its docname, by which receipts are counted. */
    receipt: 'varchar',
    /** On which it was issued, by the clock of UTC. */
    day: 'date',
    mda: 'varchar',
    channel: 'varchar',
    status: 'varchar',
    copies: 'integer',
  },
};
