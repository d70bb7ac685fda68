import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { namePeriod } from '../../oversight/figures/query/dimensions.ts';
import { type Base, daysOfBase } from '../../oversight/figures/query/span.ts';
import { localeOf } from '../languages/language.ts';
import { keep } from '../languages/texts.ts';

export type Step = 'day' | 'week' | 'month';

/** Days, both included, as `YYYY-MM-DD`. */
export interface DaySpan {
  readonly fromDate: string;
  readonly toDate: string;
}

const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (moment: number) => formatDay(new Date(moment));

/** A span, the one of as many days before it, and the same of a year ago: as the graph's `RevenuePeriod` has them. */
export function periodsOf({ fromDate, toDate }: DaySpan): { before: DaySpan; yearAgo: DaySpan } {
  const periodOf = (base: Base) => {
    const { from, to } = daysOfBase({ from: new Date(fromDate), to: new Date(toDate) }, base);
    return { fromDate: formatDay(from), toDate: formatDay(to) };
  };
  return { before: periodOf('before'), yearAgo: periodOf('year_ago') };
}

/** The day, week or month that a day is in, as revenue is grouped by them. */
export function stepAt(day: string, step: Step): string {
  const date = new Date(day);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return namePeriod(step, step === 'week' ? new Date(date.getTime() - sinceMonday * DAY_MS) : date, 1);
}

/** Number of days of a span in each step that it touches. */
export function daysIn({ fromDate, toDate }: DaySpan, step: Step): Map<string, number> {
  const days = new Map<string, number>();
  for (let moment = momentOf(fromDate); moment <= momentOf(toDate); moment += DAY_MS) {
    const key = stepAt(dayAt(moment), step);
    days.set(key, (days.get(key) ?? 0) + 1);
  }
  return days;
}

/** Number of days of a span. */
export const countDays = ({ fromDate, toDate }: DaySpan): number =>
  (momentOf(toDate) - momentOf(fromDate)) / DAY_MS + 1;

/** The days, weeks or months that a span touches. */
export const stepsOf = (span: DaySpan, step: Step): string[] => [...daysIn(span, step).keys()];

/** The day so many days before. */
export const dayBefore = (day: string, days: number): string => dayAt(momentOf(day) - days * DAY_MS);

/** The least part of a span that has to lie within what is recorded, for a comparison with it to say something. */
const FEWEST_RECORDED = 0.9;

/** True if so much of a span was recorded, since some day, that it can be compared with. */
export function isRecorded(span: DaySpan, since: string | null): boolean {
  if (since === null) return false;
  const recorded = countDays(span.fromDate < since ? { ...span, fromDate: since } : span);
  return recorded >= FEWEST_RECORDED * countDays(span);
}

/** Number of days in a step. */
export function lengthOf(key: string, step: Step): number {
  if (step === 'day') return 1;
  return step === 'week' ? 7 : new Date(Date.UTC(Number(key.slice(0, 4)), Number(key.slice(5, 7)), 0)).getUTCDate();
}

const formatsOf = keep((language: string) => ({
  day: new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat(localeOf(language), { month: 'short', year: 'numeric', timeZone: 'UTC' }),
}));

/** A step as people call it: `3 Nov`, `W45`, `Nov 2026`. */
export function nameStep(key: string, step: Step, language: string): string {
  if (step === 'week') return key.replace(/^(\d{4})-W(\d+)$/, 'W$2 $1');
  return formatsOf(language)[step].format(momentOf(step === 'day' ? key : `${key}-01`));
}

/** A month of a day, counted from the year 0 on. */
const numberOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** The days from the first month to the last, by their numbers. */
const monthsFrom = (first: number, last: number): DaySpan => ({
  fromDate: dayAt(Date.UTC(Math.floor(first / 12), first % 12, 1)),
  toDate: dayAt(Date.UTC(Math.floor((last + 1) / 12), (last + 1) % 12, 0)),
});

/** The month that a day is in, by its first and last day. */
export function monthOf(day: string) {
  const { fromDate, toDate } = monthsFrom(numberOf(day), numberOf(day));
  return { monthFrom: fromDate, monthTo: toDate };
}

/** The whole months of a span, as many before it, and the same a year ago: for figures that count whole months. */
export function monthsAround({ fromDate, toDate }: DaySpan): { before: DaySpan; yearAgo: DaySpan } {
  const [first, last] = [numberOf(fromDate), numberOf(toDate)];
  return { before: monthsFrom(2 * first - last - 1, first - 1), yearAgo: monthsFrom(first - 12, last - 12) };
}
