import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readPlaces } from '../../platform/reading/places.ts';
import type { Decimal } from '../../kernel/money.ts';
import type { Span } from '../figures/span.ts';
import { USUAL_GROUPS, wholeMonths } from '../root/groups.ts';
import { selectShiftCells } from '../root/shifts.ts';

/**
 * The variances of a counter in the months of a span: the material ones, of which each is an anomaly, and, where enough
 * clerks worked there, all of them.
 */
export interface CounterVariances {
  readonly mda: string;
  readonly counter: string | null;
  readonly currency: string;
  readonly material: number;
  readonly unresolved: number;
  readonly materialShortage: Decimal;
  readonly materialSurplus: Decimal;
  readonly shifts: number | null;
  readonly withVariance: number | null;
  readonly variance: Decimal | null;
  readonly mostByOneClerk: number | null;
}

export interface CounterFilter extends Span {
  readonly agency?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
  readonly least: number;
}

/** Counters with so many variances or more in the months of a span, the most first. */
export function listCounterVariances(
  call: Call,
  { agency = null, currency = null, least, ...span }: CounterFilter,
  page: PageArgs,
): Promise<Page<CounterVariances>> {
  const asked = sql`(${agency}::text[] is null or mda = any(${agency})) and (${currency}::text is null or currency = ${currency})`;
  return readPlaces(
    call.oversight,
    sql`
    with ${selectShiftCells(call, span)}, shown as (
      select * from cells where told and ${asked}
    ), by_one as (
      select mda, counter, currency, max(variances)::int as most from (
        select s.mda, s.counter, s.currency, sum(c.value::int) as variances
        from shown s cross join lateral jsonb_each_text(s.by_person) c where s.with_variance > 0 group by s.mda, s.counter, s.currency, c.key) each
      group by mda, counter, currency
    ), figures as (
      select mda, counter, currency, sum(shifts)::int as shifts, sum(with_variance)::int as "withVariance",
        sum(variance) as variance, coalesce(max(most), 0) as "mostByOneClerk"
      from shown left join by_one using (mda, counter, currency) group by mda, counter, currency
    ), found as (
      select mda, counter, currency, count(*)::int as material,
        count(*) filter (where status = 'Open')::int as unresolved,
        coalesce(-sum(variance) filter (where variance < 0), 0) as "materialShortage",
        coalesce(sum(variance) filter (where variance > 0), 0) as "materialSurplus"
      from oversight.counter_anomaly where ${wholeMonths(call, span, sql`raised_at`)} and ${asked}
      group by mda, counter, currency
    )
    select mda, nullif(counter, '') as counter, currency, coalesce(n.material, 0) as material,
      coalesce(n.unresolved, 0) as unresolved, coalesce(n."materialShortage", 0) as "materialShortage",
      coalesce(n."materialSurplus", 0) as "materialSurplus", g.shifts, g."withVariance", g.variance, g."mostByOneClerk"
    from found n full join figures g using (mda, counter, currency)
    where greatest(n.material, g."withVariance") >= ${least}
    order by greatest(n.material, g."withVariance") desc, mda collate "C", counter collate "C", currency`,
    page,
    USUAL_GROUPS,
  );
}
