import type pg from 'pg';
import { ConfigError, reasonOf } from '../../kernel/refusal.ts';
import { connect } from '../../platform/database/connection/connection.ts';
import { SERVER_STATE, type ServerState } from '../../platform/database/connection/servers.ts';
import { isOutage } from '../../platform/database/errors.ts';

const PURPOSE = { name: 'start', work: 'standing' } as const;
/** Number of looks for a pooler that hands one session to several clients. */
const LOOKS = 5;

/** Refuses, in one line, a database that no rail can run on. */
export async function checkDatabase(url: string): Promise<void> {
  const clients: pg.Client[] = [];
  const open = async () => {
    const client = await connect(url, PURPOSE, () => {});
    clients.push(client);
    return client;
  };
  try {
    const client = await open();
    const { rows } = await client.query<ServerState>(`select ${SERVER_STATE}`);
    const { standby, readOnly } = rows[0]!;
    if (standby)
      throw new ConfigError(
        'DATABASE_URL: the server is a standby, which takes no writes; name the primary, or both and target_session_attrs=read-write',
      );
    if (readOnly) throw new ConfigError('DATABASE_URL: the database is read-only (default_transaction_read_only)');
    if ((await isPooled(client)) && (await sharesSessions(client, await open())))
      throw new ConfigError(
        'DATABASE_URL: the pooler in between is in transaction mode, and a rail needs sessions of its own; use session mode, or connect directly',
      );
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw new ConfigError(`DATABASE_URL: the database cannot be used now: ${reasonOf(error)}`);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** True if something in between tells clients of other sessions than PostgreSQL's. */
async function isPooled(client: pg.Client): Promise<boolean> {
  return 'processID' in client && client.processID !== (await sessionOf(client));
}

/** True if two clients that are connected, and idle in turn, are given one session. */
async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const seen = new Set([await sessionOf(one)]);
  for (let look = 0; look < LOOKS; look++) {
    if (seen.has(await sessionOf(other))) return true;
    seen.add(await sessionOf(one));
  }
  return seen.size > 1;
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session');
  return rows[0]!.session;
}
