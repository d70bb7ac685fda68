import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Refusal } from '../../../kernel/refusal.ts';
import { FairQueue, PART_FOR_BEGINNINGS, type Reason, type Waiting } from '../../../kernel/fair-queue.ts';

/** Longest wait: an immediate "not now" serves callers better than a late answer. */
const LONGEST_WAIT_MS = 1_000;
/** Requests that may wait, for each that may be under way. */
const WAITING_PER_TURN = 4;
/** Interval of log lines on requests turned away: a line each would be load on top of overload. */
const REPORT_EVERY_MS = 1_000;

/** A request's turn: it is under way, and counts as such until the turn ends. */
export interface Slot {
  /** Gives the turn to the next request. A second time is the same as once. */
  end(): void;
  /**
   * Lets others go first while something is waited for that costs this process nothing. It goes on at once when that is
   * over.
   */
  aside<T>(run: () => Promise<T>): Promise<T>;
}

/** A request that was not run: there are more than can be answered in time, or nobody waits for its answer any more. */
export class Overloaded extends Refusal {
  constructor() {
    super(
      'unavailable',
      'There are currently more requests than can be answered in time; nothing was done, try again shortly',
    );
  }
}

/**
 * One for all: where it was made says nothing, and to find that out for each would cost more than all else about it.
 */
export const OVERLOADED = new Overloaded();

/**
 * Lets so many requests be under way at a time, has some more wait their turn for a moment, and turns all others away
 * at once. Without it the queue would be in the event loop and before the database, where nothing can be taken out of
 * it again, and each request would be run however late, whether or not its caller is still there. Each sender's
 * requests wait in a line of their own, and the next turn goes to the line that has the fewest under way: who sends
 * more than can be answered delays only themselves.
 */
export class ConcurrencyLimiter {
  readonly #most: number;
  readonly #longestWaitMs: number;
  readonly #log: Logger;
  readonly #shed: Counter<'reason'>;
  readonly #queue: FairQueue;
  #underWay = 0;
  #unlogged = 0;
  #logging = false;

  /** `most` requests at a time. */
  constructor(most: number, log: Logger, registry: Registry, longestWaitMs = LONGEST_WAIT_MS) {
    this.#most = most;
    this.#longestWaitMs = longestWaitMs;
    this.#queue = new FairQueue(most, longestWaitMs);
    this.#log = log;
    this.#shed = new Counter({
      name: 'http_requests_shed_total',
      help: 'Requests that were not run: full, too many were waiting; waited, its turn came too late; left, its client gave up.',
      labelNames: ['reason'],
      registers: [registry],
    });
    observe(
      registry,
      'http_requests_in_flight',
      'Requests under way, of those that MAX_IN_FLIGHT bounds.',
      () => this.#underWay,
    );
    observe(registry, 'http_requests_waiting', 'Requests that wait for their turn.', () => this.#queue.waiting);
  }

  /** Requests that have their turn. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Waits for a turn among those of a sender; refuses where there are too many before it, which are fewer for what
   * `begins` something that further requests go on with, where it takes too long, or once `left` says that nobody waits
   * for the answer.
   */
  async take(left: AbortSignal, sender = '', begins = false): Promise<Slot> {
    if (left.aborted) throw this.#refuse('left');
    if (this.#underWay < this.#most) this.#begin(sender);
    else await this.#wait(left, sender, begins);
    return this.#slot(sender);
  }

  /** True if a request would be turned away now, and counts it so; asked before anything is made of it. */
  isOverloaded(sender: string, begins: boolean): boolean {
    if (this.#underWay < this.#most || !this.#queue.isHopeless(sender, begins)) return false;
    this.#refuse('full');
    return true;
  }

  #wait(left: AbortSignal, sender: string, begins: boolean): Promise<void> {
    if (this.#queue.isHopeless(sender, begins)) throw this.#refuse('full');
    const open = begins ? PART_FOR_BEGINNINGS : 1;
    if (this.#queue.waiting >= this.#most * WAITING_PER_TURN * open) this.#makeRoom(sender);
    const line = this.#queue.of(sender);
    return new Promise((go, refuse) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        left.removeEventListener('abort', onLeft);
        this.#queue.leave(line, waiting);
        done();
      };
      const waiting: Waiting = {
        go: () => settle(go),
        refuse: (reason) => settle(() => refuse(this.#refuse(reason))),
      };
      const onLeft = () => waiting.refuse('left');
      const timer = setTimeout(waiting.refuse, this.#longestWaitMs, 'waited');
      left.addEventListener('abort', onLeft);
      this.#queue.join(line, waiting);
    });
  }

  /** Drops the last request of the longest line for one that comes into a shorter line. */
  #makeRoom(sender: string): void {
    const last = this.#queue.lastOfLonger(sender);
    if (!last) throw this.#refuse('full');
    last.refuse('full');
  }

  #slot(sender: string): Slot {
    let ended = false;
    // Operations outside that a request waits for; there can be several at a time.
    let outside = 0;
    return {
      end: () => {
        if (ended) return;
        ended = true;
        if (outside === 0) this.#next(sender);
      },
      aside: async (run) => {
        if (outside++ === 0 && !ended) this.#next(sender);
        try {
          return await run();
        } finally {
          // Not back in the line: half of it is done, and the outside system has already acted on it.
          if (--outside === 0 && !ended) this.#begin(sender);
        }
      },
    };
  }

  #begin(sender: string): void {
    this.#underWay++;
    this.#queue.of(sender).underWay++;
  }

  #next(ended: string): void {
    this.#underWay--;
    this.#queue.of(ended).underWay--;
    this.#queue.forget(ended);
    while (this.#underWay < this.#most) {
      const line = this.#queue.next();
      if (!line) return;
      this.#begin(line.sender);
      const [first] = line.waiting;
      first!.go();
    }
  }

  #refuse(reason: Reason): Overloaded {
    this.#shed.inc({ reason });
    if (reason !== 'left') this.#logShed();
    return OVERLOADED;
  }

  #logShed(): void {
    this.#unlogged++;
    if (this.#logging) return;
    this.#logging = true;
    setTimeout(() => {
      this.#log.warn(
        { requests: this.#unlogged, under_way: this.#underWay, waiting: this.#queue.waiting },
        'requests were turned away',
      );
      this.#logging = false;
      this.#unlogged = 0;
    }, REPORT_EVERY_MS).unref();
  }
}

function observe(registry: Registry, name: string, help: string, value: () => number): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(value());
    },
  });
  registry.registerMetric(gauge);
}
