import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Days, type RoundedSpan, roundToMonths } from '../figures/span.ts';
import { type Grouping, areInNeedOf } from './dimensions.ts';
import type { RevenueFilter } from './revenue.ts';
import { ROLLUPS, type Column, type Rollup, isByService } from './rollups.ts';

/** What facts have columns of. */
const COLUMNS = ['hour', 'mda', 'service', 'channel', 'station', 'counter', 'integrator'] as const satisfies Column[];

/** Their types, for those that a question is not about. */
const TYPES: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  hour: 'int',
  mda: 'text',
  service: 'text',
  channel: 'channel',
  station: 'text',
  counter: 'text',
  integrator: 'text',
};

/** What a question is about. */
interface Asked {
  readonly columns: ReadonlySet<Column>;
  /** What of their days is asked for, beside which of them it is about. */
  readonly period: 'day' | 'month' | null;
}

/** What a question is answered from. */
export interface Source {
  /** The sums of the whole span or of its whole months; null: the parts of events themselves. */
  readonly sums: Rollup | null;
  /** The sums of the days that the months of its span have too few or too many; null: the parts of events. */
  readonly edges: Rollup | null;
}

/** The coarsest source that answers a question; what no sums are kept of is added up from the parts of events. */
export function sourceOf(groupings: readonly Grouping[], filter: RevenueFilter): Source {
  const { columns, period } = askedOf(groupings, filter);
  const byService = columns.has('service');
  const answering = ROLLUPS.filter(
    (rollup: Rollup) =>
      isByService(rollup) === byService && [...columns].every((column) => rollup.columns.includes(column)),
  );
  const edges = answering.find((rollup) => rollup.period === 'day') ?? null;
  const months = period === 'day' ? undefined : answering.find((rollup) => rollup.period === 'month');
  return { sums: months ?? edges, edges };
}

function askedOf(groupings: readonly Grouping[], filter: RevenueFilter): Asked {
  const { mda, country, region, district, service, sector, family } = filter;
  const about: Readonly<Record<Column, boolean>> = {
    mda: areInNeedOf('agencies', groupings) || [mda, country, region, district].some(Boolean),
    service: areInNeedOf('services', groupings) || [service, sector, family].some(Boolean),
    channel: Boolean(filter.channel),
    station: Boolean(filter.station),
    counter: Boolean(filter.counter),
    integrator: Boolean(filter.integrator),
    hour: false,
  };
  const named: readonly string[] = groupings;
  return {
    columns: new Set(COLUMNS.filter((column) => about[column] || named.includes(column))),
    period: areInNeedOf('days', groupings) ? 'day' : areInNeedOf('months', groupings) ? 'month' : null,
  };
}

/**
 * The facts that answer the question, and what is not yet part of them. Their days are those of the time zone that is
 * asked for, or the first of their months where no days are asked for. Days that do not belong to the span are taken off
 * the sums of their month as facts below zero: what is there at all has events once its facts are added up.
 */
export function selectFacts(groupings: readonly Grouping[], filter: RevenueFilter): Sql {
  const { sums, edges } = sourceOf(groupings, filter);
  const asked = askedOf(groupings, filter);
  const span: Days = { from: filter.fromDate ?? null, to: filter.toDate ?? null };
  const select = (rollup: Rollup | null, days: Days) => {
    const within = { ...filter, fromDate: days.from, toDate: days.to };
    return rollup ? selectSums(rollup, asked, within) : selectParts(sql`oversight.revenue_part`, asked, within);
  };
  const { months, added, taken }: RoundedSpan =
    sums?.period === 'month' ? roundToMonths(span) : { months: span, added: [], taken: [] };
  return joined(
    [
      ...(months ? [select(sums, months)] : []),
      ...added.map((days) => select(edges, days)),
      ...taken.map((days) => takeOff(select(edges, days), sums)),
      selectTail(sums, asked, filter),
    ],
    ' union all ',
  );
}

/** Facts as what they are less. */
function takeOff(facts: Sql, sums: Rollup | null): Sql {
  return sql`
    select ${joined(['day', 'currency', ...COLUMNS].map((column) => raw(`t.${column}`)))}, -t.collected, -t.reversed,
      -t.payments, -t.reversals ${sums && isByService(sums) ? sql`, -t.sold, -t.returned` : empty}
    from (${facts}) t`;
}

