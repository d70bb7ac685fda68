import type { Logger } from 'pino';
import { Refusal } from '../../kernel/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { faultOf } from '../database/errors.ts';
import type { Source } from '../database/open-database.ts';
import type { Sql } from '../database/sql.ts';
import type { Analytics, Asker, Difference } from './analytics.ts';
import { AtOnce, type Began } from './at-once.ts';
import { type EngineOptions, isDamage } from './engine.ts';
import type { Fact, FactFiles, MaterializedView } from './fact.ts';
import { type Consequence, type Making, NOT_KEPT, Opened } from './opened.ts';
import type { Position } from './source.ts';
import { Views } from './views.ts';

/** For how long a question waits for the copy before it is answered as of the last position, in milliseconds. */
const WAIT_MS = 2_000;
/** The same where there is no last position yet. */
const FIRST_WAIT_MS = 20_000;

/** Most restarts of a question while something is written. */
const MOST_BEGUN = 10;

/** For how long after a question the copy is kept close to PostgreSQL, in milliseconds. */
const ASKED_MS = 60_000;
/** Longest lag after a question and without, in milliseconds: reading changes is work that payments share. */
const BEHIND_MS = { asked: 500, unasked: 60_000 };

/** Parts of a copy beyond its facts. */
interface More {
  readonly views?: readonly MaterializedView[];
  readonly consequence?: Consequence;
  /** Files that some of it is filled from; null for none. */
  readonly files?: FactFiles | null;
}

/**
 * A columnar copy of facts, kept next to PostgreSQL and made of it alone: each question first brings it to the moment at
 * which it was asked. Its file can be removed at any time.
 */
export class Copy implements Analytics {
  readonly askedAsOf = null;
  readonly #making: Making;
  /** Null until a question opens it, and after a damaged file was closed. */
  #opened: Promise<Opened> | null = null;
  /** The resolved value of `#opened`. */
  #open: Opened | null = null;
  /** Time of the last attempt to compare: one that fails reads all of PostgreSQL again. */
  #triedAt = -Infinity;
  /** True if the next update refreshes the views. */
  #refreshes = false;
  /** The catching up that is under way, and the one that begins after it. */
  #running: Promise<Position> | null = null;
  #next: Promise<Position> | null = null;
  #closed = false;
  #askedAt = -Infinity;
  /** After a failure, for as long as what failed took. */
  #restsUntil = -Infinity;
  #keptAt = -Infinity;

  constructor(
    source: Source,
    facts: readonly Fact[],
    options: EngineOptions,
    log: Logger,
    { views = [], consequence = async () => false, files = null }: More = {},
  ) {
    this.#making = { source, contents: { facts, views: new Views(views) }, consequence, files, options, log };
  }

  get keptAsOf(): Date | null {
    return this.#open?.position?.asOf ?? null;
  }

  async rows<Row>(query: Sql): Promise<Row[]> {
    await this.asOf();
    return this.read<Row>(query);
  }

  async row<Row>(query: Sql): Promise<Row | null> {
    return (await this.rows<Row>(query))[0] ?? null;
  }

  async asOf(): Promise<Date> {
    return this.#waitFor(this.#open?.position);
  }

  async refresh(): Promise<Date> {
    this.#refreshes = true;
    return this.#waitFor(this.#open?.refreshed);
  }

  /** Waits for an update; if that takes long, the answer is as of the last position, or refused without one. */
  async #waitFor(known: Position | null = null): Promise<Date> {
    this.#askedAt = performance.now();
    const upToDate = this.#catchUp();
    // Also where nobody waits for it any more.
    upToDate.catch((error: unknown) => {
      if (!(error instanceof Refusal))
        this.#making.log.warn({ err: error }, 'the copy of facts was not brought up to date');
    });
    const position = await Promise.race([
      upToDate,
      later(this.#making.options.waitMs ?? (known ? WAIT_MS : FIRST_WAIT_MS), known),
    ]);
    if (position) return position.asOf;
    throw new Refusal('unavailable', 'The figures are being prepared; try again in a minute');
  }

