import type { Fact } from '../../platform/analytics/fact.ts';

/** Number of people registered on a day: the document is the day, so that nobody is named. */
export const REGISTRATIONS: Fact = {
  name: 'registration',
  of: 'registration',
  columns: {
    /** By the clock of UTC. */
    day: 'date',
    /** `identity_authority` or `by_hand`. */
    source: 'varchar',
    /** Null where nobody knows for which agency. */
    mda: 'varchar',
    people: 'integer',
  },
};
