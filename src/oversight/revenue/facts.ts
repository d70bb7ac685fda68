import { type Sql, empty, joined, sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Grouping, areInNeedOf } from './dimensions.ts';
import type { RevenueFilter } from './revenue.ts';

/** The parts of payments, with the days and hours of the clock that is asked for. */
export function selectParts({ timeZone }: Pick<RevenueFilter, 'timeZone'>): Sql {
  return timeZone === 'country'
    ? sql`(select * replace (local_day as day, local_hour as hour) from payment)`
    : sql`payment`;
}

/** Parts `f` of payments that a question is about, with their agency `a` and service `s` where it asks for them. */
export function fromParts(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const { country, region, district, sector, family } = filter;
  const ofAgency = areInNeedOf('agency', groupings) || [country, region, district].some(Boolean);
  const ofService = areInNeedOf('service', groupings) || [sector, family].some(Boolean);
  const conditions = [
    filter.fromDate && sql`f.day >= ${formatDay(filter.fromDate)}::date`,
    filter.toDate && sql`f.day <= ${formatDay(filter.toDate)}::date`,
    isAnyOf(sql`f.mda`, filter.mda),
    isAnyOf(sql`f.service`, filter.service),
    isAnyOf(sql`f.channel`, filter.channel),
    isAnyOf(sql`f.station`, filter.station),
    isAnyOf(sql`f.counter`, filter.counter),
    isAnyOf(sql`f.integrator`, filter.integrator),
    isAnyOf(sql`a.country`, country),
    isAnyOf(sql`a.region`, region),
    isAnyOf(sql`a.district`, district),
    isAnyOf(sql`s.sector`, sector),
    isAnyOf(sql`s.family`, family),
    filter.currency && sql`f.currency = ${filter.currency}`,
  ].filter((condition) => condition != null && condition !== '');
  return sql`
    from ${selectParts(filter)} f
    ${ofAgency ? sql`join agency a on a.mda = f.mda` : empty}
    ${ofService ? sql`left join service s on s.service = f.service` : empty}
    ${conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty}`;
}

function isAnyOf(column: Sql, values: readonly string[] | null | undefined): Sql | null {
  return values ? sql`${column} = any(${values}::text[])` : null;
}

/**
 * That a part is counted: an event counts once, or once for each service that it pays where services are told apart.
 */
export function countsOnce(groupings: readonly Grouping[], { service, sector, family }: RevenueFilter): Sql {
  const byService = groupings.some((grouping) => grouping === 'service' || areInNeedOf('service', [grouping]));
  return byService || [service, sector, family].some(Boolean) ? sql`true` : sql`f.leads`;
}
