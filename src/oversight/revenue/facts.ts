import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Days, splitByMonths } from '../figures/span.ts';
import { type Grouping, areInNeedOf } from './dimensions.ts';
import type { RevenueFilter } from './revenue.ts';

/** What a question is answered from. */
export interface Source {
  /** The parts of events themselves, for what no sums are kept of. */
  readonly parts: boolean;
  /** Sums by service, or each part by itself. */
  readonly services: boolean;
  /** Sums by day alone; else by month, and by day before and after whole months. */
  readonly daily: boolean;
}

/** The coarsest source that answers a question. */
export function sourceOf(groupings: readonly Grouping[], filter: RevenueFilter): Source {
  const parts = areInNeedOf('parts', groupings) || [filter.station, filter.counter, filter.integrator].some(Boolean);
  return {
    parts,
    services: areInNeedOf('services', groupings) || [filter.sector, filter.family, filter.service].some(Boolean),
    daily: parts || areInNeedOf('days', groupings),
  };
}

/**
 * The facts that answer the question, and what is not yet part of them. Their days are those of the time zone that is
 * asked for.
 */
export function selectFacts(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const source = sourceOf(groupings, filter);
  return source.parts ? selectParts(source, filter) : selectSums(source, groupings, filter);
}

function selectSums({ services, daily }: Source, groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const local = filter.timeZone === 'country';
  const day = local ? sql`f.local_day` : sql`f.day`;
  const span: Days = { from: filter.fromDate ?? null, to: filter.toDate ?? null };
  // What nothing is grouped by is added up before sums and tail are put together: much less is handed on.
  const columns = sql`
    ${daily ? day : areInNeedOf('months', groupings) ? sql`date_trunc('month', ${day}::timestamp)::date` : sql`null::date`} as day,
    f.mda, ${services ? sql`f.service` : sql`null::text`} as service,
    ${groupings.includes('channel') ? sql`f.channel` : sql`null::channel`} as channel, f.currency`;
  const sums = (by: 'daily' | 'monthly', { from, to }: Days) => {
    // Sums are found by their UTC day, which a day of a country touches or has beside it; by month, its month.
    const nearby = [
      local && from
        ? sql`f.day >= (${formatDay(from)}::date - ${by === 'daily' ? '1 day' : '1 month'}::interval)::date`
        : null,
      local && to ? sql`f.day <= ${formatDay(to)}::date + 1` : null,
    ];
    return sql`
      select ${columns}, sum(f.collected) as collected, sum(f.reversed) as reversed, sum(f.payments) as payments,
        sum(f.reversals) as reversals ${services ? sql`, sum(f.sold) as sold, sum(f.returned) as returned` : empty}
      from oversight.${raw(`${services ? 'service_' : ''}revenue_${by}`)} f
      ${whereOf([...nearby, ...conditionsOf(day, { ...filter, fromDate: from, toDate: to })])}
      group by 1, 2, 3, 4, 5`;
  };
  const { months, edges } = daily ? { months: null, edges: [span] } : splitByMonths(span);
  const tail = sql`
    select ${columns}, ${amounts}, ${countsOf(sql`true`)} ${services ? sql`, ${pieces}` : empty}
    from ${services ? sql`oversight.part_tail` : sql`oversight.tail`} f ${whereOf(conditionsOf(day, filter))}`;
  return joined(
    [...(months ? [sums('monthly', months)] : []), ...edges.map((edge) => sums('daily', edge)), tail],
    ' union all ',
  );
}

function selectParts({ services }: Source, filter: RevenueFilter): Sql {
  const at = filter.timeZone === 'country' ? sql`f.local_at` : sql`(f.occurred_at at time zone 'utc')`;
  const { fromDate: from, toDate: to } = filter;
  const where = whereOf([
    // Parts are found by their moment, which lies on the UTC day or on one beside it.
    from ? sql`f.occurred_at >= (${formatDay(from)}::date - 1)::timestamp at time zone 'utc'` : null,
    to ? sql`f.occurred_at < (${formatDay(to)}::date + 2)::timestamp at time zone 'utc'` : null,
    ...conditionsOf(sql`${at}::date`, filter),
    filter.station ? sql`f.station = any(${filter.station})` : null,
    filter.counter ? sql`f.counter = any(${filter.counter})` : null,
    filter.integrator ? sql`f.integrator = any(${filter.integrator})` : null,
  ]);
  const select = (table: Sql) => sql`
    select ${at}::date as day, extract(hour from ${at})::int as hour, f.mda, f.service, f.channel, f.currency, f.station,
      f.counter, f.integrator, ${amounts}, ${countsOf(services ? sql`true` : sql`f.leads`)} from ${table} f ${where}`;
  return sql`${select(sql`oversight.revenue_part`)} union all ${select(sql`oversight.part_tail`)}`;
}

const amounts = sql`
  case when f.kind = 'payment' then f.amount else 0 end as collected,
  case when f.kind = 'reversal' then -f.amount else 0 end as reversed`;

const pieces = sql`
  case when f.kind = 'payment' then f.quantity else 0 end as sold,
  case when f.kind = 'reversal' then f.quantity else 0 end as returned`;

const countsOf = (counted: Sql) => sql`
  (f.kind = 'payment' and ${counted})::int as payments, (f.kind = 'reversal' and ${counted})::int as reversals`;

function conditionsOf(day: Sql, filter: RevenueFilter): readonly (Sql | null)[] {
  const { fromDate: from, toDate: to } = filter;
  return [
    from ? sql`${day} >= ${formatDay(from)}::date` : null,
    to ? sql`${day} <= ${formatDay(to)}::date` : null,
    filter.mda ? sql`f.mda = any(${filter.mda})` : null,
    filter.service ? sql`f.service = any(${filter.service})` : null,
    filter.channel ? sql`f.channel::text = any(${filter.channel})` : null,
    filter.currency ? sql`f.currency = ${filter.currency}` : null,
  ];
}

function whereOf(conditions: readonly (Sql | null)[]): Sql {
  const given = conditions.filter((condition) => condition !== null);
  return given.length > 0 ? sql`where ${joined(given, ' and ')}` : empty;
}

/** What else a row has to be laid beside. */
export function joinSides(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const ofAgency = [
    filter.country ? sql`a.country = any(${filter.country})` : null,
    filter.region ? sql`a.region = any(${filter.region})` : null,
    filter.district ? sql`a.district = any(${filter.district})` : null,
  ].filter((condition) => condition !== null);
  const agency =
    areInNeedOf('agencies', groupings) || ofAgency.length > 0
      ? sql`join oversight.agency a on ${joined([sql`a.mda = f.mda`, ...ofAgency], ' and ')}`
      : empty;
  const ofService = [
    filter.sector ? sql`s.sector = any(${filter.sector})` : null,
    filter.family ? sql`s.family = any(${filter.family})` : null,
  ].filter((condition) => condition !== null);
  if (ofService.length > 0)
    return sql`${agency} join oversight.service s on ${joined([sql`s.service = f.service`, ...ofService], ' and ')}`;
  return groupings.includes('sector') || groupings.includes('family')
    ? sql`${agency} left join oversight.service s on s.service = f.service`
    : agency;
}
