import type pg from 'pg';
import { createLog } from '../../../kernel/log.ts';
import { ConfigError } from '../../../kernel/refusal.ts';
import type { Config } from '../../../platform/config/config.ts';
import { openPool } from '../../../platform/database/connection/connection.ts';
import { type Database, database, sql } from '../../../platform/database/sql.ts';
import { checkDatabase } from '../../process/check-database.ts';
import { type Located, locateDatabase } from '../../process/locate-database.ts';
import { type Check, type Finding, skipped } from './check.ts';

/** Connections of the examination. */
const POOL = 3;

export interface Reached {
  readonly url: string;
  readonly db: Database;
}

/** The way to the database, for as long as a rail is examined; it may be away, or not migrated. */
export class Session {
  /** Rejects where the database cannot be used. */
  readonly reached: Promise<Reached>;
  #located: Located | null = null;
  #pool: pg.Pool | null = null;

  private constructor(config: Config) {
    this.reached = this.#reach(config);
    // Each check that asks it says so.
    this.reached.catch(() => {});
  }

  static open(config: Config): Session {
    return new Session(config);
  }

  /** A check of the database, which is left out where it cannot be used; where it is not migrated, one of its tables. */
  check(name: string, run: (reached: Reached) => Promise<Finding | readonly Finding[]>, needs?: string): Check {
    return {
      name,
      run: async () => {
        const reached = await this.reached.catch(() => null);
        if (!reached) return skipped('the database cannot be used');
        if (needs !== undefined && !(await has(reached.db, needs))) return skipped('the database is not migrated');
        return run(reached);
      },
    };
  }

  async close(): Promise<void> {
    await this.reached.catch(() => null);
    await this.#pool?.end();
    await this.#located?.release();
  }

  async #reach(config: Config): Promise<Reached> {
    const { databaseUrl, mode, embeddedPostgres } = config;
    if (databaseUrl === null && mode === 'live' && !embeddedPostgres) throw new ConfigError('DATABASE_URL is not set');
    this.#located = await locateDatabase(config, createLog('silent'));
    const { url } = this.#located;
    await checkDatabase(url);
    this.#pool = openPool(url, { name: 'doctor', work: 'standing' }, POOL, () => {});
    return { url, db: database(this.#pool) };
  }
}

async function has(db: Database, table: string): Promise<boolean> {
  const row = await db.row<{ there: boolean }>(sql`select to_regclass(${table}) is not null as there`);
  return row!.there;
}
