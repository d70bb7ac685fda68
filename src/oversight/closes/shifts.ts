import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import { monthsOf } from '../figures/query/groups/people.ts';
import { suppressSmallCells } from '../common/suppression.ts';

/** Sums over an agency's tills that were closed on a day. */
export interface ShiftsOfDay {
  readonly shifts: number;
  readonly expected: Decimal;
  readonly counted: Decimal;
  readonly variance: Decimal;
}

/**
 * The tills that were closed on some days of a span, by agency, currency and day: of days on which enough clerks closed
 * one, and of months, as shifts are disclosed elsewhere. What of a day lies in two months of those is disclosed whole or not
 * at all. Of the months of the span those are read that the days touch.
 */
export async function readShiftDays(
  call: Call,
  {
    agency,
    currency = null,
  }: { readonly agency: readonly string[]; readonly currency?: readonly string[] | null | undefined },
  { from, to }: { from: Date; to: Date },
  days: readonly Date[],
): Promise<Map<string, ShiftsOfDay>> {
  const [first, last] = [days[0]!, days.at(-1)!];
  const touched = {
    from: new Date(Math.max(from.getTime(), first.getTime() - DAY_MS)),
    to: new Date(Math.min(to.getTime(), last.getTime() + DAY_MS)),
  };
  const facts = sql`
    select month, currency, mda, day, person, expected_cash, cash_counted, variance from shift
    where waiting is null and ${monthsOf(touched)}
      and mda = any(${agency}) and (${currency}::text[] is null or currency = any(${currency}))`;
  const rows = await call.analytics.rows<ShiftsOfDay & { place: string }>(sql`
    with ${suppressSmallCells({ apart: ['month', 'currency'], tree: ['mda', 'day'] }, 2, facts)}
    select f.mda || ' ' || f.currency || ' ' || f.day as place, count(*)::int as shifts, sum(f.expected_cash) as expected,
      sum(f.cash_counted) as counted, sum(f.variance) as variance
    from facts_disclosed f
    where f.day >= ${formatDay(first)}::date and f.day <= ${formatDay(last)}::date
    group by f.mda, f.currency, f.day having bool_and(f.disclosed)`);
  return new Map(rows.map(({ place, ...row }) => [place, row]));
}
