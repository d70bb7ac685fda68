import pg from 'pg';
import { raw } from '../../../src/platform/database/sql.ts';

/** Any number that the rail has no lock by. */
const KEY = 1_999_111;

/** The expression that makes a statement wait at the gate of its database. */
export const GATE = raw(`pg_advisory_xact_lock_shared(${KEY})`);

export interface Gate {
  /** The connections whose statements wait at it. */
  waiting(): Promise<number[]>;
  /** Lets all of them through, and all that come later. */
  open(): Promise<void>;
}

/** Closes the gate of a database: what comes to it waits until it is opened. */
export async function closeGate(connectionString: string): Promise<Gate> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [KEY]);
  return {
    async waiting() {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
         where l.locktype = 'advisory' and l.objid = $1 and not l.granted`,
        [KEY],
      );
      return rows.map(({ pid }) => pid);
    },
    open: () => client.end(),
  };
}
