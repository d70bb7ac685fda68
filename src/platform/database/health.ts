import type pg from 'pg';
import { runOnConnection, openPool } from './connection.ts';
import { faultOf, isPassing } from './errors.ts';
import { listMigrations } from './migration/list.ts';

/** What a process can do with its database at present, in the words that `/readyz` says it in. */
export type Health = 'ready' | 'not migrated' | 'database unreachable' | 'database read-only' | 'database full';

/** Within which there is an answer, whatever the database does, in milliseconds. */
const ANSWER_MS = 800;
/** A megabyte, so that a disk with a few free pages is no disk with room. */
const WRITE = `
  begin;
  create temporary table room on commit drop as select repeat(md5(n::text), 31) as filling from generate_series(1, 1024) n;
  rollback`;

const FAILING = { full: 'database full', read_only: 'database read-only' } as const satisfies Record<string, Health>;

/**
 * Whether the database answers, is at this version's schema, and takes writes. That a write failed for want of room or
 * right is heard from those that fail, and from then on each check tries one of its own, on a fresh session, until that
 * works: sound writes cost nothing.
 */
export class DatabaseHealth {
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #newest = listMigrations().at(-1)!.name;
  #failing: keyof typeof FAILING | null = null;
  #checking: Promise<Health> | null = null;

  constructor(url: string, onLost: (error: Error) => void) {
    this.#url = url;
    // Renewed now and then, since a session keeps the settings that it began with.
    this.#pool = openPool(url, { name: 'probe', work: 'probe' }, 1, onLost, { maxLifetimeSeconds: 30 });
  }

  /** Hears of a statement that failed. */
  recordError(error: unknown): void {
    const fault = faultOf(error);
    if (fault === 'full' || fault === 'read_only') this.#failing = fault;
  }

  /** Answers within a second. Whoever asks at the same time gets the same answer. */
  async check(): Promise<Health> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Health>((answer) => {
      timer = setTimeout(answer, ANSWER_MS, 'database unreachable');
    });
    return Promise.race([this.#checking, late]).finally(() => clearTimeout(timer));
  }

  /** Closes what it asks by. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Tries whether there is room and right to write again. */
  async #write(): Promise<void> {
    try {
      await runOnConnection(this.#url, { name: 'probe', work: 'probe' }, (client) => client.query(WRITE));
    } catch (error) {
      // A role that may make no temporary tables cannot tell; the next write of a request will.
      if (isPassing(error)) throw error;
    }
    this.#failing = null;
  }

  async #ask(): Promise<Health> {
    try {
      if (this.#failing) await this.#write();
      const { rows } = await this.#pool.query<{ readOnly: boolean; migrated: boolean }>(
        `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly",
          exists (select from _prisma_migrations where migration_name = $1 and finished_at is not null) as migrated`,
        [this.#newest],
      );
      if (rows[0]!.readOnly) return FAILING.read_only;
      return rows[0]!.migrated ? 'ready' : 'not migrated';
    } catch (error) {
      const fault = faultOf(error);
      return fault === 'full' || fault === 'read_only' ? FAILING[fault] : 'database unreachable';
    }
  }
}