  async keepUp(): Promise<void> {
    const now = performance.now();
    if (now - this.#keptAt >= BEHIND_MS[now - this.#askedAt > ASKED_MS ? 'unasked' : 'asked']) await this.#catchUp();
    const { position, verifiedAt } = await this.#find();
    // Also where the clock was set back.
    const isDue = Math.abs((position?.asOf ?? verifiedAt).getTime() - verifiedAt.getTime()) >= DAY_MS;
    if (!isDue || now - this.#triedAt < HOUR_MS) return;
    this.#triedAt = now;
    await this.verify();
  }

  atOnce(asker?: Asker, over?: AbortSignal): Analytics {
    return new AtOnce(this, asker, over);
  }

  async verify(): Promise<readonly Difference[]> {
    const differences: Difference[] = [];
    await this.#alone((opened) => opened.verify(differences));
    return differences;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#running, this.#next]);
    const opened = await this.#opened?.catch(() => null);
    await opened?.close();
  }

  /** Asks the copy as of its last position. */
  async read<Row>(query: Sql, asker?: Asker): Promise<Row[]> {
    const began = await this.begin();
    try {
      return await began.read<Row>(query, asker);
    } finally {
      began.end();
    }
  }

  /** Begins to read the copy as of its last position, regardless of what is written until that ends. */
  async begin(): Promise<Began> {
    for (let tries = 0; tries < MOST_BEGUN; tries++) {
      const opened = await this.#find();
      const began = await opened.begin();
      if (began) return began;
      // Rows being written have no position yet.
      await this.#running?.catch(() => null);
    }
    throw new Refusal('unavailable', NOT_KEPT);
  }

  /** Those who ask while one is under way wait for the next one together: what was recorded meanwhile is in that. */
  #catchUp(): Promise<Position> {
    if (!this.#running) return (this.#running = this.#bringUpToDate().finally(() => (this.#running = null)));
    return (this.#next ??= this.#running
      .catch(() => null)
      .then(() => {
        this.#next = null;
        return this.#catchUp();
      }));
  }

  /** Changes the copy while nothing else does. */
  async #alone(change: (opened: Opened) => Promise<Position>): Promise<void> {
    while (this.#running) await this.#running.catch(() => null);
    this.#running = this.#keeping(change).finally(() => (this.#running = null));
    await this.#running;
  }

  async #bringUpToDate(): Promise<Position> {
    if (performance.now() < this.#restsUntil) throw new Refusal('unavailable', NOT_KEPT);
    return this.#keeping((opened) => {
      const refreshes = this.#refreshes;
      this.#refreshes = false;
      return refreshes ? opened.refresh() : opened.catchUp();
    });
  }

  async #keeping(change: (opened: Opened) => Promise<Position>): Promise<Position> {
    const started = performance.now();
    try {
      const opened = await this.#find();
      if (opened.damage) throw opened.damage;
      const position = await change(opened);
      this.#keptAt = performance.now();
      return position;
    } catch (error) {
      // Callers learn of PostgreSQL's own refusals as they do elsewhere.
      if (error instanceof Refusal || faultOf(error)) throw error;
      this.#making.log.error({ err: error }, 'the copy of facts cannot be kept');
      await this.#reopen(isDamage(error));
      // Filling a copy in vain, over and over, would take from PostgreSQL what payments need.
      this.#restsUntil = 2 * performance.now() - started;
      throw new Refusal('unavailable', NOT_KEPT);
    }
  }

  /**
   * After an error of the engine's own, such as a full disk, all of it is opened again by the next question. A file that
   * cannot be read is removed first: it would be found again.
   */
  async #reopen(remove: boolean): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    this.#opened = null;
    this.#open = null;
    await opened?.close(remove);
  }

  #find(): Promise<Opened> {
    if (this.#closed) throw new Refusal('unavailable', 'The process is stopping');
    return (this.#opened ??= Opened.open(this.#making).then(
      (opened) => (this.#open = opened),
      (error: unknown) => {
        this.#opened = null;
        throw error;
      },
    ));
  }
}

function later<T>(ms: number, value: T): Promise<T> {
  return new Promise((done) => setTimeout(() => done(value), ms).unref());
}
