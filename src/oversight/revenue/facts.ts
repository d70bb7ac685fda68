import { type Sql, empty, joined, sql } from '../../platform/database/sql.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';
import type { Grouping, RevenueFilter } from './revenue.ts';

const BY_SERVICE: readonly Grouping[] = ['sector', 'family', 'service'];

/** Whether sums by month would be too coarse. */
export function isDaily(groupings: readonly Grouping[], filter: RevenueFilter): boolean {
  const { fromDate: from = null, toDate: to = null } = filter;
  return groupings.includes('day') || groupings.includes('week') || !beginsMonth(from) || !endsMonth(to);
}

/** The coarsest sums that answer the question, and what is not yet part of them. */
export function selectFacts(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const { fromDate: from = null, toDate: to = null } = filter;
  const service =
    BY_SERVICE.some((grouping) => groupings.includes(grouping)) ||
    [filter.sector, filter.family, filter.service].some(Boolean);
  const daily = isDaily(groupings, filter);
  const conditions = [
    from && sql`f.day >= ${formatDay(from)}::date`,
    to && sql`f.day <= ${formatDay(to)}::date`,
    filter.mda ? sql`f.mda = any(${filter.mda})` : null,
    filter.service ? sql`f.service = any(${filter.service})` : null,
    filter.channel ? sql`f.channel::text = any(${filter.channel})` : null,
    filter.currency ? sql`f.currency = ${filter.currency}` : null,
  ].filter((condition) => condition !== null);
  const where = conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty;
  const columns = (day: Sql) =>
    service
      ? sql`${day} as day, f.mda, f.service, f.channel, f.currency`
      : sql`${day} as day, f.mda, ''::text as service, f.channel, f.currency`;
  const recent = daily ? sql`f.day` : sql`date_trunc('month', f.day::timestamp)::date`;
  const table = service
    ? daily
      ? sql`oversight.service_revenue_daily`
      : sql`oversight.service_revenue_monthly`
    : daily
      ? sql`oversight.revenue_daily`
      : sql`oversight.revenue_monthly`;
  const tail = service ? sql`oversight.service_tail` : sql`oversight.tail`;
  return sql`
    select ${columns(sql`f.day`)}, f.collected, f.reversed, f.payments, f.reversals from ${table} f ${where}
    union all
    select ${columns(recent)}, case when f.kind = 'payment' then f.amount else 0 end,
      case when f.kind = 'reversal' then -f.amount else 0 end,
      (f.kind = 'payment')::int, (f.kind = 'reversal')::int from ${tail} f ${where}`;
}

/** What else a row has to be laid beside. */
export function joinSides(groupings: readonly Grouping[], { country, sector, family }: RevenueFilter): Sql {
  const agency =
    groupings.includes('country') || country
      ? sql`join oversight.agency a on a.mda = f.mda ${country ? sql`and a.country = any(${country})` : empty}`
      : empty;
  const conditions = [
    sector ? sql`s.sector = any(${sector})` : null,
    family ? sql`s.family = any(${family})` : null,
  ].filter((condition) => condition !== null);
  const needed = groupings.includes('sector') || groupings.includes('family') || conditions.length > 0;
  if (!needed) return agency;
  const service =
    conditions.length > 0
      ? sql`join oversight.service s on s.service = f.service and ${joined(conditions, ' and ')}`
      : sql`left join oversight.service s on s.service = f.service`;
  return sql`${agency} ${service}`;
}

function beginsMonth(day: Date | null): boolean {
  return day === null || day.getUTCDate() === 1;
}

function endsMonth(day: Date | null): boolean {
  return day === null || new Date(day.getTime() + DAY_MS).getUTCDate() === 1;
}
