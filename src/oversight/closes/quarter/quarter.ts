import { refuseValue } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import type { Days } from '../../figures/query/span.ts';

/** The form of a calendar quarter's name. */
export const QUARTER = /^(\d{4})-Q([1-4])$/;

/** A quarter of the calendar, with its first and last day. */
export interface Quarter extends Days {
  readonly name: string;
}

/** The first day of a month; months beyond a year are of the next or the one before. */
const firstOf = (year: number, month: number) => new Date(Date.UTC(year, month, 1));

/** The quarter that a day is in. */
export function quarterOf(day: Date): Quarter {
  const [year, quarter] = [day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3)];
  const to = new Date(firstOf(year, 3 * quarter + 3).getTime() - DAY_MS);
  return { name: `${year}-Q${quarter + 1}`, from: firstOf(year, 3 * quarter), to };
}

/** The first day of the month that begins so many months before the end of a quarter is over. */
export function monthsUpTo({ to }: Quarter, months: number): Date {
  return firstOf(to.getUTCFullYear(), to.getUTCMonth() + 1 - months);
}

/** The quarter of a name. */
export function readQuarter(name: string): Quarter {
  const [, year, quarter] = QUARTER.exec(name) ?? [];
  if (!year) throw refuseValue('quarter', say`must be a quarter, such as ${'2026-Q4'}`);
  return quarterOf(firstOf(Number(year), 3 * Number(quarter) - 1));
}
