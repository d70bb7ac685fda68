import type { AnomalyStatus } from '../../generated/prisma/enums.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';

/**
 * Triggers of the table that the verbs of this folder change:
 *
 * - `anomaly.queue_anomalies`: an anomaly waits for its position in the stream.
 * - `anomaly.queue_alerts`: an anomaly that is raised, or raised again, waits for the alert rules about it.
 * - `anomaly.feed`: figures follow the kind, the severity and the status.
 */
export const anomalyLifecycle = {
  resolve: { from: ['Open'], to: 'Resolved' },
  /** The same happens again. */
  reopen: { from: ['Resolved'], to: 'Open' },
} as const satisfies Lifecycle<AnomalyStatus>;
