import { type Sql, sql } from '../../platform/database/sql.ts';
import { type Check, listDifferences } from './check.ts';

/** A check of two rows of which the one repeats the other: it names the members in which they differ. */
export function compare(
  check: string,
  row: Sql,
  from: Sql,
  members: Readonly<Record<string, Sql>>,
  said: Sql = sql`'differs from the records that it is about in '`,
): Check {
  return [
    check,
    sql`select * from (select ${row} as row, null::text as mda, ${said} || ${listDifferences(members)} as why from ${from}) d
      where why is not null`,
  ];
}

/**
 * True if JSON has a member with another value than a column: former versions wrote fewer members. Nothing is cast, so
 * that no text that somebody wrote into it stops a verification.
 */
export const other = (said: Sql, member: string, column: Sql) =>
  sql`coalesce(${said} ? ${member} and ${said} -> ${member}::text is distinct from coalesce(to_jsonb(${column}), 'null'), false)`;
/** The same of a moment. */
export const otherTime = (said: Sql, member: string, column: Sql) =>
  sql`coalesce(${said} ? ${member} and ${said} ->> ${member}::text is distinct from ${isoOf(column)}, false)`;
/** A moment as JSON has it. */
export const isoOf = (moment: Sql) => sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Rows of the timeline about a document. They are found by its assessment. */
export const traced = (assessment: Sql, doc: Sql, holds: Sql) =>
  sql`exists (select from trace_row t where t.assessment = ${assessment} and t.doc = ${doc} and ${holds})`;

/** A moment is another one, or soon after it. */
export const within = (moment: Sql, at: Sql = sql`t.at`) =>
  sql`${at} >= ${moment} and ${at} < ${moment} + interval '1 hour'`;
