import { type Sql, raw, sql } from '../database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
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

/** An amount that somebody looks for, in one currency or in any. */
export interface Money {
  readonly value: Decimal;
  readonly currency: string | null;
}

/** Most records of one amount among which others are told apart: fees are common, and few of them are somebody's. */
const MOST_OF_AN_AMOUNT = 500;

/** The condition that a row of `r` has an amount, of the newest that have it: an index has them in order. */
export function whereOfAmount(table: string, column: string, { value, currency }: Money): Sql {
  const [rows, amount] = [raw(table), raw(column)];
  const inCurrency = currency === null ? sql`true` : sql`currency = ${currency}`;
  return sql`r.name in (
    select name from ${rows} where ${amount} = ${value} and ${inCurrency} order by name desc limit ${MOST_OF_AN_AMOUNT})`;
}
