import type { Fact } from '../../platform/analytics/fact.ts';

/** Each webhook to be delivered to an integrator. */
export const DELIVERIES: Fact = {
  name: 'delivery',
  of: 'delivery',
  columns: {
    /** On which it was queued, by the clock of UTC. */
    day: 'date',
    status: 'varchar',
  },
};

/** Each notice to an agency; the document is the assessment that it is about. */
export const PROPAGATIONS: Fact = {
  name: 'propagation',
  of: 'propagation',
  columns: {
    /** `payment` or `reversal`. */
    kind: 'varchar',
    day: 'date',
    status: 'varchar',
  },
};
