/**
 * How long tests wait for what has to happen, in milliseconds. A machine reaches these only where something is broken,
 * however slow or busy it is, so that no test has one of its own.
 */
export const DEADLINES = {
  /** For a test, a hook, or a process that runs to its end. */
  test: 240_000,
  /** For one event: what a poll or a browser waits for. */
  event: 60_000,
};
