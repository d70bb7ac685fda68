import type { Logger } from 'pino';
import { Refusal } from '../../kernel/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { faultOf } from '../database/errors.ts';
import type { Database, Sql } from '../database/sql.ts';
import type { Analytics, Asker, Difference } from './analytics.ts';
import { AtOnce, type Began } from './at-once.ts';
import { compare } from './compare.ts';
import { type Contents, confirm, fill, findPosition, follow } from './contents.ts';
import { Engine, type EngineOptions, isDamage } from './engine.ts';
import type { Fact, FactFiles, MaterializedView } from './fact.ts';
import { type Position, Snapshot, look } from './source.ts';
import type { Source } from '../database/open-database.ts';
import type { InFiles } from './tables.ts';
import { Views } from './views.ts';

/** For how long a question waits for the copy before it is answered as of the last position, in milliseconds. */
const WAIT_MS = 2_000;
/** The same where there is no last position yet. */
const FIRST_WAIT_MS = 20_000;

/** At most so many follow-up rounds for one question. Later changes wait for the next question. */
const MOST_CONSEQUENCES = 3;

/** Most restarts of a question while something is written. */
const MOST_BEGUN = 10;

/** For how long after a question the copy is kept close to PostgreSQL, in milliseconds. */
const ASKED_MS = 60_000;
/** Longest lag without questions, in milliseconds: reading changes is work that payments share. */
const BEHIND_MS = 60_000;

const NOT_KEPT = 'Figures cannot be computed now; the log of the process says why';