/** Sums of a span: what nothing is grouped by is added up before sums and tail are put together, so that less is handed on. */
function selectSums(rollup: Rollup, asked: Asked, filter: RevenueFilter): Sql {
  const local = filter.timeZone === 'country';
  const day = local ? sql`f.local_day` : sql`f.day`;
  const { fromDate: from, toDate: to } = filter;
  // Sums are found by their UTC day, which a day of a country touches or has beside it; by month, its month.
  const nearby = [
    local && from
      ? sql`f.day >= (${formatDay(from)}::date - ${rollup.period === 'day' ? '1 day' : '1 month'}::interval)::date`
      : null,
    local && to ? sql`f.day <= ${formatDay(to)}::date + 1` : null,
  ];
  // Empty where there is none.
  const value = (column: Column) =>
    column === 'hour'
      ? sql`${local ? sql`f.local_hour` : sql`f.hour`}::int`
      : column === 'counter' || column === 'integrator'
        ? sql`nullif(f.${raw(column)}, '')`
        : sql`f.${raw(column)}`;
  return sql`
    select ${columnsOf(asked, day, value)}, sum(f.collected) as collected, sum(f.reversed) as reversed,
      sum(f.payments) as payments, sum(f.reversals) as reversals
      ${isByService(rollup) ? sql`, sum(f.sold) as sold, sum(f.returned) as returned` : empty}
    from oversight.${raw(rollup.table)} f ${whereOf([...nearby, ...conditionsOf(day, filter)])}
    group by ${joined(['day', 'currency', ...COLUMNS].map((_column, index) => raw(String(index + 1))))}`;
}

/** What is not yet part of any sums. Where it was taken is known of parts alone. */
function selectTail(sums: Rollup | null, asked: Asked, filter: RevenueFilter): Sql {
  if ([...asked.columns].some((column) => column !== 'mda' && column !== 'channel'))
    return selectParts(sql`oversight.part_tail`, asked, filter, sums !== null && isByService(sums));
  const day = filter.timeZone === 'country' ? sql`f.local_day` : sql`f.day`;
  return sql`
    select ${columnsOf(asked, day, (column) => sql`f.${raw(column)}`)}, ${amounts}, ${countsOf(sql`true`)}
    from oversight.tail f ${whereOf(conditionsOf(day, filter))}`;
}

/** Parts of events, one by one. */
function selectParts(table: Sql, asked: Asked, filter: RevenueFilter, withPieces = false): Sql {
  const at = filter.timeZone === 'country' ? sql`f.local_at` : sql`(f.occurred_at at time zone 'utc')`;
  const { fromDate: from, toDate: to } = filter;
  const where = whereOf([
    // Parts are found by their moment, which lies on the UTC day or on one beside it.
    from ? sql`f.occurred_at >= (${formatDay(from)}::date - 1)::timestamp at time zone 'utc'` : null,
    to ? sql`f.occurred_at < (${formatDay(to)}::date + 2)::timestamp at time zone 'utc'` : null,
    ...conditionsOf(sql`${at}::date`, filter),
  ]);
  const value = (column: Column) => (column === 'hour' ? sql`extract(hour from ${at})::int` : sql`f.${raw(column)}`);
  return sql`
    select ${columnsOf(asked, sql`${at}::date`, value)}, ${amounts},
      ${countsOf(asked.columns.has('service') ? sql`true` : sql`f.leads`)} ${withPieces ? sql`, ${pieces}` : empty}
    from ${table} f ${where}`;
}

/** The columns of facts: null what the question is not about. */
function columnsOf({ columns, period }: Asked, day: Sql, value: (column: Column) => Sql): Sql {
  const ofDay =
    period === 'day' ? day : period === 'month' ? sql`date_trunc('month', ${day}::timestamp)::date` : sql`null::date`;
  return joined([
    sql`${ofDay} as day`,
    sql`f.currency`,
    ...COLUMNS.map((column) =>
      columns.has(column)
        ? sql`${value(column)} as ${raw(column)}`
        : sql`null::${raw(TYPES[column])} as ${raw(column)}`,
    ),
  ]);
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
    filter.station ? sql`f.station = any(${filter.station})` : null,
    filter.counter ? sql`f.counter = any(${filter.counter})` : null,
    filter.integrator ? sql`f.integrator = any(${filter.integrator})` : null,
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
