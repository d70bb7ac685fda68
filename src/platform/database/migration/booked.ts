import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { ConfigError } from '../../../kernel/refusal.ts';
import { type Migration, listMigrations } from './list.ts';

/** Migrations of a database, as Prisma records them. */
export const MIGRATIONS_TABLE = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
    logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0
  )`;

/**
 * The checksums of the migrations that a database has, by their names. Throws where it does not begin with the baseline:
 * no release made it, and none upgrades it.
 */
export async function readBooked(client: pg.Client, baseline: Migration): Promise<Map<string, string>> {
  const { rows: found } = await client.query(`select where to_regclass('_prisma_migrations') is not null`);
  if (found.length === 0) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by 1`,
  );
  const booked = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  if (booked.size > 0 && booked.get(baseline.name) !== baseline.checksum)
    throw new ConfigError(
      'The database was made before 3.1.0, the first release, and cannot be upgraded. Start afresh: stop the rail and remove its DATA_DIR (.data), or name an empty database in DATABASE_URL',
    );
  return booked;
}

/** The migrations that a database has, in order. */
export async function listApplied(client: pg.Client): Promise<string[]> {
  return [...(await readBooked(client, listMigrations()[0]!)).keys()];
}

/** Books a migration that was applied. */
export async function book(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    'insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) values ($1, $2, $3, now(), 1)',
    [randomUUID(), checksum, name],
  );
}
