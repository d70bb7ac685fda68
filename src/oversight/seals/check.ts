import type { Database } from '../../platform/database/sql.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';

/** Findings of a check of the ledger: rows that do not fit each other. */
export interface Findings {
  /** The check that found them. */
  readonly check: string;
  /** Number of rows found in all. */
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly BrokenRow[];
}

export interface BrokenRow {
  /** The docname of the row, or the table and the key of one that has no docname. */
  readonly row: string;
  readonly mda: string | null;
  readonly why: string;
}

/** A check: its name, and a query whose rows are `row`, `mda` and `why`, one for each that is not as it should be. */
export type Check = readonly [name: string, query: Sql];

/** Most rows that a check names; the rest is counted, so that a ruined ledger does not fill the memory. */
export const MOST_NAMED = 100;

/** Runs a check; null where nothing was found. */
export async function runCheck(db: Database, [check, query]: Check): Promise<Findings | null> {
  const rows = await db.rows<BrokenRow & { count: number }>(sql`
    select row, mda, why, count(*) over () as count from (${query}) f order by row, why limit ${MOST_NAMED}`);
  const [first] = rows;
  return first ? { check, count: first.count, rows: rows.map(({ row, mda, why }) => ({ row, mda, why })) } : null;
}

/** SQL that names which of some members two rows differ in; null where in none. */
export function listDifferences(members: Readonly<Record<string, Sql>>): Sql {
  const parts = Object.entries(members).map(([name, differs]) => sql`case when ${differs} then ${name}::text end`);
  return sql`nullif(concat_ws(', ', ${parts.reduce((list, part) => sql`${list}, ${part}`)}), '')`;
}
