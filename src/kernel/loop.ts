import type { Logger } from 'pino';

/** Pause after a failed round: most likely the database cannot be reached. */
const TROUBLED_MS = 2_000;

/** After which a loop polls even without a signal: signals can be lost. */
const UNHEARD_MS = 7_000;

/** Pause until something is heard, with a shortest and a longest time. */
export interface Rest {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** To rest until a signal arrives, or work falls due; `due` is the moment of that, in milliseconds from now. */
export function restUntil(leastMs: number, due: number | null = null): Rest {
  return { leastMs, mostMs: Math.max(leastMs, Math.min(due ?? UNHEARD_MS, UNHEARD_MS)) };
}

/** Calls a listener whenever there may be something to do, until the function that it answers is called. */
export type Heard = (listener: () => void) => () => void;

export interface Loop {
  /** Has the next round begin now. */
  wake(): void;
  /** Resolves once the round under way is over. */
  stop(): Promise<void>;
}

/**
 * Runs rounds one after another until it is stopped. A round says how long to rest after it: so many milliseconds, or
 * until `hear` receives a signal; a signal during a round counts for the rest after it.
 */
export function startLoop(
  log: Logger,
  name: string,
  round: () => Promise<number | Rest>,
  hear: Heard = () => () => {},
): Loop {
  const halt = new AbortController();
  const pause = new Pause();
  const unhear = hear(() => pause.hear());
  const running = (async () => {
    while (!halt.signal.aborted) {
      let rest: number | Rest = TROUBLED_MS;
      pause.begin();
      try {
        rest = await round();
      } catch (error) {
        log.error({ err: error, loop: name }, 'a round failed');
      }
      if (rest !== 0 && !halt.signal.aborted)
        await pause.rest(typeof rest === 'number' ? { leastMs: rest, mostMs: rest } : rest);
    }
  })();
  return {
    wake: () => pause.end(),
    async stop() {
      halt.abort();
      unhear();
      pause.end();
      await running;
    },
  };
}

/** A rest that can be cut short. */
class Pause {
  #heard = false;
  #over = false;
  /** Ends the rest, where it has lasted long enough for what was heard. */
  #look: () => void = () => {};

  begin(): void {
    this.#heard = false;
    this.#over = false;
  }

  hear(): void {
    this.#heard = true;
    this.#look();
  }

  end(): void {
    this.#over = true;
    this.#look();
  }

  rest({ leastMs, mostMs }: Rest): Promise<void> {
    const since = performance.now();
    return new Promise((done) => {
      let timer: NodeJS.Timeout | undefined;
      this.#look = () => {
        clearTimeout(timer);
        const leftMs = (this.#heard ? leastMs : mostMs) - (performance.now() - since);
        if (this.#over || leftMs <= 0) {
          this.#look = () => {};
          done();
        } else timer = setTimeout(this.#look, leftMs);
      };
      this.#look();
    });
  }
}
