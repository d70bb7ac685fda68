import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { runMigrations as runQueueMigrations } from 'graphile-worker';
import type pg from 'pg';
import { runOnConnection, openPool } from './connection.ts';

const FOLDER = new URL('../../../prisma/migrations/', import.meta.url);
/** Any number that nobody else uses: held while migrating, so that processes started together wait for one another. */
const MIGRATION_LOCK = 7_283_001;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The migrations of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(`${name}/migration.sql`, FOLDER), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * Brings a database to this version: each missing migration in a transaction of its own, booked in Prisma's own table
 * with its checksum, so that `prisma migrate deploy` can take over at any time. Answers the names of those applied now.
 */
export async function migrate(url: string): Promise<string[]> {
  return runOnConnection(url, { name: 'migration', work: 'migration' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`
      create table if not exists _prisma_migrations (
        id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
        logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0
      )`);
    const booked = await readBookedChecksums(client);
    const applied: string[] = [];
    for (const migration of listMigrations()) {
      const checksum = booked.get(migration.name);
      if (checksum === migration.checksum) continue;
      if (checksum)
        throw new Error(`Migration ${migration.name} was changed after it had been applied to this database`);
      await apply(client, migration);
      applied.push(migration.name);
    }
    // The queue has migrations of its own; jobs are queued by processes that run none, too.
    await migrateQueue(url);
    return applied;
  });
}

async function migrateQueue(url: string): Promise<void> {
  const pgPool = openPool(url, { name: 'migration', work: 'migration' }, 1, () => {});
  try {
    await runQueueMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

async function readBookedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query(
      'insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) values ($1, $2, $3, now(), 1)',
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
