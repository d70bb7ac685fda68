import { type Database, type Sql, sql } from '../database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Page, type PageArgs, once, windowOf } from './page.ts';
import { say } from '../../kernel/text/said.ts';

/**
 * Reads one page of a list whose rows have no names, such as groups: they are found by their positions, and each page reads
 * the whole again, or as much of its beginning as it has to where `rows` takes how much that is (null: all). They are a
 * statement that ends with its order; so many rows are read where no number is asked for.
 */
export async function readByOffset<Row>(
  db: Database,
  rows: Sql | ((first: number | null) => Sql),
  args: PageArgs,
  defaultSize: number,
): Promise<Page<Row>> {
  const rowsUpTo = typeof rows === 'function' ? rows : () => rows;
  const { size, backwards, offset, after, before } = windowOf(args, defaultSize);
  const count = once(async () => {
    const row = await db.row<{ count: number }>(sql`select count(*)::int as count from (${rowsUpTo(null)}) r`);
    return row!.count;
  });
  const begin = (after === null ? 0 : positionOf('after', after)) + offset;
  const end = before === null ? null : positionOf('before', before) - 1;
  const start = backwards ? Math.max(begin, (end ?? (await count())) - size) : begin;
  const limit = Math.max(0, Math.min(size, (end ?? start + size) - start));
  const found = await db.rows<Row>(sql`${rowsUpTo(start + limit + 1)} limit ${limit + 1} offset ${start}`);
  const page = found.slice(0, limit);
  return {
    rows: page,
    hasNext: found.length > limit,
    hasPrevious: start > 0,
    cursors: page.map((_row, index) => String(start + index + 1)),
    count,
  };
}

/** The position of a row, from 1 on, that a cursor names. */
function positionOf(end: 'after' | 'before', cursor: string): number {
  if (!/^[1-9]\d{0,8}$/.test(cursor)) throw refuseValue(end, say`does not name a row of this list`);
  return Number(cursor);
}
