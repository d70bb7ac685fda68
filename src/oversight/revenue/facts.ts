import { type Sql, empty, joined, sql } from '../../platform/database/sql.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Grouping, areInNeedOf } from './dimensions.ts';
import type { RevenueFilter } from './revenue.ts';

/**
 * From the parts `f` of payments that a question is about, with their agency `a` and service `s` where it asks for them.
 * Their days and hours are those of the clock that it asks for.
 */
export function fromParts(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const { country, region, district, sector, family } = filter;
  const ofAgency = areInNeedOf('agency', groupings) || [country, region, district].some(Boolean);
  const ofService = areInNeedOf('service', groupings) || [sector, family].some(Boolean);
  const conditions = [
    sql`true`,
    ifGiven(filter.fromDate, (day) => sql`f.day >= ${formatDay(day)}::date`),
    ifGiven(filter.toDate, (day) => sql`f.day <= ${formatDay(day)}::date`),
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
    ifGiven(filter.currency, (currency) => sql`f.currency = ${currency}`),
  ].filter((condition) => condition !== null);
  const local = filter.timeZone === 'country';
  return sql`
    from ${local ? sql`(select * replace (local_day as day, local_hour as hour) from payment)` : sql`payment`} f
    ${ofAgency ? sql`join agency a on a.mda = f.mda` : empty}
    ${ofService ? sql`left join service s on s.service = f.service` : empty}
    where ${joined(conditions, ' and ')}`;
}

function isAnyOf(column: Sql, values: readonly string[] | null | undefined): Sql | null {
  return ifGiven(values, (some) => sql`${column} = any(${some}::text[])`);
}

/**
 * That a part is counted: an event counts once, or once for each service that it pays where services are told apart.
 */
export function countsOnce(groupings: readonly Grouping[], { service, sector, family }: RevenueFilter): Sql {
  const byService = groupings.some((grouping) => grouping === 'service' || areInNeedOf('service', [grouping]));
  return byService || [service, sector, family].some(Boolean) ? sql`true` : sql`f.leads`;
}
