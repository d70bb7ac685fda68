/** Reason why a request was turned away before any of it ran. */
export type Reason = 'full' | 'waited' | 'left';

/** A request that waits its turn. */
export interface Waiting {
  go(): void;
  refuse(reason: Reason): void;
}

/** The requests of a sender. */
export interface SenderQueue {
  readonly sender: string;
  underWay: number;
  /** Those that wait, the first of them longest. */
  readonly waiting: Set<Waiting>;
  /** Since when there has been one at every moment, or none. */
  since: number;
  /** True while it stands. */
  standing: boolean;
  /** Number of its last turn among all turns. */
  served: number;
  /** Time of its last turn. */
  servedAt: number;
  /** Recent wait between two turns of one sender; 0 if unknown. */
  gapMs: number;
}

/**
 * A line that has not been empty for this long is no crowd that has come at once, but more than can be answered: it
 * stands, until nobody has waited in it for as long as that takes to be sure. Nobody joins a line that stands who would
 * wait for more than a few times as long as a request takes, or than a moment where that is less. Controlled delay, as
 * queues of packets are managed by it (RFC 8289).
 */
const STANDS_AFTER_MS = 100;
const MOVES_AFTER_MS = 500;
const WAIT_IN_STANDING_MS = 50;
const WAIT_IN_STANDING_REQUESTS = 4;
/**
 * The part of a line that is open to what begins something. The rest is for what goes on with it: to turn that away
 * would waste what was done before, and who has not begun loses the least by coming later.
 */
export const PART_FOR_BEGINNINGS = 0.5;
/** The same of a line that stands: there will be more of what goes on than can be answered, and not for a moment only. */
const PART_IN_STANDING = 0.25;

/** Weight of the last of a row of values in their recent average. */
const LATELY = 0.1;

/** The recent average of a row of values, with one more of them; `before` is 0 where that is the first. */
function movingAverage(before: number, now: number): number {
  return before === 0 ? now : before * (1 - LATELY) + now * LATELY;
}

/** Requests that wait their turn, those of each sender in a line. */
export class FairQueue {
  readonly #queue = new Map<string, SenderQueue>();
  readonly #underWay: number;
  readonly #longestWaitMs: number;
  #waiting = 0;
  #turns = 0;
  #servedAt = 0;
  /** The recent time between two turns of anybody. */
  #gapMs = 0;

  /** `underWay` is how many are, where some wait; none waits longer than `longestWaitMs`. */
  constructor(underWay: number, longestWaitMs: number) {
    this.#underWay = underWay;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Number of requests that wait, in all lines. */
  get waiting(): number {
    return this.#waiting;
  }

  of(sender: string): SenderQueue {
    let line = this.#queue.get(sender);
    if (!line) {
      line = {
        sender,
        underWay: 0,
        waiting: new Set(),
        since: performance.now(),
        standing: false,
        served: 0,
        servedAt: 0,
        gapMs: 0,
      };
      this.#queue.set(sender, line);
    }
    return line;
  }

  join(line: SenderQueue, one: Waiting): void {
    if (line.waiting.size === 0) line.since = performance.now();
    line.waiting.add(one);
    this.#waiting++;
  }

  leave(line: SenderQueue, one: Waiting): void {
    if (!line.waiting.delete(one)) return;
    this.#waiting--;
    if (line.waiting.size === 0) {
      line.since = performance.now();
    }
    this.forget(line.sender);
  }

  /** For how long it is worth joining a line; less so for what begins something. */
  #patienceOf(line: SenderQueue, begins: boolean): number {
    const { waiting, since, standing } = line;
    const lastsMs = performance.now() - since;
    if (waiting.size > 0 && lastsMs > STANDS_AFTER_MS) line.standing = true;
    else if (standing && waiting.size === 0 && lastsMs > MOVES_AFTER_MS) line.standing = false;
    if (!line.standing) return this.#longestWaitMs * (begins ? PART_FOR_BEGINNINGS : 1);
    // As many as are under way are over in the time that one of them takes.
    const requestMs = this.#gapMs * this.#underWay;
    const patience = Math.max(WAIT_IN_STANDING_MS, WAIT_IN_STANDING_REQUESTS * requestMs);
    return Math.min(this.#longestWaitMs, patience) * (begins ? PART_IN_STANDING : 1);
  }

  /**
   * True if a request that joined a sender's line now would wait in vain, as turns have come recently; sooner true if
   * further requests depend on it.
   */
  isHopeless(sender: string, begins: boolean): boolean {
    const line = this.#queue.get(sender);
    if (line === undefined) return false;
    return (line.waiting.size + 1) * line.gapMs > this.#patienceOf(line, begins);
  }

  /** The line whose turn it is: of those with the fewest under way the one that had its last turn longest ago. */
  next(): SenderQueue | null {
    let next: SenderQueue | null = null;
    for (const line of this.#queue.values()) {
      if (line.waiting.size === 0) continue;
      const fewer = line.underWay - (next?.underWay ?? Infinity);
      if (fewer < 0 || (fewer === 0 && line.served < next!.served)) next = line;
    }
    if (next) this.#serve(next);
    return next;
  }

  #serve(line: SenderQueue): void {
    const now = performance.now();
    // The time between two turns counts only if somebody waited all that time.
    if (line.since < line.servedAt) line.gapMs = movingAverage(line.gapMs, now - line.servedAt);
    if (line.since < this.#servedAt) this.#gapMs = movingAverage(this.#gapMs, now - this.#servedAt);
    line.served = ++this.#turns;
    line.servedAt = this.#servedAt = now;
  }

  /** The last in the longest line, where that is longer than a sender's would be with one more. */
  lastOfLonger(sender: string): Waiting | null {
    let longest: ReadonlySet<Waiting> = new Set();
    for (const { waiting } of this.#queue.values()) if (waiting.size > longest.size) longest = waiting;
    const own = this.#queue.get(sender)?.waiting.size ?? 0;
    return longest.size > own + 1 ? ([...longest].at(-1) ?? null) : null;
  }

  /** Keeps nothing of a sender of whom there is nothing. */
  forget(sender: string): void {
    const line = this.#queue.get(sender);
    if (line?.underWay === 0 && line.waiting.size === 0) this.#queue.delete(sender);
  }
}
