import type { IBackoff } from 'cockatiel';

/**
 * For how long a breaker stays open, by a clock that nobody sets: the breaker itself compares the time of day with
 * `duration`.
 */
export class Rest implements IBackoff<unknown> {
  readonly #ms: number;
  #until = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  get duration(): number {
    return this.isOver ? -Infinity : Infinity;
  }

  /** Begins it, as each break does. */
  next(): this {
    this.#until = performance.now() + this.#ms;
    return this;
  }
}
