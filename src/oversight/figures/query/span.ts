import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { type TimeZone, checkSpan, closeLocalSpan } from '../../common/span.ts';
import type { Every } from './dimensions.ts';
import type { Slice } from './slice.ts';
import { say } from '../../../kernel/text/said.ts';

/** Spans that are named, each up to today or to the end of its period. */
export const PRESETS = {
  today: 'The day that it is.',
  this_week: 'From Monday to today.',
  this_month: 'From the first of the month to today.',
  this_quarter: 'From the first day of the calendar quarter to today.',
  this_fiscal_year: 'From the first day of the fiscal year to today.',
  last_7_days: 'The 7 days up to today.',
  last_30_days: 'The 30 days up to today.',
  last_month: 'The whole month before this one.',
  last_fiscal_year: 'The whole fiscal year before this one.',
  all_time: 'All days up to today, from 1970 on.',
} as const;
export type Preset = keyof typeof PRESETS;

export interface Days {
  readonly from: Date;
  readonly to: Date;
}

export interface AskedSpan {
  readonly preset?: Preset | null | undefined;
  readonly days?:
    | { readonly fromDate?: Date | null | undefined; readonly toDate?: Date | null | undefined }
    | null
    | undefined;
}

/** Span that another is compared with. */
export const BASES = {
  before: 'The same number of days, just before; or the days that the question compares with.',
  year_ago: 'The same days of the year before.',
} as const;
export type Base = keyof typeof BASES;

/** The days of a span that another is compared with. Nothing was before 1970, whose first day is the zero of all moments. */
export function daysOfBase({ from, to }: Days, base: Base): Days {
  if (base === 'year_ago') return { from: yearBefore(from), to: yearBefore(to) };
  const days = (to.getTime() - from.getTime()) / DAY_MS + 1;
  const first = plus(from, -days);
  return { from: first < EPOCH ? EPOCH : first, to: from > EPOCH ? plus(from, -1) : EPOCH };
}

const EPOCH = new Date(0);

/** The same day of the year before; the last of February for its 29th. */
function yearBefore(day: Date): Date {
  const before = utc(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate());
  return before.getUTCMonth() === day.getUTCMonth() ? before : plus(before, -1);
}

/** No figure is older, and none will be asked for of later days. */
const LONGEST_YEARS = 50;

/** Refuses a span that is longer than what anybody has figures of. */
export function checkLength({ now }: Pick<Call, 'now'>, { fromDate, toDate }: NonNullable<AskedSpan['days']>): void {
  const last = toDate?.getTime() ?? now().getTime();
  if (fromDate && last - fromDate.getTime() > LONGEST_YEARS * 366 * DAY_MS)
    throw refuseValue('span', say`must not be longer than ${LONGEST_YEARS} years`);
}

/** The days that are asked for; the last 30 where nothing is said. */
export async function findDays(call: Call, asked: AskedSpan | null, timeZone: TimeZone, slice: Slice): Promise<Days> {
  if (asked?.preset) {
    const { to: today } = await closeLocalSpan(call, { timeZone });
    const fiscalMonth = asked.preset.endsWith('fiscal_year') ? await findFiscalMonth(call, slice) : 1;
    return daysOfPreset(asked.preset, today, fiscalMonth);
  }
  const span = { ...asked?.days, timeZone };
  checkSpan(span);
  return closeLocalSpan(call, span);
}

/** The month that fiscal years begin with in the agencies of a slice. */
export async function findFiscalMonth(call: Call, slice: Slice): Promise<number> {
  const months = await call.analytics.rows<{ month: number }>(
    sql`select distinct fiscal_year_month as month from agency where ${isNamed(slice)}`,
  );
  if (months.length > 1)
    throw refuseValue(
      'span.preset',
      'the agencies have different fiscal years: name a country or agencies in the slice',
    );
  return months[0]?.month ?? 1;
}

/** True for an agency that a slice names, by its code or its country. */
function isNamed({ agency = null, country = null, within }: Slice): Sql {
  return sql`(${agency}::text[] is null or mda = any(${agency}::text[]))
    and (${country}::text[] is null or country = any(${country}::text[])) and ${within ? isNamed(within) : sql`true`}`;
}

const utc = (year: number, month: number, day = 1) => new Date(Date.UTC(year, month, day));
const plus = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS);

function daysOfPreset(preset: Preset, today: Date, fiscalMonth: number): Days {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const fiscalYear = month + 1 < fiscalMonth ? year - 1 : year;
  const since = (from: Date) => ({ from, to: today });
  switch (preset) {
    case 'today':
      return since(today);
    case 'this_week':
      return since(plus(today, -((today.getUTCDay() + 6) % 7)));
    case 'this_month':
      return since(utc(year, month));
    case 'this_quarter':
      return since(utc(year, month - (month % 3)));
    case 'this_fiscal_year':
      return since(utc(fiscalYear, fiscalMonth - 1));
    case 'last_7_days':
      return since(plus(today, -6));
    case 'last_30_days':
      return since(plus(today, -29));
    case 'last_month':
      return { from: utc(year, month - 1), to: plus(utc(year, month), -1) };
    case 'last_fiscal_year':
      return { from: utc(fiscalYear - 1, fiscalMonth - 1), to: plus(utc(fiscalYear, fiscalMonth - 1), -1) };
    case 'all_time':
      return since(EPOCH);
  }
}

/** Most points of a series: the days of ten years. */
const MOST_POINTS = 3_660;

/** The periods of a length that days touch, each with its first day and the first after it. */
export function periodsOf({ from, to }: Days, every: Every, fiscalMonth: number) {
  const periods: { readonly first: Date; readonly next: Date }[] = [];
  for (let first = beginOf(from, every, fiscalMonth); first <= to; first = periods.at(-1)!.next) {
    if (periods.length === MOST_POINTS)
      throw refuseValue(
        'every',
        `the span has more than ${MOST_POINTS.toLocaleString('en')} of these periods: ask for longer ones`,
      );
    periods.push({ first, next: nextOf(first, every) });
  }
  return periods;
}

function beginOf(day: Date, every: Every, fiscalMonth: number): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  switch (every) {
    case 'day':
      return day;
    case 'week':
      return plus(day, -((day.getUTCDay() + 6) % 7));
    case 'month':
      return utc(year, month);
    case 'quarter':
      return utc(year, month - (month % 3));
    case 'year':
      return utc(year, 0);
    case 'fiscal_year':
      return utc(month + 1 < fiscalMonth ? year - 1 : year, fiscalMonth - 1);
  }
}

function nextOf(first: Date, every: Every): Date {
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  switch (every) {
    case 'day':
      return plus(first, 1);
    case 'week':
      return plus(first, 7);
    case 'month':
      return utc(year, month + 1);
    case 'quarter':
      return utc(year, month + 3);
    case 'year':
    case 'fiscal_year':
      return utc(year + 1, month);
  }
}
