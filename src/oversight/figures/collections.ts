import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { monthWithin } from '../root/groups.ts';
import { findPercentiles } from '../root/percentiles.ts';
import { FEWEST_PEOPLE } from './small-cells.ts';
import type { Span } from './span.ts';

/** What an agency was owed in a span, and what became of it; null where too few people owed it. */
export interface CollectionFigures {
  readonly mda: string;
  readonly currency: string;
  readonly assessments: number | null;
  readonly assessed: Decimal | null;
  readonly paid: Decimal | null;
  readonly outstanding: Decimal | null;
  readonly cancelled: Decimal | null;
  readonly secondsP50: number | null;
  readonly secondsP90: number | null;
  readonly secondsP99: number | null;
}

/**
 * What was assessed in the months of a span, by agency: paid, outstanding, cancelled, and how long it took to be paid,
 * which is told of the months in which enough people paid.
 */
export function readCollections(
  call: Call,
  {
    mda,
    currency,
    ...span
  }: Span & { mda?: readonly string[] | null | undefined; currency?: string | null | undefined },
): Promise<CollectionFigures[]> {
  const within = monthWithin(call, span, sql`month`);
  const asked = sql`(${mda ?? null}::text[] is null or mda = any(${mda ?? null}))
    and (${currency ?? null}::text is null or currency = ${currency ?? null})`;
  return call.oversight.rows<CollectionFigures>(
    sql`
    with owed as materialized (
      select mda, currency, month, sum(assessments) as assessments, sum(amount) as assessed,
        coalesce(sum(amount) filter (where status = 'Paid'), 0) as paid,
        coalesce(sum(amount) filter (where status = 'Assessed'), 0) as outstanding,
        coalesce(sum(amount) filter (where status = 'Cancelled'), 0) as cancelled,
        sum(owing_agency) >= ${FEWEST_PEOPLE} as told,
        sum(owing_agency) >= ${FEWEST_PEOPLE} and sum(paying_agency) >= ${FEWEST_PEOPLE} as enough_paid
      from oversight.assessed_agency_sum where ${within} and ${asked} group by 1, 2, 3 having sum(parts) > 0
    ), keyed as materialized (
      select mda, currency, n, array[p50, p90, p99] as known, seconds,
        dense_rank() over (order by mda, currency) as g
      from oversight.assessed_times where ${within} and ${asked} and n > 0
        and (mda, currency, month) in (select mda, currency, month from owed where enough_paid)
    ), cells as (select g, n, known, seconds from keyed), ${findPercentiles([0.5, 0.9, 0.99])}, timed as materialized (
      select mda, currency, values_at from (select distinct mda, currency, g from keyed) k join percentiles using (g)
    ), counted as materialized (
      select mda, currency, sum(assessments) filter (where told)::bigint as assessments,
        sum(assessed) filter (where told) as assessed, sum(paid) filter (where told) as paid,
        sum(outstanding) filter (where told) as outstanding, sum(cancelled) filter (where told) as cancelled
      from owed group by mda, currency
    )
    select counted.*, round(values_at[1]::numeric, 3)::float8 as "secondsP50",
      round(values_at[2]::numeric, 3)::float8 as "secondsP90", round(values_at[3]::numeric, 3)::float8 as "secondsP99"
    from counted left join timed using (mda, currency) order by mda, currency`,
    // A year is not read as a month is.
    'each time',
  );
}
