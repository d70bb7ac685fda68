import type { Call } from '../../../platform/call/call.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import { type Sql, empty, joined, raw, sql } from '../../../platform/database/sql.ts';
import { loadTogether } from '../../../platform/reading/batch.ts';
import { formatDay } from '../../../kernel/time.ts';
import type { TimeZone } from '../../common/span.ts';
import type { Base, Days } from './span.ts';
import { type DimensionName, type Side, dimensionOf } from './dimensions.ts';
import { type Slice, namedIn, withinSlice } from './slice.ts';

/** Question for figures: days, part of everything, and groups. */
export interface Question {
  readonly from: Date;
  readonly to: Date;
  readonly timeZone: TimeZone;
  readonly slice: Slice;
  readonly by: readonly DimensionName[];
  /** Other spans whose groups are answered too, with nothing where they have none in this span. */
  readonly including?: readonly Base[];
  /** The days to compare with that are called `before`; as many as the span has, just before it, where none are given. */
  readonly comparedDays?: Days | null;
}

/** All dimensions that a question is about. */
export function dimensionsIn({ by, slice }: Pick<Question, 'by' | 'slice'>): readonly DimensionName[] {
  return [...new Set([...by, ...namedIn(slice)])];
}

/** Refuses dimensions that the caller may not see. */
export function checkNeeds(call: Call, question: Pick<Question, 'by' | 'slice'>): void {
  for (const name of dimensionsIn(question)) {
    const { need } = dimensionOf(name);
    const refusal = need ? findRefusal(call.viewer, need) : null;
    if (refusal) throw refusal;
  }
}

/** The columns of a question's groups, `k0` and on. */
export function keysOf(by: readonly DimensionName[]): readonly Sql[] {
  return by.map((name, index) => sql`${dimensionOf(name).key} as ${raw(`k${index}`)}`);
}

/** Tables that facts `f` have to be joined with. */
export function sidesOf(question: Pick<Question, 'by' | 'slice'>): Sql {
  const sides = new Set<Side | undefined>(dimensionsIn(question).map((name) => dimensionOf(name).side));
  return joined(
    [
      sides.has('agency') ? sql`join agency a on a.mda = f.mda` : empty,
      sides.has('service') ? sql`left join service s on s.service = f.service` : empty,
    ],
    ' ',
  );
}

/** Measures of facts `f`, a row for each group of a question within its slice. */
export function selectGroups(question: Question, facts: Sql, measures: readonly Sql[]): Sql {
  const keys = keysOf(question.by);
  const names = keys.map((_key, index) => raw(`k${index}`));
  return sql`
    select ${joined([...keys, ...measures])} from ${facts} ${sidesOf(question)} where ${withinSlice(question.slice)}
    ${names.length > 0 ? sql`group by ${joined(names)}` : sql`having count(*) > 0`}`;
}

/** True for a day of a question. */
export function isWithin({ from, to }: Question, day: Sql): Sql {
  return sql`${day} between ${formatDay(from)}::date and ${formatDay(to)}::date`;
}

/** The facts of a table of the copy that lie within the days, with the day and hour that each is of. */
export function factsOf(table: string, question: Question): Sql {
  const [day, hour] = question.timeZone === 'UTC' ? ['day', 'hour'] : ['local_day', 'local_hour'];
  return sql`(
    select *, ${raw(day)} as on_day, ${raw(hour)} as on_hour from ${raw(table)}
    where ${isWithin(question, sql`${raw(day)}`)}
  ) f`;
}

/** The first day with a payment of a slice, asked once for all that ask at the same moment; null where there is none. */
export function findRecordedSince(
  call: Call,
  { slice, timeZone }: Pick<Question, 'slice' | 'timeZone'>,
): Promise<Date | null> {
  const day = raw(timeZone === 'UTC' ? 'f.day' : 'f.local_day');
  return loadTogether(call, JSON.stringify(['recorded since', slice]), timeZone, async () => {
    const row = await call.analytics.row<{ day: Date | null }>(sql`
      select min(${day}) as day from payment f ${sidesOf({ by: [], slice })} where ${withinSlice(slice)}`);
    return new Map(row?.day ? [[timeZone, row.day]] : []);
  });
}
