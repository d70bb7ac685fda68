import { LONGEST_WAITS } from '../../kernel/retries.ts';
import { type Sql, sql } from '../database/sql.ts';

/** By how much moments of requests and processes that meet may differ. */
export const LEEWAY_SECONDS = 60;

/**
 * True if a stored end lies further ahead than it ever does: then it was stored before the clock was set back.
 * `seconds` is the furthest that it lies ahead when it is stored.
 */
export function isTooFar(end: Sql, at: Date | Sql, seconds: number | Sql): Sql {
  return sql`${end} > (${at})::timestamptz + (${seconds} + ${LEEWAY_SECONDS}::int) * interval '1 second'`;
}

/** True if a stored end has come, or lies too far ahead. */
export function isOver(end: Sql, at: Date | Sql, seconds: number | Sql): Sql {
  return sql`(${end} <= (${at})::timestamptz or ${isTooFar(end, at, seconds)})`;
}

/** Most seconds that something waits after so many tries. */
export function longestWait(attempts: Sql): Sql {
  return sql`coalesce((${LONGEST_WAITS}::float8[])[${attempts}], 0)`;
}
