import type { Call } from '../../platform/call/call.ts';
import type { Decimal } from '../../kernel/money.ts';
import { zero } from '../../kernel/money.ts';
import { type RevenueFilter, type RevenueRow, netOf, readRevenue } from './revenue.ts';
import { closeLocalSpan } from '../figures/span.ts';
import { DAY_MS } from '../../kernel/time.ts';

/** Net revenue of a period beside that of the period before and of the same a year ago. */
export interface Comparison {
  readonly mda: string | null;
  readonly currency: string;
  readonly current: Decimal;
  readonly before: Decimal;
  readonly yearAgo: Decimal;
  /** The change as a part of what was; null where that was nothing. */
  readonly changeOnBefore: number | null;
  readonly changeOnYearAgo: number | null;
}

/**
 * Compares a period with the one before it and with the same a year ago, by currency, and by agency where that is
 * asked.
 */
export async function compareRevenue(
  call: Call,
  { byAgency, ...filter }: RevenueFilter & { byAgency: boolean },
): Promise<Comparison[]> {
  const { from, to } = await closeLocalSpan(call, filter);
  const days = (to.getTime() - from.getTime()) / DAY_MS + 1;
  // Nothing was before 1970, whose first day is the zero of all moments.
  const shift = (day: Date, by: number) => new Date(Math.max(0, day.getTime() - by * DAY_MS));
  const of = (fromDate: Date, toDate: Date) =>
    readRevenue(call, {
      groupBy: byAgency ? ['mda'] : [],
      filter: { ...filter, fromDate, toDate },
      orderBy: 'key',
    });
  const [current, before, yearAgo] = await Promise.all([
    of(from, to),
    of(shift(from, days), shift(from, 1)),
    of(yearBefore(from), yearBefore(to)),
  ]);
  const keys = [...new Map([...current, ...before, ...yearAgo].map((row) => [keyOf(row), row])).values()];
  const net = (rows: readonly RevenueRow[], key: string) => {
    const found = rows.find((row) => keyOf(row) === key);
    return found ? netOf(found) : zero;
  };
  return keys
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) => {
      const key = keyOf(row);
      const [now, was, longAgo] = [net(current, key), net(before, key), net(yearAgo, key)];
      return {
        mda: row.mda ?? null,
        currency: row.currency,
        current: now,
        before: was,
        yearAgo: longAgo,
        changeOnBefore: changeOf(now, was),
        changeOnYearAgo: changeOf(now, longAgo),
      };
    });
}

function keyOf({ currency, mda }: RevenueRow): string {
  return `${currency}\n${mda ?? ''}`;
}

function changeOf(now: Decimal, was: Decimal): number | null {
  return was.isZero() ? null : now.minus(was).dividedBy(was.abs()).toDecimalPlaces(6).toNumber();
}

/** The same day of the year before; the last of February for its 29th. */
function yearBefore(day: Date): Date {
  const before = new Date(Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate()));
  return before.getUTCMonth() === day.getUTCMonth() ? before : new Date(before.getTime() - DAY_MS);
}
