import { join } from 'node:path';
import pg from 'pg';
import { formatChain, formatFindings } from '../../../oversight/seals/report.ts';
import { type LedgerVerification, runChecks } from '../../../oversight/seals/verify.ts';
import { emptyForeignFeed } from '../../../platform/analytics/feed.ts';
import { ConfigError } from '../../../kernel/refusal.ts';
import { runOnConnection } from '../../../platform/database/connection/connection.ts';
import { listMigrations } from '../../../platform/database/migration/list.ts';
import { migrate } from '../../../platform/database/migration/migrate.ts';
import { RUNTIME_ROLE } from '../../../platform/database/migration/runtime-role.ts';
import { database } from '../../../platform/database/sql.ts';
import { DUMP } from './back-up.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { requireProgram, runProgram } from './programs.ts';

const PURPOSE = { name: 'restore', work: 'job' } as const;
const INSUFFICIENT_PRIVILEGE = '42501';

/** Roles are the server's, and not in a dump. Oversight reads as one of them. */
const ROLES = `
  do $$ begin
    if to_regrole('rail_oversight') is null then create role rail_oversight nologin; end if;
    if to_regrole('${RUNTIME_ROLE}') is null then create role ${RUNTIME_ROLE} nologin; end if;
    if not pg_has_role(current_user, 'rail_oversight', 'USAGE') then grant rail_oversight to current_user; end if;
    if not pg_has_role('${RUNTIME_ROLE}', 'rail_oversight', 'MEMBER') then grant rail_oversight to ${RUNTIME_ROLE}; end if;
  end $$`;

/**
 * Restores a dump into an empty database, brings it to this version, and verifies the ledger against the heads of the
 * backup. The rows are restored whole or not at all.
 */
export async function restore(
  folder: string,
  url: string,
  say: (line: string) => void,
): Promise<{ readonly manifest: Manifest; readonly verification: LedgerVerification }> {
  const manifest = await readManifest(folder);
  if (manifest.kind === 'base')
    throw new ConfigError(`${folder} has the files of a server: see Point-in-time recovery in docs/operators.md`);
  const known = new Set(listMigrations().map(({ name }) => name));
  const newer = manifest.migrations.find((name) => !known.has(name));
  if (newer !== undefined)
    throw new ConfigError(`The backup was made by version ${manifest.version}, which this one is too old to restore`);
  await requireProgram('pg_restore', manifest.postgresql);
  await runOnConnection(url, PURPOSE, async (client) => {
    await refuseUsed(client, manifest);
    await makeRoles(client);
  });
  say(`Restoring ${manifest.mode} mode as of ${manifest.made_at}, version ${manifest.version}`);
  await runProgram('pg_restore', url, ['--no-owner', '--exit-on-error', '--single-transaction', join(folder, DUMP)]);
  for (const name of await migrate(url)) say(`Applied ${name}`);
  await runOnConnection(url, PURPOSE, (client) => emptyForeignFeed(database(client)));
  const verification = await runOnConnection(url, PURPOSE, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    return runChecks(database(client), manifest.heads, (report) => say(formatChain(report)));
  });
  for (const line of formatFindings(verification)) say(line);
  return { manifest, verification };
}

async function refuseUsed(client: pg.Client, { postgresql }: Manifest): Promise<void> {
  const { rows } = await client.query<{ used: boolean; major: number }>(`
    select current_setting('server_version_num')::int / 10000 as major, exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    ) as used`);
  const { used, major } = rows[0]!;
  if (used) throw new ConfigError('--into: the database is not empty; make a new one with createdb');
  if (major < postgresql)
    throw new ConfigError(`--into: the server is PostgreSQL ${major}, and the backup is of ${postgresql}`);
}

async function makeRoles(client: pg.Client): Promise<void> {
  try {
    await client.query(ROLES);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    throw new ConfigError(
      `--into: an administrator of the server has to run once: create role rail_oversight nologin; create role ${RUNTIME_ROLE} nologin; grant rail_oversight to ${RUNTIME_ROLE}; and grant rail_oversight to the user of --into`,
    );
  }
}
