import type pg from 'pg';
import { ConfigError } from '../../../kernel/refusal.ts';
import { runOnConnection } from '../connection/connection.ts';
import { PRESENCE_LOCKS } from '../presence.ts';
import { listApplied } from './booked.ts';
import { isContract, listMigrations } from './list.ts';
import { VERSION, VERSION_NUMBERS } from './version.ts';

/** Before what contracts is applied: throws while a process of an earlier version is connected, which needs what goes. */
export async function requireNoneOlder(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; count: number }>(
    `select coalesce(version, 'an unknown version') as version, count(*)::int from pg_locks l
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
export async function listWaiting(url: string, migrations = listMigrations()): Promise<string[]> {
  const booked = await listBooked(url);
  return migrations.map(({ name }) => name).filter((name) => isContract(name) && !booked.includes(name));
}

/** The migrations of a later version that a database has. */
export async function listLater(url: string): Promise<string[]> {
  const known = listMigrations().map(({ name }) => name);
  return (await listBooked(url)).filter((name) => !known.includes(name));
}

function listBooked(url: string): Promise<string[]> {
  return runOnConnection(url, { name: 'migration', work: 'job' }, listApplied);
}
