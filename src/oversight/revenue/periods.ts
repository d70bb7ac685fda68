import type { Call } from '../../platform/call/call.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { type Span, closeLocalSpan } from '../figures/span.ts';

/** A period, and those that it is compared with. */
export type Period = 'asked' | 'before' | 'yearAgo';

interface Days {
  readonly fromDate: Date;
  readonly toDate: Date;
}

/** The days that are asked for, as many just before them, and the same of a year ago. */
export async function periodsOf(call: Pick<Call, 'now' | 'oversight'>, span: Span): Promise<Record<Period, Days>> {
  const { from, to } = await closeLocalSpan(call, span);
  const { before, yearAgo } = earlierPeriodsOf({ from, to });
  const written = (period: { from: Date; to: Date }) => ({ fromDate: period.from, toDate: period.to });
  return { asked: written({ from, to }), before: written(before), yearAgo: written(yearAgo) };
}

/** As many days just before some days, and the same days of the year before. */
export function earlierPeriodsOf({ from, to }: { readonly from: Date; readonly to: Date }) {
  const days = (to.getTime() - from.getTime()) / DAY_MS + 1;
  // Nothing was before 1970, whose first day is the zero of all moments.
  const shift = (day: Date, by: number) => new Date(Math.max(0, day.getTime() - by * DAY_MS));
  return {
    before: { from: shift(from, days), to: shift(from, 1) },
    yearAgo: { from: yearBefore(from), to: yearBefore(to) },
  };
}

/** The same day of the year before; the last of February for its 29th. */
function yearBefore(day: Date): Date {
  const before = new Date(Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate()));
  return before.getUTCMonth() === day.getUTCMonth() ? before : new Date(before.getTime() - DAY_MS);
}
