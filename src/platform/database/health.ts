import type pg from 'pg';
import { connect, runOnConnection } from './connection/connection.ts';
import { faultOf, isPassing } from './errors.ts';
import { isContract, listMigrations } from './migration/list.ts';

/** State of a process's database at present, in the words of `/readyz`. */
export type Health = 'ready' | 'not migrated' | 'database unreachable' | 'database read-only' | 'database full';

/** Within which there is always an answer, in milliseconds. */
const ANSWER_MS = 800;
/** A megabyte, so that a disk with a few free pages is no disk with room. */
const WRITE = `
  begin;
  create temporary table room on commit drop as select repeat(md5(n::text), 31) as filling from generate_series(1, 1024) n;
  rollback`;

/** Query of a check, of writers alone. */
const COMMIT = `
  select "readOnly", exists (select from _prisma_migrations where migration_name = $1 and finished_at is not null) as migrated,
    case when not "readOnly" then pg_logical_emit_message(true, 'revenue-rail', 'probe') end
  from (select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly") session`;
const PURPOSE = { name: 'probe', work: 'probe' } as const;

const FAILING = { full: 'database full', read_only: 'database read-only' } as const satisfies Record<string, Health>;

/** After how long the connection is renewed, since a session keeps the settings that it began with, in milliseconds. */
const RENEWED_MS = 30_000;
/** After how long without an answer to try on another connection, in milliseconds. */
const PATIENCE_MS = 10_000;
/** The longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;

/** The connection that asks. */
interface Probe {
  readonly client: pg.Client;
  /** The process of the server that answers it. */
  readonly session: number;
  readonly since: number;
  givenUp: boolean;
}

/**
 * Checks that the database answers, is at this version's schema, and accepts writes: each check commits one, which an
 * unreachable synchronous standby keeps waiting. Writes that fail for lack of space or rights are reported here, and
 * from then on each check tries a larger one, on a fresh session, until that works.
 *
 * It keeps its one connection for as long as it can: if all are taken, the process still serves on those that it has.
 */
export class DatabaseHealth {
  readonly #url: string;
  readonly #onLost: (error: Error) => void;
  readonly #newest: string;
  #failing: keyof typeof FAILING | null = null;
  #checking: Promise<Health> | null = null;
  #probe: Probe | null = null;
  #closed = false;
  #code: string | null = null;

  constructor(url: string, onLost: (error: Error) => void, migrations = listMigrations()) {
    this.#url = url;
    this.#newest = migrations.findLast(({ name }) => !isContract(name))!.name;
    this.#onLost = onLost;
  }

  /** The code of the error that the last check ended with; null where it had none. */
  get code(): string | null {
    return this.#code;
  }

  /** Is called for a statement that failed. */
  recordError(error: unknown): void {
    const fault = faultOf(error);
    if (fault === 'full' || fault === 'read_only') this.#failing = fault;
  }

  /** Answers within a second. Callers at the same time get the same answer. */
  async check(): Promise<Health> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Health>((answer) => {
      // If the process itself was held up, an answer may have arrived unread: it is read first.
      timer = setTimeout(() => setImmediate(answer, 'database unreachable'), ANSWER_MS);
    });
    return Promise.race([this.#checking, late]).finally(() => clearTimeout(timer));
  }

  /** Closes what it asks by. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#probe?.client.end();
  }

  /** Tries whether there is room and right to write again. */
  async #write(): Promise<void> {
    try {
      await runOnConnection(this.#url, PURPOSE, (client) => client.query(WRITE));
    } catch (error) {
      // A role that may make no temporary tables cannot tell; the next write of a request will.
      if (isPassing(error)) throw error;
    }
    this.#failing = null;
  }

  async #ask(): Promise<Health> {
    this.#code = null;
    try {
      if (this.#failing) await this.#write();
      const { readOnly, migrated } = await this.#commit(await this.#connect());
      if (readOnly) return FAILING.read_only;
      return migrated ? 'ready' : 'not migrated';
    } catch (error) {
      this.#code = error instanceof Error && 'code' in error ? String(error.code) : null;
      const fault = faultOf(error);
      return fault === 'full' || fault === 'read_only' ? FAILING[fault] : 'database unreachable';
    }
  }

  /** The connection, renewed where another can be had; it is not given up before. */
  async #connect(): Promise<Probe> {
    const before = this.#probe;
    if (before && performance.now() - before.since < RENEWED_MS) return before;
    try {
      const probe = await this.#open();
      void before?.client.end();
      return probe;
    } catch (error) {
      if (this.#probe === null) throw error;
      return this.#probe;
    }
  }

  async #open(): Promise<Probe> {
    const client = await connect(this.#url, PURPOSE, (error) => {
      if (this.#probe?.client === client) this.#probe = null;
      this.#onLost(error);
    });
    try {
      const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session');
      if (this.#closed) throw new Error('The check of the database was closed');
      this.#probe = { client, session: rows[0]!.session, since: performance.now(), givenUp: false };
      return this.#probe;
    } catch (error) {
      void client.end();
      throw error;
    }
  }

  /**
   * Commits a message that nobody reads into the server's log of changes. As long as that is not answered nothing else
   * is asked: what waits for a standby goes on to wait, and each try would take one more of the server's connections.
   */
  async #commit(probe: Probe): Promise<{ readOnly: boolean; migrated: boolean }> {
    const patience = setInterval(() => void this.#replace(probe), PATIENCE_MS);
    try {
      const statement = { text: COMMIT, values: [this.#newest], query_timeout: NEVER_MS };
      const { rows } = await probe.client.query<{ readOnly: boolean; migrated: boolean }>(statement);
      if (probe.givenUp) throw new Error('Connection terminated, as its commit was not answered');
      return rows[0]!;
    } finally {
      clearInterval(patience);
    }
  }

  /** Another connection for one that does not answer, which is cancelled, so that the server does not keep it. */
  async #replace(probe: Probe): Promise<void> {
    try {
      const { client } = await this.#open();
      probe.givenUp = true;
      await client.query('select pg_cancel_backend($1)', [probe.session]);
      await probe.client.end();
    } catch (error) {
      // None can be had: the one that does not answer is still all that there is.
      this.#onLost(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
