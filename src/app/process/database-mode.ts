import { ConfigError } from '../../kernel/refusal.ts';
import type { Config } from '../../platform/config/config.ts';
import { CLUSTER_NAME } from '../../platform/database/cluster/cluster.ts';
import { type Database, sql } from '../../platform/database/sql.ts';

/**
 * Makes a database that of a mode, at its first start, and refuses to start on one of the other. What a sandbox holds
 * is made up, and sealed with a secret that is stored next to it; what a live rail holds is not to be tried out with.
 */
export async function claimDatabase(db: Database, mode: Config['mode'], now: Date): Promise<void> {
  await db.rows(sql`
    insert into database_mode (id, mode, since) values (1, ${mode}, ${now})
    -- The mode of the first start stands.
    on conflict (id) do nothing`);
  const first = await claimedMode(db);
  if (first!.mode === mode) return;
  const whose = first!.mode === 'live' ? 'a live rail' : 'a sandbox';
  const needing =
    mode === 'live' ? 'live mode needs one of its own' : 'a sandbox needs one of its own (or set MODE=live)';
  throw new ConfigError(
    `DATABASE_URL: the database belongs to ${whose}, since ${first!.since.toISOString().slice(0, 10)}; ${needing}`,
  );
}

/** The mode of a database, and since when; null of one that was never used. */
export function claimedMode(db: Database): Promise<{ readonly mode: Config['mode']; readonly since: Date } | null> {
  return db.row(sql`select mode, since from database_mode where id = 1`);
}

/** Keeps a live rail off the PostgreSQL that comes with the rail, which is for trying it out. */
export async function refuseEmbedded(
  db: Database,
  { embeddedPostgres }: Pick<Config, 'embeddedPostgres'>,
): Promise<void> {
  if (embeddedPostgres) return;
  const server = await db.row<{ name: string }>(sql`select current_setting('cluster_name') as name`);
  if (server!.name === CLUSTER_NAME)
    throw new ConfigError(
      'DATABASE_URL: this is the PostgreSQL that comes with the rail, a beta build; live mode needs another one, or EMBEDDED_POSTGRES=on',
    );
}
