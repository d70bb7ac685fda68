import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { waitFor } from '../../harness/run/wait.ts';

/** A connection of a test's own. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** An empty database: one of a whole file, or another one for each test. */
export class EmptyDatabase {
  readonly name = `t_${randomBytes(8).toString('hex')}`;
  readonly url = inject('clusterUrl').replace('DATABASE', this.name);
  /** Connected to it. */
  client!: pg.Client;
  /** Connected to another database of the server. */
  maintenance!: pg.Client;

  constructor(of: 'file' | 'test') {
    const [begin, end] = of === 'file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
    begin(async () => {
      this.maintenance = await connect(inject('clusterUrl').replace('DATABASE', 'postgres'));
      await this.maintenance.query(`create database ${this.name}`);
      this.client = await connect(this.url);
    });
    end(async () => {
      await this.client.end();
      await this.maintenance.query(`drop database ${this.name} with (force)`);
      await this.maintenance.end();
    });
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** Waits until a statement that begins so waits for a lock, and answers its process. */
  waitForLock(statement: string): Promise<number> {
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and query like $1 || '%' and wait_event_type = 'Lock'`;
    return waitFor(`process that waits to ${statement}`, async () => {
      const [row] = await this.rows<{ pid: number }>(waiting, [statement]);
      return row?.pid;
    });
  }
}
