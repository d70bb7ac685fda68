import { performance } from 'node:perf_hooks';

const ADJUST_EVERY_MS = 100;
/** Parts of the time in which the event loop is at work. */
const BUSY = 0.9;

/**
 * How many requests are under way at a time. Beyond what keeps the event loop at work, more of them only take longer,
 * each and all: so the bound falls while it is at work all the time, and rises while requests wait and it is not, since
 * then they wait for something else.
 */
export class Bound {
  readonly #least: number;
  readonly #most: number;
  readonly #isWaiting: () => boolean;
  #now: number;
  #timer: NodeJS.Timeout | null = null;

  /** `least` and `most` of them; `isWaiting` says whether more would be, if they could. */
  constructor(least: number, most: number, isWaiting: () => boolean) {
    this.#least = Math.min(least, most);
    this.#most = most;
    this.#now = this.#least;
    this.#isWaiting = isWaiting;
  }

  get now(): number {
    return this.#now;
  }

  /** Adjusts the bound for as long as requests wait. */
  watch(): void {
    if (this.#timer || this.#least === this.#most) return;
    const before = performance.eventLoopUtilization();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization > BUSY) this.#now = Math.max(this.#least, this.#now - 1);
      else if (this.#isWaiting()) this.#now = Math.min(this.#most, this.#now + 1);
      if (this.#isWaiting()) this.watch();
    }, ADJUST_EVERY_MS).unref();
  }
}
