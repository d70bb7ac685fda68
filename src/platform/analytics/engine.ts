import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBDecimalValue, DuckDBInstance, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Logger } from 'pino';
import { Decimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { LIMITS } from '../database/connection/connection.ts';
import type { Database, Sql } from '../database/sql.ts';
import { takeTurns } from '../../kernel/event-loop.ts';
import { FairQueue, type Waiting } from '../../kernel/fair-queue.ts';
import type { Asker } from './analytics.ts';
import { escape, writeOut } from './literal.ts';
import { say } from '../../kernel/text/said.ts';

/** The files that this process has open, which its own locks do not keep it from opening again. */
const openHere = new Set<string>();

type DuckDB = typeof import('@duckdb/node-api');

/** Bounds of memory and processors for analytics in a process. */
export interface EngineOptions {
  readonly folder: string;
  readonly memoryMb: number;
  readonly threads: number;
  /** Another folder whose files it may read. */
  readonly files?: string | null;
  /** Longest time for a question, in milliseconds; by default that of a statement of PostgreSQL. */
  readonly questionMs?: number;
  /** Longest wait for the copy before the answer is as of an earlier moment, in milliseconds; 2 s by default. */
  readonly waitMs?: number;
  /** Pause after looking for what follows from changes, in milliseconds; 5 s by default. With 0, questions wait for it. */
  readonly restMs?: number;
}

/**
 * Questions that run at a time, one of each caller, and so one of each moment: another's waits for no more than one of them.
 * Each holds a thread that reading files and looking up names need too.
 */
const READERS = 2;
const QUESTION_MS = LIMITS.oversight.statement;
/** Processes of one folder: each has a file of its own. */
const MOST_FILES = 64;

const TAKES_TOO_LONG = say`The query takes too long; ask for fewer groups or a shorter period`;
const GONE = 'The figures of this moment are gone; try again';
const TAKES_TOO_MUCH = 'The query takes too much memory; ask for fewer groups or a shorter period';

/** The copy as it was at one moment, regardless of what is written since. */
export interface Moment {
  /** Its reader, while no question is under way. */
  idle: DuckDBConnection | null;
  /** True once no further question is answered. */
  ended: boolean;
}

/** DuckDB as this process uses it: one file, one writer, a few readers. */
export class Engine {
  readonly #duckdb: DuckDB;
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #questionMs: number;
  readonly #moments = new Set<Moment>();
  /** Readers that are being opened or closed. The engine ends the process where its file is closed meanwhile. */
  readonly #moving = new Set<Promise<void>>();
  #closing = false;
  #free = READERS;
  /** Counted up before and after each change. */
  #version = 0;
  /** Callers wait for a reader, each in a line of their own. */
  readonly #queue = new FairQueue(READERS, Infinity);
  /** Its file, which no other process has open. */
  readonly path: string;

  private constructor(
    duckdb: DuckDB,
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    path: string,
    questionMs: number,
  ) {
    this.#duckdb = duckdb;
    this.#instance = instance;
    this.#writer = writer;
    this.path = path;
    this.#questionMs = questionMs;
  }

  /**
   * Opens the first file of the folder that no other process has open; one that cannot be read is removed, as
   * everything in it can be read again.
   */
  static async open(
    { folder, memoryMb, threads, files, questionMs = QUESTION_MS }: EngineOptions,
    log: Logger,
  ): Promise<Engine> {
    const duckdb = await load();
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
    const options = {
      memory_limit: `${memoryMb}MB`,
      threads: String(threads),
      temp_directory: join(folder, 'temporary'),
      default_null_order: 'postgres',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    };
    for (let slot = 0; slot < MOST_FILES; slot++) {
      const path = join(folder, `copy-${slot}.duckdb`);
      if (openHere.has(path)) continue;
      // Before it is opened: another copy of this process may look for one meanwhile.
      openHere.add(path);
      const instance = await openFile(duckdb, path, options, log).catch((error: unknown) => {
        openHere.delete(path);
        throw error;
      });
      if (!instance) {
        openHere.delete(path);
        continue;
      }
      const writer = await instance.connect();
      // It reads and writes only the copy's own folder, and reads the files that fill it.
      const allowed = [folder, ...(files ? [files] : [])].map((one) => `'${escape(one)}/'`);
      await writer.run(
        `set allowed_directories = [${allowed.join(', ')}]; set enable_external_access = false; set lock_configuration = true`,
      );
      return new Engine(duckdb, instance, writer, path, questionMs);
    }
    throw new Error(`${folder}: ${MOST_FILES} processes have their copies open`);
  }

  get version(): number {
    return this.#version;
  }

  /** Begins to read the copy as it is now: it is of one version, where that has not changed by then. */
  async begin(): Promise<Moment> {
    if (this.#closing) throw new Refusal('unavailable', GONE);
    const moment: Moment = { idle: null, ended: false };
    this.#moments.add(moment);
    await this.#move(this.#connect(moment));
    return moment;
  }

  #move(moving: Promise<void>): Promise<void> {
    this.#moving.add(moving);
    return moving.finally(() => this.#moving.delete(moving));
  }

  /** Another thread ends its transaction: rows that it was the last to read are removed then, which can take long. */
  #close(reader: DuckDBConnection): void {
    const close = () => reader.closeSync();
    void this.#move(reader.run('rollback').then(close, close));
  }

  async #connect(moment: Moment): Promise<void> {
    const reader = await this.#instance.connect();
    // The first table that is read decides what a transaction sees.
    await reader.run('begin transaction; from position');
    moment.idle = reader;
  }

  end(moment: Moment): void {
    this.#moments.delete(moment);
    moment.ended = true;
    if (moment.idle) this.#close(moment.idle);
    moment.idle = null;
  }

  /** The rows of a question; DuckDB understands most of what PostgreSQL does. */
  async rows<Row>(moment: Moment, question: Pick<Sql, 'strings' | 'values'>, asker?: Asker): Promise<Row[]> {
    const { who = '', questionMs = Infinity } = asker ?? {};
    await this.#take(who);
    const reader = this.#readerOf(moment, who);
    const started = performance.now();
    let late = false;
    const limit = setTimeout(
      () => {
        late = true;
        reader.interrupt();
      },
      Math.min(questionMs, this.#questionMs),
    );
    try {
      await asker?.admit();
      return await this.#ask<Row>(reader, writeOut(question));
    } catch (error) {
      if (late) throw new Refusal('validation_failed', TAKES_TOO_LONG);
      if (error instanceof Error && error.message.startsWith('Out of Memory Error'))
        throw new Refusal('validation_failed', TAKES_TOO_MUCH);
      throw error;
    } finally {
      clearTimeout(limit);
      const tookMs = performance.now() - started;
      await asker?.spend(tookMs);
      if (moment.ended) this.#close(reader);
      else moment.idle = reader;
      this.#giveBack(who, tookMs * (asker?.rests ?? 0));
    }
  }

  #readerOf(moment: Moment, who: string): DuckDBConnection {
    const reader = moment.idle;
    moment.idle = null;
    if (reader) return reader;
    this.#giveBack(who);
    throw new Refusal('unavailable', GONE);
  }

  #take(who: string): Promise<void> {
    const line = this.#queue.of(who);
    const takeIdle = () => {
      line.underWay++;
      this.#free--;
    };
    if (this.#free > 0 && line.underWay === 0) return Promise.resolve(takeIdle());
    return new Promise((take) => {
      const go = () => {
        take(takeIdle());
        this.#queue.leave(line, waiting);
      };
      // Slots bound how many wait, before they come here.
      const waiting: Waiting = { go, refuse: () => {} };
      this.#queue.join(line, waiting);
    });
  }

  /** Others go on at once, and who has asked after a rest. */
  #giveBack(who: string, restMs = 0): void {
    this.#free++;
    const goOn = () => {
      this.#queue.of(who).underWay--;
      this.#queue.forget(who);
      this.#next();
    };
    if (restMs === 0) return goOn();
    setTimeout(goOn, restMs).unref();
    this.#next();
  }

  #next(): void {
    const line = this.#free > 0 ? this.#queue.next() : null;
    if (line?.underWay === 0) [...line.waiting][0]!.go();
  }

  /** Changes the copy in one transaction, of which readers see all or nothing. The caller sees to it that one runs at a time. */
  async write(
    change: (run: (text: string, values?: readonly unknown[]) => Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    await this.#writer.run('begin transaction');
    try {
      await change((text, values = []) => this.#ask(this.#writer, text, values));
      this.#version++;
      await this.#writer.run('commit');
      this.#version++;
    } catch (error) {
      await this.#writer.run('rollback').catch(() => {});
      throw error;
    }
  }

  /** Reads for the only writer, without waiting for other questions. */
  async reading<T>(read: (db: Database) => Promise<T>): Promise<T> {
    const rows = <Row>({ text, values }: Sql) => this.#ask<Row>(this.#writer, text, values);
    return read({ rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] ?? null });
  }

  async #ask<Row>(connection: DuckDBConnection, text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { LIST, VARCHAR } = this.#duckdb;
    // The type of a list is that of its items, of which an empty one has none.
    const types: DuckDBType[] = [];
    for (const [place, value] of values.entries())
      if (Array.isArray(value) && value.length === 0) types[place] = LIST(VARCHAR);
    const bound = values.length > 0 ? values.map((value) => this.#bind(value)) : undefined;
    const result = await connection.run(text, bound, types);
    const names = result.columnNames();
    const rows: Record<string, unknown>[] = [];
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      const columns = names.map((name, place) => [name, chunk.getColumnVector(place)] as const);
      for await (const batch of takeTurns([...Array(chunk.rowCount).keys()]))
        for (const at of batch) {
          const row: Record<string, unknown> = {};
          for (const [name, column] of columns) row[name] = this.#read(column.getItem(at));
          rows.push(row);
        }
    }
    return rows as Row[];
  }

  /** A value of ours as DuckDB takes it. */
  #bind(value: unknown): DuckDBValue {
    const { DuckDBTimestampTZValue, DuckDBDecimalValue, listValue } = this.#duckdb;
    if (value instanceof Date) return new DuckDBTimestampTZValue(BigInt(value.getTime()) * 1_000n);
    if (value instanceof Decimal) return DuckDBDecimalValue.fromDouble(value.toNumber(), 19, 4);
    if (Array.isArray(value)) return listValue(value.map((one) => this.#bind(one)));
    return value as DuckDBValue;
  }

  /** A value of DuckDB's as PostgreSQL's driver would have it. */
  #read(value: DuckDBValue): unknown {
    const duckdb = this.#duckdb;
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof duckdb.DuckDBDecimalValue) return readDecimal(value);
    if (value instanceof duckdb.DuckDBTimestampTZValue || value instanceof duckdb.DuckDBTimestampValue)
      return new Date(Number(value.micros / 1_000n));
    if (value instanceof duckdb.DuckDBDateValue) return new Date(value.days * 86_400_000);
    if (value instanceof duckdb.DuckDBListValue) return value.items.map((item) => this.#read(item));
    if (value instanceof duckdb.DuckDBStructValue)
      return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, this.#read(entry)]));
    return value;
  }

  /** Closes the file once nobody reads it any more, and removes it where it is to be made again. */
  async close(remove = false): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#moving);
    for (let reader = 0; reader < READERS; reader++) await this.#take(`closes ${reader}`);
    for (const moment of this.#moments) this.end(moment);
    // Questions that still wait are refused: their moment is gone.
    for (let reader = 0; reader < READERS; reader++) this.#giveBack(`closes ${reader}`);
    await Promise.allSettled(this.#moving);
    this.#writer.closeSync();
    this.#instance.closeSync();
    if (remove) await removeFile(this.path);
    openHere.delete(this.path);
  }
}

