import type { Database, Sql } from '../database/sql.ts';
import { joined, sql } from '../database/sql.ts';
import type { ArchivedEntry } from './archived.ts';

/** Rows read at a time. */
const BATCH = 5_000;

/** A row of the audit log as it stands in the database. */
export type StoredEntry = Omit<ArchivedEntry, 'ts'> & { readonly ts: Date };

/** The rows of an audit table in the order of their time, some at a time, in the form that they have in files. */
export async function* findStored(
  db: Database,
  table: Sql,
  conditions: readonly Sql[] = [],
): AsyncGenerator<ArchivedEntry[]> {
  let last: StoredEntry | undefined;
  for (;;) {
    const all = [sql`true`, ...conditions, ...(last ? [sql`(ts, id) > (${last.ts}, ${last.id}::uuid)`] : [])];
    const rows: StoredEntry[] = await db.rows(sql`
      select id, ts, request_id, http_status, endpoint, event, integrator, key, actor, object, refusal from ${table}
      where ${joined(all, ' and ')} order by ts, id limit ${BATCH}`);
    last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({ ...row, ts: row.ts.toISOString() }));
  }
}
