import type { Config } from '../../../platform/config/config.ts';
import { runOnConnection } from '../../../platform/database/connection/connection.ts';
import { type Database, database, sql } from '../../../platform/database/sql.ts';
import { type Check, type Finding, failed, ok, warning } from './check.ts';
import type { Session } from './session.ts';
import { reasonOf } from '../../../kernel/refusal.ts';

const MOST_SECONDS = 60;
const MOST_BYTES = 256 * 1024 ** 2;
const mib = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;

export function replicationChecks(session: Session, { databaseReplicaUrl: replica }: Config): Check[] {
  return [
    session.check('replication', ({ db }) => checkStandbys(db)),
    ...(replica === null ? [] : [session.check('replica', ({ db }) => checkReplica(db, replica))]),
  ];
}

/** Standbys that follow, what waits for one that does not, and the archive. */
async function checkStandbys(db: Database): Promise<readonly Finding[]> {
  const standbys = await db.rows<{
    name: string;
    state: string | null;
    sync: string | null;
    seconds: number | null;
  }>(sql`
    select application_name as name, state, sync_state as sync, extract(epoch from replay_lag)::float8 as seconds
    from pg_stat_replication where state is distinct from 'backup'`);
  const row = await db.row<{ names: string; slot: string | null; kept: number | null; archiving: boolean }>(sql`
    select current_setting('synchronous_standby_names') as names, slot_name as slot, kept,
      coalesce((select last_failed_time > coalesce(last_archived_time, '-infinity') from pg_stat_archiver), false) as archiving
    from (values (1)) one left join lateral (
      select slot_name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as kept
      from pg_replication_slots where not active order by kept desc nulls last limit 1
    ) slots on true`);
  const { names, slot, kept, archiving } = row!;
  const late = standbys.filter(({ seconds }) => (seconds ?? 0) > MOST_SECONDS);
  // A role that may not read the state of other connections still sees that they exist.
  const waits = names !== '' && !standbys.some(({ sync }) => sync === null || sync === 'sync' || sync === 'quorum');
  const wrong = [
    ...late.map(({ name, seconds }) =>
      warning(`${name} is ${Math.round(seconds!)} s behind`, 'Look at its disk and network'),
    ),
    ...(waits
      ? [failed(`no standby of ${names} follows: commits wait`, 'Start one, or clear synchronous_standby_names')]
      : []),
    ...(slot !== null && (kept ?? 0) > MOST_BYTES
      ? [warning(`slot ${slot} is unused and keeps ${mib(kept!)}`, 'Start its replica, or drop it: the disk fills')]
      : []),
    ...(archiving
      ? [failed('archive_command fails', "See the server's log: moments since then cannot be recovered")]
      : []),
  ];
  if (wrong.length > 0) return wrong;
  return [ok(standbys.length === 0 ? 'no standby' : `${standbys.map(({ name }) => name).join(', ')} follows`)];
}

/** Checks how far oversight's replica is behind the database that it has to be a copy of. */
async function checkReplica(db: Database, url: string): Promise<Finding> {
  const advice = 'Check DATABASE_REPLICA_URL, and that it streams from the primary';
  const primary = await db.row<{ at: string }>(sql`select pg_current_wal_lsn()::text as at`);
  try {
    const row = await runOnConnection(url, { name: 'doctor', work: 'standing' }, (client) =>
      database(client).row<{ standby: boolean; behind: number | null; seconds: number | null }>(sql`
        select pg_is_in_recovery() as standby,
          pg_wal_lsn_diff(${primary!.at}::pg_lsn, pg_last_wal_replay_lsn())::float8 as behind,
          extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as seconds`),
    );
    const { standby, behind, seconds } = row!;
    if (!standby) return warning('is no standby: figures are of another database', advice);
    if (behind === null || behind <= 0 || (seconds ?? 0) <= MOST_SECONDS) return ok('follows the primary');
    return warning(`is ${mib(behind)} and ${Math.round(seconds!)} s behind`, advice);
  } catch (error) {
    return failed(reasonOf(error), advice);
  }
}
