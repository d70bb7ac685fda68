import type { Fact } from '../../platform/analytics/fact.ts';

/** Changes about people that are not disclosed yet: of each document and attempt, once for each of its services. */
export const WAITING: Fact = {
  name: 'waiting',
  of: 'assessment',
  columns: {
    /** Its first change that waits, and the last. */
    id: 'bigint',
    last: 'bigint',
    /** The fact that it changes, `assessed` or `attempt`, and whose: its document, or its attempt. */
    fact: 'varchar',
    item: 'bigint',
    /** The same number as in that fact. */
    person: 'bigint',
    /** The status that is disclosed; null where nothing is. */
    was: 'varchar',
    /** The one that it has; `cause` where that is disclosed, and why it failed is not. */
    becomes: 'varchar',
    month: 'date',
    due: 'date',
    currency: 'varchar',
    mda: 'varchar',
    service: 'varchar',
    channel: 'varchar',
    /** The ground on which it was exempt and the months of the payment and the cancellation; or the cause. */
    detail: 'varchar',
  },
};

/** The number of the last step in which figures about people moved; no row before the first. */
export const STEPS: Fact = { name: 'step', of: 'step', columns: { number: 'integer' } };
