import { isBound } from '../access/owned.ts';
import type { Call } from '../call/call.ts';
import { type Database, type Planning, type Sql, empty, joined, raw, sql } from '../database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { loadTogether } from './batch.ts';
import { SideTable } from '../../kernel/side-table.ts';
import { say } from '../../kernel/text/said.ts';

/** Rows of a page that is asked for without a number. */
export const DEFAULT_ROWS = 50;

/** Most rows of a list that are counted; beyond it, the number is a lower bound. */
export const MOST_COUNTED = 10_000;

/** Most rows that can be skipped: all of them are read, which a cursor spares. */
export const MOST_SKIPPED = 10_000;

/** Part of a list that is asked for, within the bounds that its field declares. */
export interface PageArgs {
  /** The number of rows from the start of the list, or after a cursor. */
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  /** The number of rows from the end of the list, or before a cursor. */
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  /** Number of rows that are skipped. */
  readonly offset?: number | null | undefined;
}

/** A part of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  /** Cursor of each row, for `after` and `before`. */
  readonly cursors: readonly string[];
  /** Counts the whole list, up to one more than `MOST_COUNTED`; once, however often it is asked. */
  readonly count: () => Promise<number>;
  /** Adds up the whole list, where its rows have amounts; null where it has more rows than are counted. */
  readonly sums?: () => Promise<readonly Sum[] | null>;
}

/** The sum of the amounts in one currency. */
export interface Sum {
  readonly currency: string;
  readonly amount: Decimal;
}

/** A list of rows that have a name. */
export interface Listing {
  /** Table and columns: `select … from …`, with the table under the alias `r`. */
  readonly select: Sql;
  readonly table: string;
  /**
   * The condition under which `r` is the row of a name, where an index knows it by something else; null for what is no
   * name of this list. Where nothing is said, rows are found by their column `name`.
   */
  readonly named?: (name: string) => Sql | null;
  /** The columns that it is ordered by, the last of them unique. */
  readonly order: readonly string[];
  readonly direction: Direction;
  /** Conditions of the list for this caller: other rows are not there for them, not even to page from. */
  readonly where: readonly (Sql | null)[];
  /** Filters of the list: a row that no longer matches, since it has changed, can still be paged from. */
  readonly filters?: readonly (Sql | null)[];
  /** Database to read; the rail's own by default. */
  readonly db?: Database;
  /** The column of its amounts, which are in the currency of their row. */
  readonly amount?: string;
  /** True if the columns of the order are compared as one value, as analytics do. */
  readonly asValue?: boolean;
}

type Direction = 'asc' | 'desc';

/** Newest first: the order of most lists. */
export const newestFirst = { order: ['created_at', 'name'], direction: 'desc' } as const;

/**
 * Reads one page. With a cursor its cost does not grow with depth: the row is found by its name, and what follows it by
 * the index of the order.
 */
export async function readPage<Row extends { readonly name: string }>(
  call: Call,
  listing: Listing,
  args: PageArgs,
): Promise<Page<Row>> {
  const db = listing.db ?? call.db;
  const window = windowOf(args);
  const rows = await db.rows<Row>(selectWindow(listing, window), planningOf(call, listing));
  if (rows.length === 0) await Promise.all(CURSORS.map((end) => refuseUnknownCursor(db, listing, end, args[end])));
  const { amount } = listing;
  if (amount === undefined) return pageOf(rows, window, () => countRows(call, db, listing));
  return summedPageOf(rows, window, () => db.rows(selectSums(listing, amount), planningOf(call, listing)));
}

/**
 * Reads one page of the list that belongs to something, such as the assessments of a citizen: those of several are read
 * by one statement where they are asked for together. A list that is handed as a function is the same for the same
 * arguments: it is composed once for those that all rows of an operation share.
 */
