import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Refusal } from '../../kernel/refusal.ts';
import type { Source } from '../database/open-database.ts';
import type { Database, Sql } from '../database/sql.ts';
import type { Asker, Difference } from './analytics.ts';
import type { Began } from './at-once.ts';
import { compare } from './compare.ts';
import { type Contents, confirm, fill, findPosition, follow } from './contents.ts';
import { Engine, type EngineOptions, isDamage } from './engine.ts';
import type { FactFiles } from './fact.ts';
import { writeOut } from './literal.ts';
import { type Position, Snapshot, changesSince } from './source.ts';
import type { Highest, InFiles } from './tables.ts';

/** Pause after looking for what follows from changes: that has views of a whole month computed again. */
const REST_MS = 5_000;

/** Most rows of answers that are kept, some 10 MB, and most of one answer: what fills a page. */
const MOST_ROWS = 20_000;
const MOST_ROWS_OF_ONE = 1_000;

/** The refusal of questions while the copy cannot be read. */
export const NOT_KEPT = 'Figures cannot be computed now; the log of the process says why';

/** Consequence of an up-to-date copy for PostgreSQL; answers true if PostgreSQL was changed. */
export type Consequence = (copy: Pick<Database, 'rows'>) => Promise<boolean>;

/** Source, contents and settings of a copy. */
export interface Making {
  readonly source: Source;
  readonly contents: Contents;
  readonly consequence: Consequence;
  /** Files that some of it is filled from; null for none. */
  readonly files: FactFiles | null;
  readonly options: EngineOptions;
  readonly log: Logger;
}

