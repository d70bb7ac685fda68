import type pg from 'pg';
import { ConfigError } from '../../../kernel/refusal.ts';
import { runOnConnection } from '../connection/connection.ts';
import { PRESENCE_LOCKS } from '../presence.ts';
import { isContract, listMigrations } from './list.ts';
import { VERSION, VERSION_NUMBERS } from './version.ts';

/** Before what contracts is applied: throws while a process of an earlier version is connected, which needs what goes. */
export async function requireNoneOlder(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; count: number }>(
    `select coalesce(version, 'a version before 3.1') as version, count(*)::int from pg_locks l
     join pg_stat_activity a using (pid), substring(application_name from 'presence (\\d+\\.\\d+\\.\\d+)') version
     where locktype = 'advisory' and classid = $1 and l.database = (select oid from pg_database where datname = current_database())
       and (version is null or string_to_array(version, '.')::integer[] < $2) group by 1 order by 1`,
    [PRESENCE_LOCKS, VERSION_NUMBERS],
  );
  if (rows.length === 0) return;
  const those = rows.map(({ version, count }) => `${count} of ${version}`).join(', ');
  throw new ConfigError(`Processes that need what goes with ${VERSION} are still connected: ${those}. Stop them first`);
}

/** The contract migrations of this version that a database lacks: they wait for an operator. */
export async function listWaiting(url: string): Promise<string[]> {
  const contracts = listMigrations().flatMap(({ name }) => (isContract(name) ? [name] : []));
  return listNames(
    url,
    `select name from unnest($1::text[]) name
     where not exists (select from _prisma_migrations where migration_name = name and finished_at is not null)`,
    [contracts],
  );
}

/** The migrations of a later version that a database has; what it had before it was taken over is of an earlier one. */
export async function listLater(url: string): Promise<string[]> {
  const known = listMigrations().map(({ name }) => name);
  const booked = await listNames(
    url,
    `select relname as name from pg_class where oid = to_regclass('_prisma_migrations')`,
  );
  if (booked.length === 0) return [];
  return listNames(
    url,
    `select m.migration_name as name from _prisma_migrations m join _prisma_migrations b on b.migration_name = $1
     where m.finished_at > b.finished_at and m.rolled_back_at is null and not m.migration_name = any($2) order by 1`,
    [known[0], known],
  );
}

function listNames(url: string, query: string, values: unknown[] = []): Promise<string[]> {
  return runOnConnection(url, { name: 'migration', work: 'job' }, async (client) => {
    const { rows } = await client.query<{ name: string }>(query, values);
    return rows.map(({ name }) => name);
  });
}
