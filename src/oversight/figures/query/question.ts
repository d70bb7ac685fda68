import type { Call } from '../../../platform/call/call.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import { type Sql, empty, joined, raw, sql } from '../../../platform/database/sql.ts';
import { writeOut } from '../../../platform/analytics/literal.ts';
import { SideTable } from '../../../kernel/side-table.ts';
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

/** What one statement reads: the groups of one span or of several, each with the place of its span. */
export interface Reading extends Pick<Question, 'timeZone' | 'slice' | 'by'> {
  readonly spans: readonly Days[];
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

/** The columns that tell groups apart: their span, and `k0` and on. */
export function keysOf(by: readonly DimensionName[]): readonly Sql[] {
  return [sql`f.span`, ...by.map((name, index) => sql`${dimensionOf(name).key} as ${raw(`k${index}`)}`)];
}

/** Names of these columns. */
export const namesOf = (by: readonly DimensionName[]): Sql =>
  joined([raw('span'), ...by.map((_name, index) => raw(`k${index}`))]);

/** The facts of each span of a reading. */
export const inSpans = ({ spans }: Reading, select: (days: Days, span: Sql) => Sql): Sql =>
  joined(
    spans.map((days, place) => select(days, raw(`${place} as span`))),
    ' union all ',
  );

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

/** Measures of facts `f`, a row for each group of a reading within its slice. */
export function selectGroups({ by, slice }: Reading, facts: Sql, measures: readonly Sql[]): Sql {
  return sql`
    select ${joined([...keysOf(by), ...measures])} from (${facts}) f ${sidesOf({ by, slice })} where ${withinSlice(slice)}
    group by ${namesOf(by)}`;
}

/** True for a day of a span. */
export function isWithin({ from, to }: Days, day: Sql): Sql {
  return sql`${day} between ${formatDay(from)}::date and ${formatDay(to)}::date`;
}

/** Facts of a table with a `day` (UTC) that lie within the days of each span. */
export const daysOf = (table: Sql, reading: Reading): Sql =>
  inSpans(
    reading,
    (days, span) => sql`select ${span}, *, day as on_day from ${table} where ${isWithin(days, sql`day`)}`,
  );

/** The payments that lie within the days of each span, with the day and hour that each is of. */
export function paymentsOf(reading: Reading): Sql {
  const [day, hour] = reading.timeZone === 'UTC' ? ['day', 'hour'] : ['local_day', 'local_hour'];
  return inSpans(
    reading,
    (days, span) => sql`
    select ${span}, *, ${raw(day)} as on_day, ${raw(hour)} as on_hour from payment where ${isWithin(days, raw(day))}`,
  );
}

const recorded = new SideTable<Call, Map<string, Promise<Date | null>>>();

/** The first day with a payment of a slice, asked once for a request; null where there is none. */
export function findRecordedSince(
  call: Call,
  { slice, timeZone }: Pick<Question, 'slice' | 'timeZone'>,
): Promise<Date | null> {
  const day = raw(timeZone === 'UTC' ? 'f.day' : 'f.local_day');
  const first = sql`
    select min(${day}) as day from payment f ${sidesOf({ by: [], slice })} where ${withinSlice(slice)}`;
  const known = recorded.of(call, () => new Map());
  const purpose = writeOut(first);
  const found = known.get(purpose) ?? call.analytics.row<{ day: Date | null }>(first).then((row) => row?.day ?? null);
  known.set(purpose, found);
  return found;
}
