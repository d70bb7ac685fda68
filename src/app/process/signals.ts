import type { Logger } from 'pino';

/** Signals to the process, from its very start on. */
export interface Signals {
  /** Aborted by the first SIGINT or SIGTERM, whose name is its reason. */
  readonly stop: AbortSignal;
  /** Aborted by another one: its sender does not want to wait for requests under way. */
  readonly hurry: AbortSignal;
}

/** npm passes on the Ctrl-C that the terminal has sent to the whole group: what follows so soon is the same request. */
const SAME_REQUEST_MS = 500;

/** Listens to signals before anything is opened, so that everything opened by then is closed in order. */
export function listenToSignals(log: Logger): Signals {
  const stop = new AbortController();
  const hurry = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        askedAt = performance.now();
        log.info({ signal }, 'stopping');
        stop.abort(signal);
      } else if (performance.now() - askedAt > SAME_REQUEST_MS) {
        log.info({ signal }, 'stopping at once');
        hurry.abort(signal);
      }
    });
  }
  return { stop: stop.signal, hurry: hurry.signal };
}

/** Resolves once it is aborted. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
