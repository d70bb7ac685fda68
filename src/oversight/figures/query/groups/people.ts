import { type Sql, empty, joined, raw, sql } from '../../../../platform/database/sql.ts';
import { formatDay } from '../../../../kernel/time.ts';
import type { MaterializedView } from '../../../../platform/analytics/fact.ts';
import { type Parting, suppressSmallCells } from '../../../common/suppression.ts';
import type { DimensionName } from '../dimensions.ts';
import type { Days } from '../span.ts';
import { type Reading, dimensionsIn, inSpans, keysOf, namesOf, sidesOf } from '../question.ts';
import { type Slice, withinSlice } from '../slice.ts';

/** Figures about people are disclosed by whole months (UTC), and by nothing finer. */
export const MONTHS: readonly DimensionName[] = ['fiscal_year', 'quarter', 'month'];
/** Dimensions that agencies are parts of. */
export const AGENCIES: readonly DimensionName[] = ['agency', 'country', 'region', 'district'];
/** Dimensions that services are parts of. */
export const SERVICES: readonly DimensionName[] = ['service', 'sector', 'family'];

/** Periods of days. */
export const PERIODS: readonly DimensionName[] = ['year', 'fiscal_year', 'quarter', 'month', 'week', 'day', 'weekday'];

/** Facts about people, each of a `person` and with the `month` that it is of. */
interface PeopleFacts {
  /** A table of the copy, which of its facts count, and how they are parted. */
  readonly facts: { readonly table: Sql; readonly where?: Sql; readonly parting: Parting } | MaterializedView;
  /** Measures of one `status` each, of which one may be disclosed and another not. */
  readonly byStatus?: readonly string[];
  /** Columns that are others in groups than in parts: null where parts have an empty text, or not `disclosed` after all. */
  readonly replaced?: readonly Sql[];
  /** Depth of the parts that have to be disclosed for a dimension; 1 by default. */
  readonly depths: Readonly<Partial<Record<DimensionName, number>>>;
  /** Depth of those that have to be disclosed for any measure; 1 by default. */
  readonly least?: number;
}

/** True for a month that the days touch. */
export function monthsOf({ from, to }: Days): Sql {
  return sql`month between date_trunc('month', ${formatDay(from)}::date)::date and ${formatDay(to)}::date`;
}

/**
 * Measures of facts about people `f`, in groups, over those that may be disclosed (`f.disclosed`). A group has the
 * column `disclosed`, false where none may; and `few`, true where there are some of a status and none of those may.
 */
export function selectPeople(
  { facts, byStatus = [], replaced = [], depths, least = 1 }: PeopleFacts,
  reading: Reading,
  measures: readonly Sql[],
): Sql {
  const depth = Math.max(least, ...dimensionsIn(reading).map((name) => depths[name] ?? 1));
  const months = joined(reading.spans.map(monthsOf), ' or ');
  // Of several spans it would be read for each.
  const once = reading.spans.length > 1 ? raw('materialized') : empty;
  const disclosed =
    'select' in facts
      ? sql`facts_disclosed as ${once} (select * replace (disclosed >= ${depth} as disclosed) from ${raw(facts.name)} where ${months})`
      : suppressSmallCells(
          facts.parting,
          depth,
          sql`select * from ${facts.table} where (${months}) and ${facts.where ?? sql`true`} and ${
            facts.parting.tree[0] === 'mda' ? isOfAgencies(reading.slice) : sql`true`
          }`,
        );
  const replacing = replaced.length > 0 ? sql`replace (${joined(replaced)})` : empty;
  const from = inSpans(
    reading,
    (days, span) => sql`select ${span}, * ${replacing}, month as on_day from facts_disclosed where ${monthsOf(days)}`,
  );
  const few = byStatus.length > 0 ? raw(byStatus.map((name) => `${name} is null`).join(' or ')) : sql`false`;
  return sql`
    with ${disclosed}
    select ${joined([...keysOf(reading.by), ...measures, sql`bool_or(f.disclosed) as disclosed`, sql`${few} as few`])}
    from (${from}) f ${sidesOf(reading)} where ${withinSlice(reading.slice)}
    group by ${namesOf(reading.by)}`;
}

/** True for the agencies that a slice names: where agencies are the outermost parts, each is disclosed regardless of others. */
function isOfAgencies({ agency, within }: Slice): Sql {
  const own = agency ? sql`mda = any(${[...agency]}::text[])` : sql`true`;
  return within ? sql`${own} and ${isOfAgencies(within)}` : own;
}

/** True if a question tells services apart, so that a document counts once for each. */
export function isByService(reading: Reading): boolean {
  return SERVICES.some((name) => dimensionsIn(reading).includes(name));
}

/** A measure of what has a status: zero where nothing has it, null where something has and may not be disclosed. */
export function ofStatus(status: string, measure: Sql): Sql {
  return ofWhich(raw(`f.status = '${status}'`), measure);
}

/** The same of what meets a condition. */
export function ofWhich(has: Sql, measure: Sql): Sql {
  return sql`coalesce(${measure} filter (where f.disclosed and ${has}), case when bool_or(f.disclosed) and not coalesce(bool_or(${has}), false) then 0 end)`;
}
