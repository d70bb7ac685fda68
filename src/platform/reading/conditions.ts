import { type Sql, raw, sql } from '../database/sql.ts';
import { compareToEnd } from '../../kernel/time.ts';

/** A condition that holds only where its value was given. */
export function ifGiven<T>(value: T | null | undefined, condition: (value: T) => Sql): Sql | null {
  return value === null || value === undefined ? null : condition(value);
}

/** The condition that a column has one of some values: of a single one as equality, by which an index keeps its order. */
export function isAnyOf(column: Sql, values: readonly string[], type = 'text'): Sql {
  const [value, ...others] = values;
  return value !== undefined && others.length === 0
    ? sql`${column} = ${value}`
    : sql`${column} = any(${values}::${raw(type)}[])`;
}

/** The condition that a column is not after an end, which counts whole where it was given as a day. */
export function whereNotAfter(column: Sql, end: Date): Sql {
  const { operator, moment } = compareToEnd(end);
  return sql`${column} ${raw(operator)} ${moment}`;
}
