import { performance } from 'node:perf_hooks';
import { movingAverage } from './moving-average.ts';

const ADJUST_EVERY_MS = 100;
/** Parts of the time in which the event loop is at work. */
const BUSY = 0.9;
/** How many times as long as usual a request takes where more of them at a time only wait for one another. */
const SLOWER = 1.5;

/**
 * How many requests are under way at a time. Beyond what keeps the event loop, the database or the machine at work, more
 * of them only take longer, each and all: so the bound falls while the loop is at work all the time, or requests take
 * longer than where nobody waits; and rises while requests wait and neither is so, since then they wait for something
 * else.
 */
export class AdaptiveLimit {
  readonly #least: number;
  readonly #most: number;
  readonly #isWaiting: () => boolean;
  #now: number;
  #timer: NodeJS.Timeout | null = null;
  /** How long a request takes where nobody waits, and where somebody does, recently; 0 if that is not known. */
  #usualMs = 0;
  #crowdedMs = 0;

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

  /** Takes note of how long a request was under way. */
  observe(tookMs: number): void {
    if (this.#isWaiting()) this.#crowdedMs = movingAverage(this.#crowdedMs, tookMs);
    else this.#usualMs = movingAverage(this.#usualMs, tookMs);
  }

  /** Adjusts the bound for as long as requests wait. */
  watch(): void {
    if (this.#timer || this.#least === this.#most) return;
    const before = performance.eventLoopUtilization();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const { utilization } = performance.eventLoopUtilization(before);
      const slower = this.#usualMs > 0 && this.#crowdedMs > SLOWER * this.#usualMs;
      if (utilization > BUSY || slower) this.#now = Math.max(this.#least, this.#now - 1);
      else if (this.#isWaiting()) this.#now = Math.min(this.#most, this.#now + 1);
      if (this.#isWaiting()) this.watch();
    }, ADJUST_EVERY_MS).unref();
  }
}
