import type pg from 'pg';
import { faultOf, isGivenUp, isOutage, isUnprepared } from './errors.ts';

/** Most statements on their way on one connection. */
const MOST_UNDER_WAY = 8;
/** After how long without an answer a connection is taken to be busy with something long, in milliseconds. */
const STALLED_MS = 20;

/**
 * A few connections on which reads follow one another without waiting for answers in between: a short one costs both
 * sides half of what it costs on a connection of its own. Each is its own transaction, and a fault of one
 * does not affect others.
 *
 * A slow read holds up those behind it on its connection. So a read goes to the connection with the fewest under way,
 * and is sent another way if all are full or have not answered for a while.
 */
export class Pipeline {
  readonly #connections: readonly Connection[];

  /** `pool` has as many connections as are to be used, and they pipeline. */
  constructor(pool: pg.Pool) {
    this.#connections = Array.from({ length: pool.options.max }, () => new Connection(pool));
  }

  /**
   * Reads; null where it has to be asked another way: there is no room, it writes after all, or its connection
   * was lost with all on it.
   */
  async query(statement: pg.QueryConfig): Promise<pg.QueryResult | null> {
    let best: Connection | null = null;
    for (const one of this.#connections)
      if (!one.isBusy() && (best === null || one.underWay < best.underWay)) best = one;
    return best && best.query(statement);
  }
}

/** A client of the pool, held for as long as something is under way on it. */
interface Held {
  readonly client: Promise<pg.PoolClient>;
  underWay: number;
  lost: boolean;
  /** True while statements on it are gathered, to be sent once all that arrived together is looked at. */
  gathering: boolean;
}

class Connection {
  readonly #pool: pg.Pool;
  #held: Held | null = null;
  /** Time at which it began to have something under way, or answered last. */
  #heardAt = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get underWay(): number {
    return this.#held?.underWay ?? 0;
  }

  isBusy(): boolean {
    const { underWay } = this;
    return underWay >= MOST_UNDER_WAY || (underWay > 0 && performance.now() - this.#heardAt > STALLED_MS);
  }

  async query(statement: pg.QueryConfig): Promise<pg.QueryResult | null> {
    const held = (this.#held ??= { client: this.#pool.connect(), underWay: 0, lost: false, gathering: false });
    if (held.underWay++ === 0) this.#heardAt = performance.now();
    try {
      const client = await held.client;
      gather(held, client);
      return await client.query(statement).catch((error: unknown) => this.#fail(held, error));
    } catch (error) {
      if (isOutage(error)) this.#drop(held);
      throw error;
    } finally {
      this.#heardAt = performance.now();
      if (--held.underWay === 0) this.#release(held);
    }
  }

  /** Fails a read; the fate of another one is no answer to it. */
  #fail(held: Held, error: unknown): null {
    if (isUnprepared(error) || faultOf(error) === 'read_only') return null;
    if (!isOutage(error) || isGivenUp(error)) throw error;
    this.#drop(held);
    return null;
  }

  /** The next caller gets another client. */
  #drop(held: Held): void {
    held.lost = true;
    if (this.#held === held) this.#held = null;
  }

  #release(held: Held): void {
    if (this.#held === held) this.#held = null;
    held.client.then(
      (client) => client.release(held.lost),
      // It did not come about, as its caller was told.
      () => {},
    );
  }
}

/**
 * Has reads that are asked in one turn of the event loop leave by one call of the system: that costs as much as all else
 * that the driver does for a short read.
 */
function gather(held: Held, { connection: { stream } }: pg.PoolClient): void {
  if (held.gathering) return;
  held.gathering = true;
  stream.cork();
  setImmediate(() => {
    held.gathering = false;
    stream.uncork();
  });
}
