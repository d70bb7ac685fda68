import type { Fact } from '../../platform/analytics/fact.ts';

/** Anomalies, once for each agency that they concern. */
export const ANOMALIES: Fact = {
  name: 'anomaly',
  of: 'anomaly',
  columns: {
    kind: 'varchar',
    severity: 'varchar',
    status: 'varchar',
    /** By the clock of UTC, and the days of both clocks. */
    raised_at: 'timestamp',
    day: 'date',
    local_day: 'date',
    /** Null where it concerns no agency. */
    mda: 'varchar',
    /** True of one row of each anomaly, by which anomalies are counted. */
    leads: 'boolean',
    /** The number of the shift's document, for a variance. */
    shift: 'bigint',
  },
};
