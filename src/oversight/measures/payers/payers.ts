import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../../platform/reading/page.ts';
import { readPlaces } from '../../../platform/reading/places.ts';
import { FEWEST_PEOPLE } from '../../figures/small-cells.ts';
import type { Span } from '../../figures/span.ts';
import { USUAL_GROUPS, monthWithin } from '../../root/groups.ts';

export type PayersOrder = 'key' | 'payers' | 'firstTimePayers';

/** How many people paid an agency in a month; null where they, or those who had paid it before, would be few. */
export interface PayerFigures {
  readonly agency: string;
  readonly month: string;
  readonly payers: number | null;
  readonly firstTimePayers: number | null;
}

const ORDERS: Readonly<Record<PayersOrder, Sql>> = {
  key: sql`agency, month`,
  payers: sql`payers desc nulls last, agency, month`,
  firstTimePayers: sql`"firstTimePayers" desc nulls last, agency, month`,
};

/**
 * How many different people paid, by agency and whole month. They are never counted over agencies or months: from how
 * many they would be together, it would follow how few of one are not of another.
 */
export function readPayers(
  call: Call,
  span: Span,
  { agency = null, orderBy }: { readonly agency?: readonly string[] | null | undefined; readonly orderBy: PayersOrder },
  page: PageArgs,
): Promise<Page<PayerFigures>> {
  const asked = sql`${monthWithin(call, span, sql`month`)} and (${agency}::text[] is null or mda = any(${agency}::text[]))`;
  return readPlaces(
    call.analytics,
    sql`
    with counted as (
      select mda, month, count(distinct person)::int as people from payer where ${asked} group by mda, month
    ), newcomers as (
      select mda, month, count(*)::int as first
      from (select mda, min(month) as month from payer group by mda, person) each group by mda, month
    )
    select mda as agency, strftime(month, '%Y-%m') as month,
      case when people >= ${FEWEST_PEOPLE} then people end as payers,
      case when people >= ${FEWEST_PEOPLE} and (first = 0 or first >= ${FEWEST_PEOPLE})
        and (first = people or people - first >= ${FEWEST_PEOPLE}) then first end as "firstTimePayers"
    from (select mda, month, people, coalesce(first, 0) as first from counted left join newcomers using (mda, month)) c
    order by ${ORDERS[orderBy]}`,
    page,
    USUAL_GROUPS,
  );
}
