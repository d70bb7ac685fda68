import type { Enveloped } from '../events/envelope.ts';

/** A message in the hands of this process. */
export interface Claimed extends Enveloped {
  readonly name: string;
  /** This try among its tries. */
  readonly attempts: number;
  /** End of the claim, by which it is recognised. */
  readonly claimedUntil: Date;
  /** The docname of its endpoint, and the address of that. */
  readonly endpoint: string;
  readonly url: string;
  /** True if its endpoint failed last, or keeps this process waiting. */
  readonly failing: boolean;
}

/** Messages that a process has in hand at a time. */
const MOST = 64;
/** Most of these that may be on their way to endpoints that failed lately, or keep it waiting just now. */
const MOST_FAILING = 16;
/** An endpoint that has not answered after this long keeps its sender waiting. */
export const PROMPT_MS = 1_000;

/** Messages that a process can still take in hand. */
export interface Free {
  readonly healthy: number;
  readonly failing: number;
  /** Endpoints that keep this process waiting just now. */
  readonly slow: readonly string[];
}

/**
 * Messages that a process has in hand. One whose endpoint hangs stops counting as one of a healthy endpoint after a
 * second, so that endpoints that accept and never answer, however many there are, keep others waiting for a second at
 * most and not for their whole time-out.
 */
export class InFlight {
  readonly #held = new Map<Claimed, number>();

  add(message: Claimed): void {
    this.#held.set(message, performance.now());
  }

  remove(message: Claimed): void {
    this.#held.delete(message);
  }

  free(): Free {
    const before = performance.now() - PROMPT_MS;
    const held = [...this.#held];
    const slow = new Set(held.filter(([, since]) => since <= before).map(([{ endpoint }]) => endpoint));
    const failing = held.filter(([message]) => message.failing || slow.has(message.endpoint)).length;
    return {
      healthy: Math.max(0, MOST - (held.length - failing)),
      failing: Math.max(0, MOST_FAILING - failing),
      slow: [...slow],
    };
  }
}