export async function readPageOf<Row extends { readonly name: string }>(
  call: Call,
  list: Listing | (() => Listing),
  column: Sql,
  key: string,
  args: PageArgs,
): Promise<Page<Row>> {
  // A cursor belongs to one list.
  if (args.after != null || args.before != null) {
    const listing = typeof list === 'function' ? list() : list;
    return readPage(call, { ...listing, where: [...listing.where, sql`${column} = ${key}`] }, args);
  }
  const { each, window, statement, purpose } = composePages(call, list, column, args);
  const db = each.db ?? call.db;
  const rows = await loadTogether(call, purpose, key, async (keys) => {
    const found = await db.rows<Row & { readonly ofKey: string }>(
      sql`select k.key as "ofKey", p.* from unnest(${keys}::text[]) k(key) cross join lateral (${statement}) p`,
      planningOf(call, each),
    );
    return Map.groupBy(found, ({ ofKey }) => ofKey);
  });
  const { amount } = each;
  const tally = <Tallied extends object>(what: string, tallying: Sql) =>
    loadTogether(call, `${what} ${purpose}`, key, async (keys) => {
      const tallied = await db.rows<Tallied & { readonly ofKey: string }>(
        sql`select k.key as "ofKey", t.* from unnest(${keys}::text[]) k(key) cross join lateral (${tallying}) t`,
      );
      return Map.groupBy(tallied, ({ ofKey }) => ofKey);
    });
  if (amount === undefined)
    return pageOf<Row>(
      rows ?? [],
      window,
      async () => (await tally<{ count: number }>('count', selectCount(each)))?.[0]?.count ?? 0,
    );
  return summedPageOf<Row>(
    rows ?? [],
    window,
    async () => (await tally<Summed>('sums', selectSums(each, amount))) ?? [],
  );
}

/** Reader of pages of lists that belong to several things. */
interface Pages {
  readonly column: string;
  readonly each: Listing;
  readonly window: Window;
  readonly statement: Sql;
  /** The same for what one statement can read. */
  readonly purpose: string;
}

/** By the arguments that a field is handed. */
const composed = new SideTable<Call, Map<PageArgs, Pages>>();

function composePages(call: Call, list: Listing | (() => Listing), column: Sql, args: PageArgs): Pages {
  const earlier = composed.get(call)?.get(args);
  if (earlier?.column === column.sql) return earlier;
  const listing = typeof list === 'function' ? list() : list;
  const window = windowOf(args);
  const each: Listing = { ...listing, where: [...listing.where, sql`${column} = k.key`] };
  const statement = selectWindow(each, window);
  const { text, values } = statement;
  const pages = { column: column.sql, each, window, statement, purpose: JSON.stringify([text, values]) };
  // Arguments that can change may be passed again for another list.
  if (typeof list === 'function' && Object.isFrozen(args)) composed.of(call, () => new Map()).set(args, pages);
  return pages;
}

export interface Window {
  readonly size: number;
  readonly backwards: boolean;
  readonly offset: number;
  readonly after: string | null;
  readonly before: string | null;
}

const CURSORS = ['after', 'before'] as const;

/** Rows that are asked for, by default so many. Refuses contradictions. */
export function windowOf({ first, last, after, before, offset }: PageArgs, defaultSize = DEFAULT_ROWS): Window {
  if (first != null && last != null) throw refuseValue('last', say`cannot be combined with ${'first'}`);
  if (offset != null && offset > MOST_SKIPPED)
    throw refuseValue(
      'offset',
      say`must be at most ${MOST_SKIPPED.toLocaleString('en')}; further down a list, ask for the rows after the last one that you have, by its name in \`after\``,
    );
  if (last != null && offset) throw refuseValue('offset', say`cannot be combined with ${'last'}`);
  return {
    size: last ?? first ?? defaultSize,
    backwards: last != null,
    offset: offset ?? 0,
    after: after ?? null,
    before: before ?? null,
  };
}

/** A page of the rows of a window, which are read in its direction, and one more of them where there is one. */
export function pageOf<Row extends { readonly name: string }>(
  found: readonly Row[],
  { size, backwards, after, before, offset }: Window,
  count: Page<Row>['count'],
): Page<Row> {
  const more = found.length > size;
  const rows = backwards ? found.slice(0, size).toReversed() : found.slice(0, size);
  return {
    rows,
    hasNext: backwards ? before !== null : more,
    hasPrevious: backwards ? more : after !== null || offset > 0,
    cursors: rows.map(({ name }) => name),
    count: once(count),
  };
}

