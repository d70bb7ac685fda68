import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readPlaces } from '../../platform/reading/places.ts';
import type { Decimal } from '../../kernel/money.ts';
import type { Span } from '../figures/span.ts';
import { tellOfMany } from '../root/few.ts';
import { USUAL_GROUPS, monthWithin } from '../root/groups.ts';

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
  const facts = sql`
    select month, currency, mda, counter, person, variance from shift
    where waiting is null and ${monthWithin(call, span, sql`month`)} and ${asked}`;
  return readPlaces(
    call.analytics,
    sql`
    with ${tellOfMany({ apart: ['month', 'currency'], tree: ['mda', 'counter'] }, 2, facts)}, by_clerk as (
      select mda, counter, currency, count(*) as shifts, count(*) filter (where variance <> 0) as with_variance,
        sum(variance) as variance
      from facts_told where told group by mda, counter, currency, person
    ), figures as (
      select mda, counter, currency, sum(shifts)::int as shifts, sum(with_variance)::int as "withVariance",
        sum(variance) as variance, max(with_variance)::int as "mostByOneClerk"
      from by_clerk group by mda, counter, currency
    ), found as (
      select mda, counter, currency, count(*)::int as material,
        count(*) filter (where status = 'Open')::int as unresolved,
        coalesce(-sum(variance) filter (where variance < 0), 0) as "materialShortage",
        coalesce(sum(variance) filter (where variance > 0), 0) as "materialSurplus"
      from (
        select s.mda, s.counter, s.currency, s.variance, a.status from anomaly a join shift s on s.document = a.shift
        where a.leads and ${monthWithin(call, span, sql`a.day`)}
      ) f
      where ${asked} group by mda, counter, currency
    )
    select mda, nullif(counter, '') as counter, currency, coalesce(n.material, 0) as material,
      coalesce(n.unresolved, 0) as unresolved, coalesce(n."materialShortage", 0) as "materialShortage",
      coalesce(n."materialSurplus", 0) as "materialSurplus", g.shifts, g."withVariance", g.variance, g."mostByOneClerk"
    from found n full join figures g using (mda, counter, currency)
    where greatest(n.material, g."withVariance") >= ${least}
    order by greatest(n.material, g."withVariance") desc, mda collate "C", counter collate "C" nulls first,
      currency`,
    page,
    USUAL_GROUPS,
  );
}
