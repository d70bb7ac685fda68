import type { Call } from '../../platform/call/call.ts';
import { type Sql, joined, raw, sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readPlaces } from '../../platform/reading/places.ts';
import type { Decimal } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import type { Span } from '../figures/span.ts';
import { USUAL_GROUPS } from '../root/groups.ts';
import { GROUPINGS, type Grouping, sortKey, writeKey } from './dimensions.ts';
import { periodsOf } from './periods.ts';
import { divide } from './quotient.ts';
import { type Dimensions, type RevenueFilter, checkIntegrators, groupRevenue } from './revenue.ts';

/** Net revenue of a period beside that of another, usually the one before, and of the same a year ago. */
export interface Comparison extends Dimensions {
  readonly currency: string;
  readonly serviceCode: string | null;
  readonly serviceName: string | null;
  readonly current: Decimal;
  readonly before: Decimal;
  readonly yearAgo: Decimal;
  /** The change as a part of what was; null where that was nothing. */
  readonly changeOnBefore: number | null;
  readonly changeOnYearAgo: number | null;
}

export type ComparisonOrder = 'key' | 'current' | 'growth' | 'decline' | 'gain' | 'loss';

export interface ComparisonQuestion extends RevenueFilter {
  readonly groupBy: readonly Grouping[];
  readonly compareWith?: { readonly fromDate: Date; readonly toDate: Date } | null | undefined;
  readonly orderBy: ComparisonOrder;
}

/** Of these a period has its own, which no other period has. */
const PERIODS: readonly Grouping[] = ['fiscal_year', 'quarter', 'month', 'week', 'day'];

const ORDER: Readonly<Record<ComparisonOrder, readonly Sql[]>> = {
  key: [],
  current: [sql`c.current desc`],
  growth: [sql`"changeOnBefore" desc nulls last`],
  decline: [sql`"changeOnBefore" asc nulls last`],
  gain: [sql`c.current - c.before desc`],
  loss: [sql`c.current - c.before asc`],
};

/**
 * Compares a period with another, by default the one before it, and with the same a year ago: by currency, and by what
 * else is asked for. All in one statement, and so of one moment.
 */
export async function compareRevenue(
  call: Call,
  { groupBy, compareWith, orderBy, ...filter }: ComparisonQuestion,
  page: PageArgs,
): Promise<Page<Comparison>> {
  checkIntegrators(call, groupBy);
  const period = groupBy.find((grouping) => PERIODS.includes(grouping));
  if (period) throw refuseValue('groupBy', `must not have ${period}: no two periods have it in common`);
  if (compareWith && compareWith.toDate < compareWith.fromDate)
    throw refuseValue('compareWith', 'must not end before it begins');
  const { asked, before, yearAgo } = await periodsOf(call, filter);
  const spans: readonly Span[] = [asked, compareWith ?? before, yearAgo];
  const others = GROUPINGS.filter((grouping) => grouping !== 'currency' && groupBy.includes(grouping));
  const keys: readonly Grouping[] = ['currency', ...others];
  const columnOf = (grouping: Grouping) => sql`c.${raw(grouping)}`;
  const named = joined(keys.map((grouping) => raw(grouping)));
  const periods = spans.map(
    (span, index) => sql`
      select ${raw(String(index))} as period, g.* from (${groupRevenue(keys, { ...filter, ...span })}) g`,
  );
  const net = (index: number) =>
    sql`sum(case when period = ${raw(String(index))} then collected - reversed else 0 end)`;
  const changeOn = (was: Sql) => divide(sql`(c.current - ${was})`, sql`abs(${was})`);
  return readPlaces<Comparison>(
    call.analytics,
    sql`
    with compared as (
      select ${named}, ${net(0)} as current, ${net(1)} as before, ${net(2)} as year_ago
      from (${joined(periods, ' union all ')}) p group by ${named}
    )
    select ${joined(keys.map((grouping) => sql`${writeKey(grouping, columnOf(grouping))} as ${raw(grouping)}`))},
      c.current, c.before, c.year_ago as "yearAgo", ${changeOn(sql`c.before`)} as "changeOnBefore",
      ${changeOn(sql`c.year_ago`)} as "changeOnYearAgo",
      ${groupBy.includes('service') ? SERVICE : sql`null as "serviceCode", null as "serviceName"`}
    from compared c
    ${groupBy.includes('service') ? sql`left join service v on v.service = c.service` : sql``}
    order by ${joined([...ORDER[orderBy], ...keys.map((grouping) => sortKey(grouping, columnOf(grouping)))])}`,
    page,
    USUAL_GROUPS,
  );
}

const SERVICE = sql`v.code as "serviceCode", v.service_name as "serviceName"`;
