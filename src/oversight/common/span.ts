import type { Call } from '../../platform/call/call.ts';
import { type Sql, sql } from '../../platform/database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { SideTable } from '../../kernel/side-table.ts';
import { DAY_MS, dayOf, formatDay } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** Time zone of days: that of each agency's country, or UTC. */
export type TimeZone = 'country' | 'UTC';

/** Days that a question is about, both included; null: from the beginning, or up to now. */
export interface Span {
  readonly fromDate?: Date | null | undefined;
  readonly toDate?: Date | null | undefined;
  /** Left out: UTC, the only calendar of figures about people. */
  readonly timeZone?: TimeZone | undefined;
}

/** A span that has both ends. */
export interface ClosedSpan {
  readonly from: Date;
  readonly to: Date;
  readonly timeZone: TimeZone;
}

/** A span as it was asked for, unless it ends before it begins. */
export function checkSpan({ fromDate, toDate }: Span): { from: Date | null; to: Date | null } {
  if (fromDate && toDate && toDate < fromDate) throw refuseValue('toDate', say`must not be before ${'fromDate'}`);
  return { from: fromDate ?? null, to: toDate ?? null };
}

/** Conditions for moments within the days of a span, by the agency whose days they are, or null. */
export function conditionsWithin(span: Span, at: Sql, mda: Sql): readonly (Sql | null)[] {
  const { from, to } = checkSpan(span);
  if ((span.timeZone ?? 'UTC') === 'UTC')
    return [from && sql`${at} >= ${from}`, to && sql`${at} < ${new Date(to.getTime() + DAY_MS)}`];
  const day = sql`(${at} at time zone coalesce((select a.time_zone from oversight.agency a where a.mda = ${mda}), 'UTC'))::date`;
  // A day of a country touches the UTC day of its name, or its neighbours: by these it is found.
  return [
    from && sql`${at} >= ${new Date(from.getTime() - DAY_MS)}`,
    to && sql`${at} < ${new Date(to.getTime() + 2 * DAY_MS)}`,
    // Only what lies within a day of an end has to be asked whose day it is.
    from && sql`(${at} >= ${new Date(from.getTime() + DAY_MS)} or ${day} >= ${formatDay(from)}::date)`,
    to && sql`(${at} < ${to} or ${day} <= ${formatDay(to)}::date)`,
  ];
}

/** A span with both ends: what is left out is the last 30 days up to today. */
export async function closeLocalSpan(call: Call, span: Span): Promise<ClosedSpan> {
  const { from, to } = checkSpan(span);
  const { timeZone = 'UTC' } = span;
  // Asked even if it is given: figures of several spans then go on together, and are read by one statement.
  const today = await findToday(call, timeZone);
  const last = to ?? today;
  return { from: from ?? new Date(last.getTime() - 29 * DAY_MS), to: last, timeZone };
}

const known = new SideTable<Call, Promise<Date | null>>();

/**
 * The day that it is, asked once for a request. Where countries have different days, the later one: nothing that happened
 * is left out.
 */
async function findToday(call: Call, timeZone: TimeZone): Promise<Date> {
  const now = call.now();
  if (timeZone === 'UTC') return dayOf(now);
  const today = known.of(call, async () => {
    const row = await call.oversight.row<{ day: string | null }>(
      sql`select max((${now}::timestamptz at time zone time_zone)::date)::text as day from oversight.agency`,
    );
    return row?.day == null ? null : new Date(`${row.day}T00:00:00Z`);
  });
  return (await today) ?? dayOf(now);
}
