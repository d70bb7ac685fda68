import { LRUCache } from 'lru-cache';

/** Room for some 70,000 callers. */
const MOST_BYTES = 16 * 1_024 * 1_024;
/** Bytes for a caller without their name. */
const ENTRY_BYTES = 200;

/** Number of times somebody has come in the window that their first time began, and the rest of the window. */
export interface Counted {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/**
 * Counts in the memory of a process. However many callers come, it takes no more than so much: those who have been away
 * longest are forgotten first.
 */
export class Counter {
  readonly #counts: LRUCache<string, { points: number }>;

  constructor(windowSeconds: number) {
    this.#counts = new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: (_, who) => 2 * who.length + ENTRY_BYTES,
      ttl: windowSeconds * 1_000,
    });
  }

  async get(who: string): Promise<Counted | null> {
    const count = this.#counts.get(who);
    return count ? { consumedPoints: count.points, msBeforeNext: this.#counts.getRemainingTTL(who) } : null;
  }

  async consume(who: string, points = 1): Promise<Counted> {
    let count = this.#counts.get(who);
    if (!count) this.#counts.set(who, (count = { points: 0 }));
    count.points += points;
    return { consumedPoints: count.points, msBeforeNext: this.#counts.getRemainingTTL(who) };
  }
}
