/**
 * Milliseconds that tests wait for an event that must happen. They are reached only if something is broken, however
 * slow or busy the machine is, so no test has its own.
 */
export const DEADLINES = {
  /** For a test, a hook, or a process that runs to its end. */
  test: 240_000,
  /** For one event: what a poll or a browser waits for. */
  event: 60_000,
};
