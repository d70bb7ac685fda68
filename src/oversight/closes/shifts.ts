import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { formatDay } from '../../kernel/time.ts';
import { tellOfMany } from '../root/few.ts';
import { wholeMonths } from '../root/groups.ts';

/** How the tills of an agency came out that were closed on a day. */
export interface ShiftsOfDay {
  readonly shifts: number;
  readonly expected: Decimal;
  readonly counted: Decimal;
  readonly variance: Decimal;
}

/**
 * The tills that were closed on each day of a span, by agency, currency and day: of days on which enough clerks closed
 * one, and of months, as shifts are told of elsewhere. What of a day lies in two months of those is told whole or not at
 * all.
 */
export async function readShiftDays(
  call: Call,
  {
    agency = null,
    currency = null,
  }: { agency?: readonly string[] | null | undefined; currency?: string | null | undefined },
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, ShiftsOfDay>> {
  const facts = sql`
    select month, currency, mda, day, person, expected_cash, cash_counted, variance from oversight.closed_shift
    where ${wholeMonths(call, { fromDate: from, toDate: to }, sql`closed_at`)}
      and (${agency}::text[] is null or mda = any(${agency})) and (${currency}::text is null or currency = ${currency})`;
  const rows = await call.oversight.rows<ShiftsOfDay & { place: string }>(sql`
    with ${tellOfMany({ apart: ['month', 'currency'], tree: ['mda', 'day'] }, 2, facts)}
    select f.mda || ' ' || f.currency || ' ' || f.day as place, count(*)::int as shifts, sum(f.expected_cash) as expected,
      sum(f.cash_counted) as counted, sum(f.variance) as variance
    from facts_told f
    where f.day >= ${formatDay(from)}::date and f.day <= ${formatDay(to)}::date
    group by f.mda, f.currency, f.day having bool_and(f.told)`);
  return new Map(rows.map(({ place, ...row }) => [place, row]));
}