/** An open file of a copy, and the position of PostgreSQL that it has reached. */
export class Opened {
  readonly #making: Making;
  readonly #engine: Engine;
  /** Position in the file, which may be of another database. */
  readonly #inFile: Position | null;
  #position: Position | null = null;
  /** The version of the engine that this is. */
  #version = 0;
  /** What follows from changes, while it is under way; true if PostgreSQL was changed. */
  #following: Promise<boolean> | null = null;
  #restsUntil = -Infinity;
  #refreshed: Position | null = null;
  #verifiedAt: Date;
  #damage: Error | null = null;
  readonly #highest: Highest = new Map();
  /** Answers by version and question: until something is written, the same question has the same answer. */
  readonly #answers = new LRUCache<string, unknown[]>({
    maxSize: MOST_ROWS,
    maxEntrySize: MOST_ROWS_OF_ONE,
    sizeCalculation: (rows) => rows.length + 1,
  });

  private constructor(making: Making, engine: Engine, kept: Awaited<ReturnType<typeof findPosition>>) {
    this.#making = making;
    this.#engine = engine;
    this.#inFile = kept;
    this.#verifiedAt = kept?.verifiedAt ?? new Date(0);
  }

  static async open(making: Making): Promise<Opened> {
    const engine = await Engine.open(making.options, making.log);
    return new Opened(making, engine, await findPosition(engine, making.contents));
  }

  /** Up to where the copy has what PostgreSQL has; null until it was filled, or found to be of this database. */
  get position(): Position | null {
    return this.#position;
  }

  /** Up to where its views have it; null where they were not asked for since it was opened. */
  get refreshed(): Position | null {
    return this.#refreshed;
  }

  /** Time at which it was last made from PostgreSQL, or compared with it. */
  get verifiedAt(): Date {
    return this.#verifiedAt;
  }

  /** Damage that a question met in the file, which the next update removes. */
  get damage(): Error | null {
    return this.#damage;
  }

  async close(remove = false): Promise<void> {
    await this.#following;
    return this.#engine.close(remove);
  }

  /** Begins to read as of the position; null where something is being written, which has no position yet. */
  async begin(): Promise<Began | null> {
    const [position, version] = [this.#position, this.#version];
    const moment = await this.#noticing(() => this.#engine.begin());
    const end = () => this.#engine.end(moment);
    if (position && version === this.#engine.version) {
      const read = async <Row>(query: Sql, asker?: Asker) => {
        const question = `${version} ${writeOut(query)}`;
        const known = this.#answers.get(question) as Row[] | undefined;
        if (known && !moment.ended) return known;
        const rows = await this.#noticing(() => this.#engine.rows<Row>(moment, query, asker));
        this.#answers.set(question, rows);
        return rows;
      };
      return { asOf: position.asOf, read, end };
    }
    end();
    return null;
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

  /** Reads what has changed. What follows from it is written meanwhile, and read by the next update. */
  async catchUp(): Promise<Position> {
    const from = this.#position ?? this.#inFile;
    const seen = from && (await changesSince(this.#making.source.db, from));
    const position =
      seen && !seen.lost && seen.documents.size === 0
        ? (this.#position = seen.position)
        : await this.#change((snapshot) => this.#follow(snapshot));
    if (this.#following || performance.now() < this.#restsUntil) return position;
    const { restMs = REST_MS } = this.#making.options;
    this.#following = this.#hasConsequence().finally(() => {
      this.#restsUntil = performance.now() + restMs;
      this.#following = null;
    });
    return restMs === 0 && (await this.#following) ? this.catchUp() : position;
  }

  /** Reads what has changed, and refreshes the views. */
  async refresh(): Promise<Position> {
    const position = await this.catchUp();
    await this.#making.contents.views.refresh(this.#engine);
    return (this.#refreshed = this.#standAt(position));
  }

  /** Compares it with all of PostgreSQL, and notes where they differ; then it is made again. */
  async verify(differences: Difference[]): Promise<Position> {
    const { contents, log } = this.#making;
    return this.#change(async (snapshot) => {
      const position = await this.#follow(snapshot);
      for (const fact of contents.facts) differences.push(...(await compare(this.#engine, snapshot, fact)));
      if (differences.length === 0) {
        await confirm(this.#engine, contents, position);
        this.#verifiedAt = position.asOf;
        return position;
      }
      log.error({ differences }, 'the copy of facts differs from PostgreSQL and is made again');
      return this.#fill(snapshot, position, null);
    });
  }

  async #change(change: (snapshot: Snapshot) => Promise<Position>): Promise<Position> {
    return this.#standAt(await this.#snapshot(change));
  }

  /** Gives all writes to the copy a position. */
  #standAt(position: Position): Position {
    this.#version = this.#engine.version;
    return (this.#position = position);
  }

  /** Reads several things as of one moment. */
  #snapshot<T>(run: (snapshot: Snapshot) => Promise<T>, same?: string): Promise<T> {
    return this.#making.source.snapshot((client) => run(new Snapshot(client)), same);
  }

  /** Runs the consequence on the copy as it is now; without it, the copy is right as it is. */
  async #hasConsequence(): Promise<boolean> {
    let began: Began | null = null;
    try {
      const reading = (began = await this.begin());
      return reading !== null && (await this.#making.consequence({ rows: (query) => reading.read(query) }));
    } catch (error) {
      this.#making.log.warn({ err: error }, 'what follows from the copy of facts could not be written');
      return false;
    } finally {
      began?.end();
    }
  }

  async #follow(snapshot: Snapshot): Promise<Position> {
    const from = this.#position ?? this.#inFile;
    const changes = from && (await changesSince(snapshot.db, from));
    if (!changes || changes.lost)
      return this.#fill(snapshot, changes?.position ?? (await snapshot.position()), this.#making.files);
    await follow(this.#engine, this.#making.contents, snapshot, changes, this.#highest);
    return changes.position;
  }

  /** Makes the copy again: readers see the former one until all of it is there. */
  async #fill(snapshot: Snapshot, position: Position, files: FactFiles | null): Promise<Position> {
    const { contents, log } = this.#making;
    const started = performance.now();
    const inFiles = files && (await this.#find(files, position));
    const other = async (read: (reader: Snapshot) => Promise<void>) => this.#snapshot(read, await snapshot.share());
    await fill(this.#engine, contents, [(read) => read(snapshot), other], { position, inFiles });
    this.#highest.clear();
    this.#verifiedAt = position.asOf;
    const ms = Math.round(performance.now() - started);
    log.info({ ms, files: inFiles !== null }, 'the copy of facts was made');
    return position;
  }

  /** Rows of a fact in files; null if they are not fit for this position. */
  async #find(files: FactFiles, { origin }: Position): Promise<InFiles | null> {
    try {
      return { fact: files.fact, ...(await files.find(origin)) };
    } catch (error) {
      this.#making.log.warn({ err: error }, 'the copy of facts is not filled from files, but from PostgreSQL alone');
      return null;
    }
  }
}
