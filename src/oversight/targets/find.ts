import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Decimal, toMinorUnit } from '../../kernel/money.ts';

/** What an agency is to collect in a fiscal year, beside what it has. */
export interface TargetFigures {
  readonly mda: string;
  readonly fiscalYear: string;
  readonly fromDate: Date;
  readonly toDate: Date;
  readonly currency: string;
  readonly target: Decimal;
  readonly collected: Decimal;
  /** How much of the year is over, 0 to 1. */
  readonly elapsed: number;
  readonly expected: Decimal;
}

export interface TargetFilter {
  readonly fiscalYear?: string | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
}

/** How much of a year is over is told to a millionth. */
const PRECISION = 6;

/**
 * Targets beside the net revenue of their years up to now: of the year that is running in the agency's country, where
 * none is named; its days are those of that country. Sums by month and what is not yet part of them are read in one statement, and so as of one moment.
 */
export async function readTargetFigures(call: Call, filter: TargetFilter): Promise<TargetFigures[]> {
  const { fiscalYear = null, agency = null, currency = null } = filter;
  const rows = await call.oversight.rows<Omit<TargetFigures, 'expected'>>(sql`
    with target as (
      select t.*, y.begins, (y.begins + interval '1 year')::date as ends, a.time_zone
      from oversight.target t join oversight.agency a on a.mda = t.mda
      cross join lateral (select make_date(left(t.fiscal_year, 4)::int, a.fiscal_year_month, 1) as begins) y
      where (${agency}::text[] is null or t.mda = any(${agency}))
        and (${currency}::text is null or t.currency = ${currency})
        and case when ${fiscalYear}::text is null
          then (${call.now()}::timestamptz at time zone a.time_zone)::date between y.begins
            and (y.begins + interval '1 year')::date - 1
          else t.fiscal_year = ${fiscalYear} end
    ), net as (
      select f.mda, f.currency, f.local_day as day, f.collected - f.reversed as amount from oversight.revenue_monthly f
      union all select f.mda, f.currency, f.local_day, f.amount from oversight.tail f
    )
    select t.mda, t.fiscal_year as "fiscalYear", t.begins::timestamp at time zone 'utc' as "fromDate",
      (t.ends - 1)::timestamp at time zone 'utc' as "toDate", t.currency, t.amount as target,
      coalesce(sum(n.amount), 0) as collected,
      least(1, greatest(0, round((extract(epoch from ${call.now()}::timestamptz - t.begins::timestamp at time zone t.time_zone)
        / extract(epoch from t.ends::timestamp - t.begins::timestamp))::numeric, ${PRECISION}::int)))::float8 as elapsed
    from target t left join net n on n.mda = t.mda and n.currency = t.currency and n.day >= t.begins and n.day < t.ends
    group by t.mda, t.fiscal_year, t.begins, t.ends, t.currency, t.amount, t.time_zone
    order by t.fiscal_year desc, t.mda collate "C", t.currency`);
  return rows.map((row) => ({ ...row, expected: toMinorUnit(row.target.times(row.elapsed), row.currency)! }));
}

/** What was collected as a part of the target. */
export function shareOfTarget({ target, collected }: Pick<TargetFigures, 'target' | 'collected'>): number {
  return collected.dividedBy(target).toDecimalPlaces(PRECISION).toNumber();
}
