import type { OpenPlace, Place } from './place.ts';

/** One kind of fault, and what it must not do. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** The promise that must hold. */
  readonly promise: string;
  /** The unit of its count, in the plural. */
  readonly unit: string;
  /** The count of a full run. */
  readonly full: number;
  /** The least count, however little time there is. */
  readonly floor: number;
  /** Its part of the time, compared with that of the others. */
  readonly share: number;
  /** Why this machine cannot run it; null where it can. */
  readonly missing?: () => string | null;
  run(context: Context): Promise<void>;
}

/** Thrown where it shows only midway that a machine cannot run a scenario; it says why. */
export class NotRun extends Error {}

interface Bounds {
  readonly full: number;
  readonly floor: number;
  /** When its time is over, by `performance.now()`; infinite in a full run. */
  readonly until: number;
  /** Aborted once nothing more is to be begun. */
  readonly signal: AbortSignal;
  readonly open: OpenPlace;
  readonly random: () => number;
}

/** The tools of a scenario, and the record of its actions and findings. */
export class Context {
  readonly counts: Record<string, number> = {};
  /** Broken promises, a sentence each. */
  readonly losses: string[] = [];
  readonly places: Place[] = [];
  readonly #endings: (() => unknown)[] = [];
  readonly random: () => number;
  /** The number that were begun. */
  tried = 0;
  readonly #bounds: Bounds;
  readonly #began = performance.now();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.random = bounds.random;
  }

  /** Begins one more, if there is to be one: of the full count, while there is time. */
  readonly more = (): boolean => {
    if (this.tried >= this.#bounds.full || (this.isOver && this.tried >= this.#floor)) return false;
    this.tried++;
    return true;
  };

  /** True once the time is over. */
  get isOver(): boolean {
    return this.#bounds.signal.aborted || performance.now() > this.#bounds.until;
  }

  /** Progress from 0 to 1: of the full count or of the time. */
  get part(): number {
    const { full, floor, until } = this.#bounds;
    const time = this.isOver ? this.tried / floor : (performance.now() - this.#began) / (until - this.#began);
    return Math.max(this.tried / full, time);
  }

  get #floor(): number {
    return this.#bounds.signal.aborted ? 0 : this.#bounds.floor;
  }

  /** Begins one after another in so many hands, until there are enough. */
  async spread(hands: number, work: (hand: number) => Promise<void>): Promise<void> {
    await Promise.all(
      Array.from({ length: hands }, async (_, hand) => {
        while (this.more()) await work(hand);
      }),
    );
  }

  /** A rail for this scenario alone; it is verified and removed after it. */
  async open(...how: Parameters<OpenPlace>): Promise<Place> {
    const place = await this.#bounds.open(...how);
    this.places.push(place);
    return place;
  }

  /** Has something tidied up once all is verified. */
  atEnd(tidyUp: () => unknown): void {
    this.#endings.push(tidyUp);
  }

  /** Ends all that was opened, the last first. */
  async close(): Promise<void> {
    for (const place of this.places.splice(0)) await place.close();
    for (const tidyUp of this.#endings.splice(0).toReversed()) await tidyUp();
  }

  count(label: string, more = 1): void {
    this.counts[label] = (this.counts[label] ?? 0) + more;
  }

  /** Notes how many there are of what there must be none of, and each of them as a loss. */
  lose(label: string, found: readonly string[]): void {
    this.count(label, found.length);
    for (const one of found) this.losses.push(`${label}: ${one}`);
  }

  /** Notes a loss where something is not as it has to be. */
  hold(holds: boolean, otherwise: () => string): void {
    if (!holds) this.losses.push(otherwise());
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
