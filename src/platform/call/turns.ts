import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Refusal } from '../../kernel/refusal.ts';

/** Requests that may wait, for each that may be under way. */
const WAITING_PER_TURN = 4;
/**
 * How long one waits at most: whoever asks is better served by hearing "not now" than by an answer that comes too late.
 */
const LONGEST_WAIT_MS = 1_000;
/** How often the log tells of requests that were turned away: a line each would be load on top of overload. */
const TELL_EVERY_MS = 1_000;

/** Why a request was turned away before anything of it was run. */
type Reason = 'full' | 'waited' | 'left';

/** A request's turn: it is under way, and counts as such until the turn ends. */
export interface Turn {
  /** Gives the turn to the next request. A second time is the same as once. */
  end(): void;
  /**
   * Lets others go first while something is waited for that costs this process nothing. It goes on at once when that is
   * over.
   */
  aside<T>(run: () => Promise<T>): Promise<T>;
}

/** A request that was not run: there are more than can be answered in time, or nobody waits for its answer any more. */
export class TurnedAway extends Refusal {
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
const TURNED_AWAY = new TurnedAway();

interface Waiting {
  go(): void;
}

/**
 * Lets so many requests be under way at a time, has some more wait their turn for a moment, and turns all others away
 * at once. Without it the queue would be in the event loop and before the database, where nothing can be taken out of
 * it again, and each request would be run however late, whether or not its caller is still there.
 */
export class Turns {
  readonly #most: number;
  readonly #log: Logger;
  readonly #shed: Counter<'reason'>;
  readonly #line = new Set<Waiting>();
  #underWay = 0;
  #unlogged = 0;
  #logging = false;

  constructor(most: number, log: Logger, registry: Registry) {
    this.#most = most;
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
    observe(registry, 'http_requests_waiting', 'Requests that wait for their turn.', () => this.#line.size);
  }

  /** Requests that have their turn. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Waits for a turn; refuses where there are too many before it, where it takes too long, or once `left` says that
   * nobody waits for the answer.
   */
  async take(left: AbortSignal): Promise<Turn> {
    if (left.aborted) throw this.#turnAway('left');
    if (this.#underWay < this.#most) this.#underWay++;
    else await this.#wait(left);
    return this.#turn();
  }

  #wait(left: AbortSignal): Promise<void> {
    if (this.#line.size >= this.#most * WAITING_PER_TURN) throw this.#turnAway('full');
    return new Promise((go, refuse) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        left.removeEventListener('abort', onLeft);
        this.#line.delete(waiting);
        done();
      };
      const turnAway = (reason: Reason) => settle(() => refuse(this.#turnAway(reason)));
      const onLeft = () => turnAway('left');
      const timer = setTimeout(turnAway, LONGEST_WAIT_MS, 'waited');
      const waiting: Waiting = { go: () => settle(go) };
      left.addEventListener('abort', onLeft);
      this.#line.add(waiting);
    });
  }

  #turn(): Turn {
    let ended = false;
    // What a request waits for outside, which can be several things at a time.
    let outside = 0;
    return {
      end: () => {
        if (!ended && outside === 0) this.#next();
        ended = true;
      },
      aside: async (run) => {
        if (outside++ === 0 && !ended) this.#next();
        try {
          return await run();
        } finally {
          // Not back in the line: half of it is done, and whoever was called outside has already acted on it.
          if (--outside === 0 && !ended) this.#underWay++;
        }
      },
    };
  }

  #next(): void {
    this.#underWay--;
    if (this.#underWay >= this.#most) return;
    const [first] = this.#line;
    if (!first) return;
    this.#underWay++;
    first.go();
  }

  #turnAway(reason: Reason): TurnedAway {
    this.#shed.inc({ reason });
    if (reason !== 'left') this.#logTurnedAway();
    return TURNED_AWAY;
  }

  #logTurnedAway(): void {
    this.#unlogged++;
    if (this.#logging) return;
    this.#logging = true;
    setTimeout(() => {
      this.#log.warn(
        { requests: this.#unlogged, under_way: this.#underWay, waiting: this.#line.size },
        'requests were turned away',
      );
      this.#logging = false;
      this.#unlogged = 0;
    }, TELL_EVERY_MS).unref();
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
