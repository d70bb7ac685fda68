/** Something that happened, at a moment. */
interface Happening {
  readonly occurredAt: string;
}

/**
 * Payments and anomalies in one list, newest first. Payments stay in the order of the stream; anomalies from before the
 * first of them are left out.
 */
export function mergeHappenings<Event extends Happening, Anomaly extends Happening>(
  events: readonly Event[],
  anomalies: readonly Anomaly[],
): (Event | Anomaly)[] {
  if (events.length === 0) return [...anomalies];
  const left = [...anomalies];
  return events.flatMap((event) => {
    const later = left.findIndex(({ occurredAt }) => occurredAt <= event.occurredAt);
    return [...left.splice(0, later < 0 ? left.length : later), event];
  });
}
