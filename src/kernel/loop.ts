import type { Logger } from 'pino';

/** How long to wait after a round failed: most likely the database cannot be reached. */
const TROUBLED_MS = 2_000;

export interface Loop {
  /** Has the next round begin now. */
  wake(): void;
  /** Resolves once the round under way is over. */
  stop(): Promise<void>;
}

/** Runs rounds one after another until it is stopped. A round says how many milliseconds to rest after it. */
export function startLoop(log: Logger, name: string, round: () => Promise<number>): Loop {
  const halt = new AbortController();
  let wake: () => void = () => {};
  const pause = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  const running = (async () => {
    while (!halt.signal.aborted) {
      let pauseMs = TROUBLED_MS;
      try {
        pauseMs = await round();
      } catch (error) {
        log.error({ err: error, loop: name }, 'a round failed');
      }
      if (pauseMs > 0 && !halt.signal.aborted) await pause(pauseMs);
    }
  })();
  return {
    wake: () => wake(),
    async stop() {
      halt.abort();
      wake();
      await running;
    },
  };
}