/** A page of a list that is at hand, whose rows are named in their order. */
export function pageOfAll<Row>(rows: readonly Row[], nameOf: (row: Row) => string, args: PageArgs): Page<Row> {
  const { size, backwards, offset, after, before } = windowOf(args);
  const from = (after === null ? 0 : rows.filter((row) => nameOf(row) <= after).length) + offset;
  const to = before === null ? rows.length : rows.filter((row) => nameOf(row) < before).length;
  const begin = backwards ? Math.max(from, to - size) : from;
  const page = rows.slice(begin, Math.max(begin, Math.min(to, begin + size)));
  return {
    rows: page,
    hasNext: begin + page.length < rows.length,
    hasPrevious: begin > 0,
    cursors: page.map(nameOf),
    count: async () => rows.length,
  };
}

/** Reads once, for all callers. */
export function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => (reading ??= read());
}

function selectWindow(listing: Listing, { size, backwards, offset, after, before }: Window): Sql {
  const key = raw(listing.order.map((column) => `r.${column}`).join(', '));
  const named = (name: string) => sql`(select ${listing.asValue ? sql`(${key})` : key} ${rowNamed(listing, name)})`;
  const [later, earlier] = listing.direction === 'asc' ? [raw('>'), raw('<')] : [raw('<'), raw('>')];
  const where = whereAll([
    ...listing.where,
    ...(listing.filters ?? []),
    after === null ? null : sql`(${key}) ${later} ${named(after)}`,
    before === null ? null : sql`(${key}) ${earlier} ${named(before)}`,
  ]);
  const direction = backwards ? opposite[listing.direction] : listing.direction;
  const order = raw(listing.order.map((column) => `r.${column} ${direction}`).join(', '));
  return sql`${listing.select} ${where} order by ${order} limit ${size + 1} offset ${offset}`;
}

const opposite: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

function rowNamed({ table, where, named = isNamed }: Listing, name: string): Sql {
  return sql`from ${raw(table)} r ${whereAll([...where, named(name) ?? sql`false`])}`;
}

function isNamed(name: string): Sql {
  return sql`r.name = ${name}`;
}

async function refuseUnknownCursor(
  db: Database,
  listing: Listing,
  end: (typeof CURSORS)[number],
  cursor: string | null | undefined,
): Promise<void> {
  if (cursor != null && !(await db.row(sql`select 1 ${rowNamed(listing, cursor)}`)))
    throw refuseValue(end, say`does not name a row of this list`);
}

function selectCount({ table, where, filters = [] }: Listing): Sql {
  return sql`select count(*)::int as count from (select 1 from ${raw(table)} r ${whereAll([...where, ...filters])} limit ${MOST_COUNTED + 1}) c`;
}

interface Summed extends Omit<Sum, 'currency'> {
  /** Null of rows that have no amount. */
  readonly currency: string | null;
  readonly count: number;
}

function selectSums({ table, where, filters = [] }: Listing, amount: string): Sql {
  return sql`
    select c.currency, sum(c.amount) as amount, count(*)::int as count
    from (select r.currency, r.${raw(amount)} as amount from ${raw(table)} r ${whereAll([...where, ...filters])} limit ${MOST_COUNTED + 1}) c
    group by c.currency order by c.currency`;
}

/** A page of a list whose rows have amounts: they are counted and added up together. */
function summedPageOf<Row extends { readonly name: string }>(
  found: readonly Row[],
  window: Window,
  read: () => Promise<readonly Summed[]>,
): Page<Row> {
  const summed = once(read);
  const count = async () => (await summed()).reduce((sum, one) => sum + one.count, 0);
  return {
    ...pageOf(found, window, count),
    sums: async () => {
      if ((await count()) > MOST_COUNTED) return null;
      return (await summed()).filter((sum): sum is Summed & Sum => sum.currency !== null);
    },
  };
}

async function countRows(call: Call, db: Database, listing: Listing): Promise<number> {
  const [row] = await db.rows<{ count: number }>(selectCount(listing), planningOf(call, listing));
  return row!.count;
}

/** A plan for all values would read a list of millions in its order until it has found a page of what is rare. */
function planningOf({ viewer }: Call, { filters = [] }: Listing): Planning {
  return isBound(viewer) || filters.some((filter) => filter !== null) ? 'each time' : 'once';
}

function whereAll(conditions: readonly (Sql | null)[]): Sql {
  const holding = conditions.filter((condition) => condition !== null);
  return holding.length > 0 ? sql`where ${joined(holding, ' and ')}` : empty;
}
