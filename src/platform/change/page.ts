import type { Call } from '../call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Database, type Sql, empty, joined, raw, sql } from '../database/sql.ts';

/** Which part of a list is asked for, within the bounds that its field declares (`pageArgs`). */
export interface PageArgs {
  readonly start: number;
  readonly limit: number;
  /** The rows that follow the row of this name in the list's order. */
  readonly after?: string | null | undefined;
}

/** A list of rows that have a name. */
export interface Listing {
  /** Table and columns: `select … from …`, with the table under the alias `r`. */
  readonly select: Sql;
  readonly table: string;
  /** The columns that it is ordered by, the last of them unique. */
  readonly order: readonly string[];
  readonly direction: 'asc' | 'desc';
  /**
   * What the list is, for this caller: a row for which these do not hold is not there for them, not even to page from.
   */
  readonly where: readonly (Sql | null)[];
  /** What is asked of it: a row that no longer fits, since it has changed, can still be paged from. */
  readonly filters?: readonly (Sql | null)[];
  /** Whom to ask; the rail's own database where nothing else is said. */
  readonly db?: Database;
}

/** Newest first: the order of every list but the catalogue's. */
export const newestFirst = { order: ['created_at', 'name'], direction: 'desc' } as const;

/**
 * Reads one page, and leaves in the call where the next one begins. With `after` its cost does not grow with depth: the
 * row is found by its name, and what follows it by the index of the order.
 */
export async function readPage<Row extends { readonly name: string }>(
  call: Call,
  listing: Listing,
  page: PageArgs,
): Promise<Row[]> {
  const { start, limit, after } = page;
  const key = raw(listing.order.map((column) => `r.${column}`).join(', '));
  const follows = raw(listing.direction === 'asc' ? '>' : '<');
  const table = raw(listing.table);
  const mark = after ? sql`from ${table} r ${whereAll([...listing.where, sql`r.name = ${after}`])}` : null;
  const beyond = mark && sql`(${key}) ${follows} (select ${key} ${mark})`;
  const where = whereAll([...listing.where, ...(listing.filters ?? []), beyond]);
  const order = raw(listing.order.map((column) => `r.${column} ${listing.direction}`).join(', '));
  const db = listing.db ?? call.db;
  const rows = await db.rows<Row>(sql`${listing.select} ${where} order by ${order} limit ${limit + 1} offset ${start}`);
  if (rows.length === 0 && mark && !(await db.row(sql`select 1 ${mark}`))) {
    throw refuseValue('after', 'does not name a row of this list');
  }
  if (rows.length > limit) {
    rows.pop();
    call.nextAfter = rows.at(-1)!.name;
  }
  return rows;
}

function whereAll(conditions: readonly (Sql | null)[]): Sql {
  const holding = conditions.filter((condition) => condition !== null);
  return holding.length > 0 ? sql`where ${joined(holding, ' and ')}` : empty;
}

/** A condition that holds only where its value was given. */
export function ifGiven<T>(value: T | null | undefined, condition: (value: T) => Sql): Sql | null {
  return value === null || value === undefined ? null : condition(value);
}
