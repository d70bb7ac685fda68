import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { once } from '../../platform/reading/page.ts';
import { type Decimal, toMinorUnit, zero } from '../../kernel/money.ts';
import { formatDay } from '../../kernel/time.ts';

/** The target of an agency in a fiscal year, and what it has collected. */
export interface TargetFigures {
  readonly mda: string;
  readonly fiscalYear: string;
  readonly fromDate: Date;
  readonly toDate: Date;
  readonly currency: string;
  readonly target: Decimal;
  /** What its agency collected; read of all targets together, where that of any is asked for. */
  readonly collected: () => Promise<Decimal>;
  /** Part of the year that is over, 0 to 1. */
  readonly elapsed: number;
  readonly expected: Decimal;
}

export interface TargetFilter {
  readonly fiscalYear?: string | null | undefined;
  readonly agency?: readonly string[] | null | undefined;
  readonly currency?: readonly string[] | null | undefined;
}

/** Decimals of that part: a millionth. */
const PRECISION = 6;

/**
 * Targets with the net revenue of their years up to now: of the year that is running in the agency's country, where
 * none is named; its days are those of that country.
 */
export async function readTargetFigures(call: Call, filter: TargetFilter): Promise<TargetFigures[]> {
  const { fiscalYear = null, agency = null, currency = null } = filter;
  const targets = await call.oversight.rows<Omit<TargetFigures, 'collected' | 'expected'>>(sql`
    select t.mda, t.fiscal_year as "fiscalYear", y.begins::timestamp at time zone 'utc' as "fromDate",
      (y.ends - 1)::timestamp at time zone 'utc' as "toDate", t.currency, t.amount as target,
      least(1, greatest(0, round((extract(epoch from ${call.now()}::timestamptz - y.begins::timestamp at time zone a.time_zone)
        / extract(epoch from y.ends::timestamp - y.begins::timestamp))::numeric, ${PRECISION}::int)))::float8 as elapsed
    from oversight.target t join oversight.agency a on a.mda = t.mda
    cross join lateral (select make_date(left(t.fiscal_year, 4)::int, a.fiscal_year_month, 1) as begins) b
    cross join lateral (select b.begins, (b.begins + interval '1 year')::date as ends) y
    where (${agency}::text[] is null or t.mda = any(${agency}))
      and (${currency}::text[] is null or t.currency = any(${currency}))
      and case when ${fiscalYear}::text is null
        then (${call.now()}::timestamptz at time zone a.time_zone)::date between y.begins and y.ends - 1
        else t.fiscal_year = ${fiscalYear} end
    order by t.fiscal_year desc, t.mda collate "C", t.currency`);
  const collected = once(async () => {
    const rows = await call.analytics.rows<{ at: number; net: Decimal }>(sql`
    select t.at, sum(p.amount) as net
    from (
      select unnest(${targets.map((_target, at) => at)}::int[]) as at, unnest(${targets.map(({ mda }) => mda)}::text[]) as mda,
        unnest(${targets.map((target) => target.currency)}::text[]) as currency,
        unnest(${targets.map(({ fromDate }) => formatDay(fromDate))}::date[]) as first,
        unnest(${targets.map(({ toDate }) => formatDay(toDate))}::date[]) as last
    ) t join payment p on p.mda = t.mda and p.currency = t.currency and p.local_day between t.first and t.last
    group by t.at`);
    return new Map(rows.map(({ at, net }) => [at, net]));
  });
  return targets.map((target, at) => ({
    ...target,
    collected: async () => (await collected()).get(at) ?? zero,
    expected: toMinorUnit(target.target.times(target.elapsed), target.currency)!,
  }));
}

/** Collections as a part of the target. */
export async function shareOfTarget({
  target,
  collected,
}: Pick<TargetFigures, 'target' | 'collected'>): Promise<number> {
  return (await collected()).dividedBy(target).toDecimalPlaces(PRECISION).toNumber();
}
