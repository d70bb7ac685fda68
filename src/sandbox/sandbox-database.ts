import { ConfigError } from '../kernel/refusal.ts';
import { type Database, sql } from '../platform/database/sql.ts';
import { listExampleNins } from './example-citizens.ts';

/**
 * Refuses to run live on the database of a sandbox: its citizens are made up, its payments were never made, and what it
 * sealed is sealed with a secret that is stored next to it.
 */
export async function refuseSandboxDatabase(db: Database): Promise<void> {
  const found = await db.row<{ secret: boolean; examples: boolean }>(sql`
    select exists (select from sandbox_secret) as secret,
      exists (select from citizen where nin = any(${listExampleNins()})) as examples`);
  const holds = [...(found!.secret ? ['a made-up secret'] : []), ...(found!.examples ? ['example citizens'] : [])];
  if (holds.length > 0) {
    throw new ConfigError(
      `DATABASE_URL: the database belongs to a sandbox (it holds ${holds.join(' and ')}); live mode needs one of its own`,
    );
  }
}
