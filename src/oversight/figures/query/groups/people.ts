import { type Sql, joined, raw, sql } from '../../../../platform/database/sql.ts';
import { formatDay } from '../../../../kernel/time.ts';
import type { MaterializedView } from '../../../../platform/analytics/fact.ts';
import { type Parting, suppressSmallCells } from '../../../common/suppression.ts';
import type { DimensionName } from '../dimensions.ts';
import { type Question, dimensionsIn, keysOf, sidesOf } from '../question.ts';
import { withinSlice } from '../slice.ts';

/** Figures about people are disclosed by whole months (UTC), and by nothing finer. */
export const MONTHS: readonly DimensionName[] = ['fiscal_year', 'quarter', 'month'];
/** Dimensions that agencies are parts of. */
export const AGENCIES: readonly DimensionName[] = ['agency', 'country', 'region', 'district'];
/** Dimensions that services are parts of. */
export const SERVICES: readonly DimensionName[] = ['service', 'sector', 'family'];

/** Facts about people, each of a `person` and with the `month` that it is of. */
interface PeopleFacts {
  /** A table of the copy, which of its facts count, and how they are parted. */
  readonly facts: { readonly table: Sql; readonly where?: Sql; readonly parting: Parting } | MaterializedView;
  /** True if there are measures of one `status` each, of which one may be disclosed and another not. */
  readonly byStatus?: boolean;
  /** Columns that are others in groups than in parts: null where parts have an empty text, or not `disclosed` after all. */
  readonly replaced?: readonly Sql[];
  /** Depth of the parts that have to be disclosed for a dimension; 1 by default. */
  readonly depths: Readonly<Partial<Record<DimensionName, number>>>;
}

/** True for a month that the days touch. */
export function monthsOf({ from, to }: Pick<Question, 'from' | 'to'>): Sql {
  return sql`month between date_trunc('month', ${formatDay(from)}::date)::date and ${formatDay(to)}::date`;
}

/**
 * Measures of facts about people `f`, in groups, over those that may be disclosed (`f.disclosed`). A group has the
 * column `disclosed`, false where none may; and `few`, true where there are some of a status and none of those may.
 */
export function selectPeople(
  { facts, byStatus = false, replaced = [], depths }: PeopleFacts,
  question: Question,
  measures: readonly Sql[],
): Sql {
  const depth = Math.max(1, ...dimensionsIn(question).map((name) => depths[name] ?? 1));
  const disclosed =
    'select' in facts
      ? sql`facts_disclosed as (select * replace (disclosed >= ${depth} as disclosed), month as on_day from ${raw(facts.name)} where ${monthsOf(question)})`
      : suppressSmallCells(
          facts.parting,
          depth,
          sql`select *, month as on_day from ${facts.table} where ${monthsOf(question)} and ${facts.where ?? sql`true`}`,
        );
  const from =
    replaced.length > 0 ? sql`(select * replace (${joined(replaced)}) from facts_disclosed)` : sql`facts_disclosed`;
  const few = byStatus
    ? sql`count(distinct f.status) > count(distinct f.status) filter (where f.disclosed)`
    : sql`false`;
  const names = question.by.map((_name, index) => raw(`k${index}`));
  return sql`
    with ${disclosed}
    select ${joined([...keysOf(question.by), ...measures, sql`bool_or(f.disclosed) as disclosed`, sql`${few} as few`])}
    from ${from} f ${sidesOf(question)} where ${withinSlice(question.slice)}
    ${names.length > 0 ? sql`group by ${joined(names)}` : sql`having count(*) > 0`}`;
}

/** True if a question tells services apart, so that a document counts once for each. */
export function isByService(question: Question): boolean {
  return SERVICES.some((name) => dimensionsIn(question).includes(name));
}

/** A measure of what has a status: zero where nothing has it, null where something has and may not be disclosed. */
export function ofStatus(status: string, measure: Sql): Sql {
  return sql`case when bool_or(f.disclosed and f.status = ${status}) then ${measure} filter (where f.disclosed and f.status = ${status})
    when bool_or(f.disclosed) and not bool_or(f.status = ${status}) then 0 end`;
}