/** 10 to the power of each scale that DuckDB's decimals have. */
const UNITS = Array.from({ length: 39 }, (_, scale) => 10n ** BigInt(scale));

/** Most amounts are whole: reading these as numbers takes a third of the time of reading their digits. */
function readDecimal(decimal: DuckDBDecimalValue): Decimal {
  const unit = UNITS[decimal.scale]!;
  const whole = Number(decimal.value / unit);
  return decimal.value % unit === 0n && Number.isSafeInteger(whole)
    ? new Decimal(whole)
    : new Decimal(decimal.toString());
}

/** True if an error says that the file cannot be read: not that a question is wrong or too large, or the disk full. */
export function isDamage(error: unknown): error is Error {
  return (
    error instanceof Error && /^(FATAL|INTERNAL|Serialization|IO Error: (Corrupt|Could not read))/.test(error.message)
  );
}

/** The engine is a package of its own for each platform, which an installation may lack. */
async function load(): Promise<DuckDB> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new Error(
      'Analytics need the package @duckdb/node-api, which is not installed or not made for this platform',
      {
        cause: error,
      },
    );
  }
}

/** Opens a file; null where another process has it open. */
async function openFile(
  duckdb: DuckDB,
  path: string,
  options: Record<string, string>,
  log: Logger,
): Promise<DuckDBInstance | null> {
  try {
    return await duckdb.DuckDBInstance.create(path, options);
  } catch (error) {
    if (isTaken(error)) return null;
    log.warn({ err: error, path }, 'the copy of facts cannot be opened and is made again');
    await removeFile(path);
    return duckdb.DuckDBInstance.create(path, options);
  }
}

async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.wal`, { force: true });
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Could not set lock on file|already (?:open|attached)|Unique file handle conflict/i.test(error.message)
  );
}
