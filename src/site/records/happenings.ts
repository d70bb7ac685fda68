/** Something that happened, at a moment. */
interface Happening {
  readonly occurredAt: string;
}

/** Payments and anomalies in one list, newest first; anomalies from before the first of the payments are left out. */
export function mergeHappenings<Event extends Happening, Anomaly extends Happening>(
  events: readonly Event[],
  anomalies: readonly Anomaly[],
): (Event | Anomaly)[] {
  const oldest = events.map(({ occurredAt }) => occurredAt).toSorted()[0] ?? '';
  const shown = [...events, ...anomalies.filter(({ occurredAt }) => occurredAt >= oldest)];
  return shown.toSorted((a, b) => (a.occurredAt < b.occurredAt ? 1 : a.occurredAt > b.occurredAt ? -1 : 0));
}
