import { createLog } from '../../../kernel/log.ts';
import type { Config } from '../../../platform/config/config.ts';
import { ADMIN } from '../../../platform/config/started-by.ts';
import { Clock, ownHands } from '../../../platform/database/clock.ts';
import { listLater } from '../../../platform/database/migration/contract.ts';
import { listMigrations } from '../../../platform/database/migration/list.ts';
import { listMissing } from '../../../platform/database/migration/migrate.ts';
import { type Database, sql } from '../../../platform/database/sql.ts';
import { refuseUnfit } from '../../open-rail.ts';
import { claimedMode } from '../../process/database-mode.ts';
import { type Check, type Finding, failed, ok, warning } from './check.ts';
import type { Session } from './session.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

const OLDEST_MAJOR = 15;
/** Connections of a process besides those of DATABASE_POOL. */
const OWN_CONNECTIONS = 17;

export function databaseChecks(session: Session, config: Config): Check[] {
  return [
    { name: 'database', run: () => session.reached.then(({ db }) => checkVersion(db), refuse) },
    session.check('database settings', ({ db }) => checkSettings(db, config)),
    session.check('migrations', ({ url }) => checkMigrations(url, config)),
    session.check('database mode', ({ db }) => checkMode(db, config), 'database_mode'),
    session.check('clock', ({ db }) => checkClock(db)),
  ];
}

async function refuse(error: unknown): Promise<Finding> {
  return failed(reasonOf(error), 'Check DATABASE_URL, and that the server runs and takes connections from here');
}

async function checkVersion(db: Database): Promise<Finding> {
  const row = await db.row<{ version: string; major: number; encrypted: boolean; local: boolean }>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
      coalesce(inet_server_addr() = inet_client_addr() or inet_server_addr() << '127.0.0.0/8', true) as local`);
  const { version, major, encrypted, local } = row!;
  if (major < OLDEST_MAJOR) return failed(`PostgreSQL ${version}`, `Upgrade it to ${OLDEST_MAJOR} or later`);
  if (!encrypted && !local)
    return warning(`PostgreSQL ${version}, not encrypted`, 'Add sslmode=verify-full to DATABASE_URL');
  return ok(`PostgreSQL ${version}${encrypted ? ', encrypted' : ''}`);
}

/** Settings without which what was acknowledged can be lost, and what they have to be. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];

async function checkSettings(db: Database, { databasePool, mode }: Config): Promise<readonly Finding[]> {
  const rows = await db.rows<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings where name = any(${[...DURABLE, 'autovacuum', 'data_checksums', 'max_connections', 'superuser_reserved_connections', 'wal_level']})`);
  const of = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const lossy = mode === 'live' ? failed : warning;
  const open = Number(of['max_connections']) - Number(of['superuser_reserved_connections']);
  const needed = databasePool + OWN_CONNECTIONS;
  const wrong = [
    ...DURABLE.filter((name) => of[name] === 'off').map((name) =>
      lossy(`${name} is off: a crash can lose acknowledged payments`, `Set ${name} = on`),
    ),
    ...(of['autovacuum'] === 'off' ? [warning('autovacuum is off: tables bloat', 'Set autovacuum = on')] : []),
    ...(of['data_checksums'] === 'off' && mode === 'live'
      ? [
          warning(
            'data_checksums is off: damaged pages go unnoticed',
            'Run pg_checksums --enable on the stopped server',
          ),
        ]
      : []),
    ...(of['wal_level'] === 'minimal'
      ? [warning('wal_level is minimal: no replica or recovery of a moment is possible', 'Set wal_level = replica')]
      : []),
    ...(needed > open
      ? [
          failed(
            `max_connections leaves ${open}, and one process takes up to ${needed}`,
            'Raise max_connections, or lower DATABASE_POOL',
          ),
        ]
      : []),
  ];
  return wrong.length > 0 ? wrong : [ok(`durable; ${open} connections, of which a process takes up to ${needed}`)];
}

async function checkMigrations(url: string, config: Config): Promise<Finding> {
  const missing = await listMissing(url);
  const [first] = missing;
  if (first === undefined) {
    const newer = await listLater(url);
    if (newer.length > 0) return warning(`a later version has added ${newer.join(', ')}`, 'Upgrade this process');
    return ok(`all ${listMigrations().length} migrations and the definitions of this version`);
  }
  const found = `the database lacks ${first}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`;
  return config.migrate
    ? warning(found, 'The next start applies them; take a backup before')
    : failed(found, `Run ${ADMIN} migrate as the owner of the database`);
}

async function checkMode(db: Database, config: Config): Promise<Finding> {
  const claimed = await claimedMode(db);
  if (claimed && claimed.mode !== config.mode)
    return failed(`the database is of ${claimed.mode} mode`, 'Set MODE accordingly, or use another database');
  try {
    await refuseUnfit(db, config);
  } catch (error) {
    return failed(reasonOf(error), 'Use another DATABASE_URL');
  }
  return ok(claimed ? `${claimed.mode} mode since ${claimed.since.toISOString().slice(0, 10)}` : 'not used yet');
}

async function checkClock(db: Database): Promise<Finding> {
  const clock = await Clock.start(db, createLog('silent'), ownHands);
  clock.end();
  return clock.isApart
    ? warning(`this machine's clock is ${clock.offsetMs} ms from the database's`, 'Set both by NTP')
    : ok(`${clock.offsetMs} ms from the database's`);
}