/** Consequence of an up-to-date copy for PostgreSQL; answers true if PostgreSQL was changed. */
export type Consequence = (copy: Database) => Promise<boolean>;

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
  readonly #source: Source;
  readonly #contents: Contents;
  readonly #options: EngineOptions;
  readonly #log: Logger;
  readonly #consequence: Consequence;
  readonly #files: FactFiles | null;
  #engine: Promise<Engine> | null = null;
  /** Up to where the copy has what PostgreSQL has; null until it was filled, or found to be of this database. */
  #position: Position | null = null;
  /** The version of the engine that this is. */
  #version = 0;
  /** Position in the file, which may be of another database. */
  #inFile: Position | null = null;
  /** Time at which it was last made from PostgreSQL, or compared with it. */
  #verifiedAt = new Date(0);
  /** Time of the last attempt to compare: one that fails reads all of PostgreSQL again. */
  #triedAt = -Infinity;
  /** Up to where its views have it; null where they were not asked for since it was opened. */
  #refreshed: Position | null = null;
  /** True if the next update refreshes the views. */
  #refreshes = false;
  /** The catching up that is under way, and the one that begins after it. */
  #running: Promise<Position> | null = null;
  #next: Promise<Position> | null = null;
  /** Damage that a question met in the file, which the next update removes. */
  #damage: Error | null = null;
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
    this.#source = source;
    this.#contents = { facts, views: new Views(views) };
    this.#options = options;
    this.#log = log;
    this.#consequence = consequence;
    this.#files = files;
  }

  get keptAsOf(): Date | null {
    return this.#position?.asOf ?? null;
  }

  async rows<Row>(query: Sql): Promise<Row[]> {
    await this.asOf();
    return this.read<Row>(query);
  }

  async row<Row>(query: Sql): Promise<Row | null> {
    return (await this.rows<Row>(query))[0] ?? null;
  }

  async asOf(): Promise<Date> {
    return this.#waitFor(this.#position);
  }

  async refresh(): Promise<Date> {
    this.#refreshes = true;
    return this.#waitFor(this.#refreshed);
  }

  /** Waits for an update; if that takes long, the answer is as of the last position, or refused without one. */
  async #waitFor(known: Position | null): Promise<Date> {
    this.#askedAt = performance.now();
    const upToDate = this.#catchUp();
    // Also where nobody waits for it any more.
    upToDate.catch((error: unknown) => {
      if (!(error instanceof Refusal)) this.#log.warn({ err: error }, 'the copy of facts was not brought up to date');
    });
    const position = await Promise.race([
      upToDate,
      later(this.#options.waitMs ?? (known ? WAIT_MS : FIRST_WAIT_MS), known),
    ]);
    if (position) return position.asOf;
    throw new Refusal('unavailable', 'The figures are being prepared; try again in a minute');
  }

  async keepUp(): Promise<void> {
    const now = performance.now();
    if (now - this.#askedAt > ASKED_MS && now - this.#keptAt < BEHIND_MS) return;
    const { asOf } = await this.#catchUp();
    this.#keptAt = performance.now();
    // Also where the clock was set back.
    const isDue = Math.abs(asOf.getTime() - this.#verifiedAt.getTime()) >= DAY_MS;
    if (!isDue || now - this.#triedAt < HOUR_MS) return;
    this.#triedAt = now;
    await this.verify();
  }

  atOnce(asker?: Asker, over?: AbortSignal): Analytics {
    return new AtOnce(this, asker, over);
  }

  async verify(): Promise<readonly Difference[]> {
    const differences: Difference[] = [];
    await this.#alone(async (engine, snapshot) => {
      const position = await this.#follow(engine, snapshot);
      for (const fact of this.#contents.facts) differences.push(...(await compare(engine, snapshot, fact)));
      if (differences.length === 0) {
        await confirm(engine, this.#contents, position);
        this.#verifiedAt = position.asOf;
        return position;
      }
      this.#log.error({ differences }, 'the copy of facts differs from PostgreSQL and is made again');
      return this.#fill(engine, snapshot, { position, files: null });
    });
    return differences;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#running, this.#next]);
    const engine = await this.#engine?.catch(() => null);
    await engine?.close();
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
      const engine = await this.#open();
      const [position, version] = [this.#position, this.#version];
      const moment = await this.#noticing(() => engine.begin());
      const end = () => engine.end(moment);
      if (position && version === engine.version) {
        const read = <Row>(query: Sql, asker?: Asker) => this.#noticing(() => engine.rows<Row>(moment, query, asker));
        return { asOf: position.asOf, read, end };
      }
      end();
      // What was written meanwhile has no position yet.
      await this.#running?.catch(() => null);
    }
    throw new Refusal('unavailable', NOT_KEPT);
  }

  async #noticing<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#damage = error;
      throw new Refusal('unavailable', NOT_KEPT);
    }
  }

  /** Gives all writes to the copy a position. */
  #standAt(engine: Engine, position: Position): Position {
    this.#version = engine.version;
    return (this.#position = position);
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
  async #alone(change: (engine: Engine, snapshot: Snapshot) => Promise<Position>): Promise<void> {
    while (this.#running) await this.#running.catch(() => null);
    this.#running = this.#keeping(async () => {
      const engine = await this.#open();
      return this.#standAt(engine, await this.#snapshot((snapshot) => change(engine, snapshot)));
    }).finally(() => (this.#running = null));
    await this.#running;
  }

  /** Reads several things as of one moment. */
  #snapshot<T>(run: (snapshot: Snapshot) => Promise<T>, same?: string): Promise<T> {
    return this.#source.snapshot((client) => run(new Snapshot(client)), same);
  }

  async #bringUpToDate(): Promise<Position> {
    if (performance.now() < this.#restsUntil) throw new Refusal('unavailable', NOT_KEPT);
    return this.#keeping(() => this.#tryToBringUpToDate());
  }

  async #keeping(change: () => Promise<Position>): Promise<Position> {
    const started = performance.now();
    try {
      if (this.#damage) throw this.#damage;
      return await change();
    } catch (error) {
      // What PostgreSQL refuses, callers learn as they do elsewhere.
      if (error instanceof Refusal || faultOf(error)) throw error;
      this.#log.error({ err: error }, 'the copy of facts cannot be kept');
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
    const engine = await this.#engine?.catch(() => null);
    this.#engine = null;
    this.#position = null;
    this.#inFile = null;
    this.#refreshed = null;
    this.#damage = null;
    await engine?.close(remove);
  }

  async #tryToBringUpToDate(): Promise<Position> {
    const engine = await this.#open();
    const refreshes = this.#refreshes;
    this.#refreshes = false;
    const position = await this.#followAll(engine);
    if (refreshes) {
      await this.#contents.views.refresh(engine);
      this.#refreshed = this.#standAt(engine, position);
    }
    return position;
  }

  /** Reads what has changed, and what follows from that. */
  async #followAll(engine: Engine): Promise<Position> {
    const from = this.#position ?? this.#inFile;
    if (from) {
      const { changed, position } = await look(this.#source.db, from);
      if (!changed) return (this.#position = position);
    }
    const followOnce = async () =>
      this.#standAt(engine, await this.#snapshot((snapshot) => this.#follow(engine, snapshot)));
    let position = await followOnce();
    for (let drawn = 0; drawn < MOST_CONSEQUENCES && (await this.#hasConsequence(engine)); drawn++)
      position = await followOnce();
    return position;
  }

  /** Runs the consequence; if PostgreSQL cannot be changed, the copy is right as it is. */
  async #hasConsequence(engine: Engine): Promise<boolean> {
    try {
      return await engine.reading(this.#consequence);
    } catch (error) {
      if (!faultOf(error)) throw error;
      this.#log.warn({ err: error }, 'what follows from the copy of facts could not be written');
      return false;
    }
  }

  async #follow(engine: Engine, snapshot: Snapshot): Promise<Position> {
    const from = this.#position ?? this.#inFile;
    const changes = from && (await snapshot.changesSince(from));
    if (!changes || changes.lost)
      return this.#fill(engine, snapshot, {
        position: changes?.position ?? (await snapshot.position()),
        files: this.#files,
      });
    await follow(engine, this.#contents, snapshot, changes);
    return changes.position;
  }

  /** Makes the copy again: readers see the former one until all of it is there. */
  async #fill(
    engine: Engine,
    snapshot: Snapshot,
    { position, files }: { position: Position; files: FactFiles | null },
  ): Promise<Position> {
    const started = performance.now();
    const inFiles = files && (await this.#find(files, position));
    const other = async (read: (reader: Snapshot) => Promise<void>) => this.#snapshot(read, await snapshot.share());
    await fill(engine, this.#contents, [(read) => read(snapshot), other], { position, inFiles });
    this.#verifiedAt = position.asOf;
    const ms = Math.round(performance.now() - started);
    this.#log.info({ ms, files: inFiles !== null }, 'the copy of facts was made');
    return position;
  }

  /** Rows of a fact in files; null if they are not fit for this position. */
  async #find(files: FactFiles, { origin }: Position): Promise<InFiles | null> {
    try {
      return { fact: files.fact, ...(await files.find(origin)) };
    } catch (error) {
      this.#log.warn({ err: error }, 'the copy of facts is not filled from files, but from PostgreSQL alone');
      return null;
    }
  }

  #open(): Promise<Engine> {
    if (this.#closed) throw new Refusal('unavailable', 'The process is stopping');
    return (this.#engine ??= this.#openEngine().catch((error: unknown) => {
      this.#engine = null;
      throw error;
    }));
  }

  async #openEngine(): Promise<Engine> {
    const engine = await Engine.open(this.#options, this.#log);
    const kept = await findPosition(engine, this.#contents);
    this.#inFile = kept;
    this.#verifiedAt = kept?.verifiedAt ?? this.#verifiedAt;
    return engine;
  }
}

function later<T>(ms: number, value: T): Promise<T> {
  return new Promise((done) => setTimeout(() => done(value), ms).unref());
}
