import { type Config, ConfigError } from '../../platform/config/config.ts';
import { type Database, sql } from '../../platform/database/sql.ts';

/**
 * Makes a database that of a mode, at its first start, and refuses to start on one of the other. What a sandbox holds
 * is made up, and sealed with a secret that lies beside it; what a live rail holds is not to be tried out with.
 */
export async function claimDatabase(db: Database, mode: Config['mode'], now: Date): Promise<void> {
  await db.rows(sql`
    insert into database_mode (id, mode, since) values (1, ${mode}, ${now}) on conflict (id) do nothing`);
  const first = await db.row<{ mode: Config['mode']; since: Date }>(
    sql`select mode, since from database_mode where id = 1`,
  );
  if (first!.mode === mode) return;
  const whose = first!.mode === 'live' ? 'a live rail' : 'a sandbox';
  const needing =
    mode === 'live' ? 'live mode needs one of its own' : 'a sandbox needs one of its own (or set MODE=live)';
  throw new ConfigError(
    `DATABASE_URL: the database belongs to ${whose}, since ${first!.since.toISOString().slice(0, 10)}; ${needing}`,
  );
}
