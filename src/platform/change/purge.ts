import { type Database, type Sql, raw, sql } from '../database/sql.ts';

/** Services for a purge. */
export interface Purging {
  readonly db: Database;
  now(): Date;
  /** Is over when the process is about to stop: what is left is deleted by the next run. */
  readonly transport?: { readonly over: AbortSignal };
}

/** Rows that one statement deletes: it holds few locks, and ends long before it could be cancelled. */
const BATCH = 10_000;

/** Deletes the rows of a table on which a condition holds, in batches; how many they were. */
export async function purgeRows({ db, transport }: Purging, table: string, condition: Sql): Promise<number> {
  for (let all = 0; ;) {
    const row = await db.row<{ many: number }>(sql`
      with gone as (
        delete from ${raw(table)}
        where ctid = any(array(select ctid from ${raw(table)} where ${condition} limit ${BATCH})) returning 1
      ) select count(*)::int as many from gone`);
    all += row!.many;
    if (row!.many < BATCH || transport?.over.aborted) return all;
  }
}
