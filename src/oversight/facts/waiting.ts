import type { Fact } from '../../platform/analytics/fact.ts';

/** What has become of people and is not told yet: of each document and attempt the next change, once for each service. */
export const WAITING: Fact = {
  name: 'waiting',
  of: 'assessment',
  columns: {
    id: 'bigint',
    /** The fact that it changes, `assessed` or `attempt`, and whose: its document, or its attempt. */
    fact: 'varchar',
    subject: 'bigint',
    /** The same number as in that fact. */
    person: 'bigint',
    /** The status that is told; null where nothing is. */
    was: 'varchar',
    /** The new status, or `cause`. */
    becomes: 'varchar',
    month: 'date',
    currency: 'varchar',
    mda: 'varchar',
    service: 'varchar',
    channel: 'varchar',
    /** The month of the payment or cancellation, or the cause. */
    detail: 'varchar',
  },
};

/** The number of the last step in which figures about people moved; no row before the first. */
export const STEPS: Fact = { name: 'step', of: 'step', columns: { number: 'integer' } };
