import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { Page, PageArgs } from '../../platform/reading/page.ts';
import { readPlaces } from '../../platform/reading/places.ts';
import { formatDay } from '../../kernel/time.ts';
import { type Span, closeSpan } from '../figures/span.ts';
import { type Parting, tellOfMany } from './few.ts';

/** What figures can be grouped and filtered by. */
export interface Dimension {
  /** Its value, from a fact `f`, its agency `a` and its service `s`. */
  readonly key: Sql;
  /** What a fact has to be laid beside for it. */
  readonly beside?: 'agency' | 'service';
  /** How its values are written, where that is not as they are: over the column of its name, once for each group. */
  readonly written?: Sql;
  /** What its values are ordered by, where that is not themselves: over the column of its name. */
  readonly order?: Sql;
}

/** The month of facts about people, which have its first day. */
export const MONTH: Dimension = { key: sql`f.month`, written: sql`strftime("month", '%Y-%m')`, order: sql`"month"` };

/** How figures are made of facts. */
export interface Figures<Group extends string, Order extends string> {
  readonly dimensions: Readonly<Record<Group, Dimension>>;
  /** The dimensions that no figures are added over. */
  readonly always: readonly Group[];
  /** What is answered of a group, as columns over its facts `f`. */
  readonly measures: Sql;
  /** What has to hold of a group for it to be there, where that is not that there are facts of it. */
  readonly present?: Sql;
  /** What comes before the order of the groups' values. */
  readonly orders: Readonly<Record<Order, Sql | null>>;
}

/** How figures about people are made of facts. */
export interface PeopleFigures<Group extends string, Order extends string> extends Figures<Group, Order>, Parting {
  /** How far down the parts have to be told of for dimensions; 1 where nothing is said. */
  readonly depths: Readonly<Partial<Record<Group, number>>>;
  /** The facts, with `person` and the columns of their parts. */
  readonly facts: Sql;
}

export interface GroupsQuestion<Group extends string, Order extends string> extends PageArgs {
  readonly groupBy: readonly Group[];
  /** Of each dimension, the values of which a fact has to have one. */
  readonly filter: Readonly<Partial<Record<Group, readonly string[] | null | undefined>>>;
  readonly orderBy: Order;
}

/** The most groups that one question answers. */
export const MOST_GROUPS = 10_000;

/** How many groups a page has that is asked for without a number: as a rule all that there are. */
export const USUAL_GROUPS = 1_000;

/** The first moment of the whole months (UTC) that a span touches, and the first after them. */
export function monthsOf(call: Pick<Call, 'now'>, span: Span): { readonly first: Date; readonly next: Date } {
  const { from, to } = closeSpan(call, span);
  return {
    first: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1)),
    next: new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 1)),
  };
}

/** That a column is one of these months. */
export function monthWithin(call: Pick<Call, 'now'>, span: Span, column: Sql): Sql {
  const { first, next } = monthsOf(call, span);
  return sql`${column} >= ${formatDay(first)}::date and ${column} < ${formatDay(next)}::date`;
}

/** The sum of a column over what may be told of; of what satisfies a condition, if there is one. */
export function sumTold(column: string, condition: Sql = sql`true`): Sql {
  return sql`sum(f.${raw(column)}) filter (where f.told and ${condition})`;
}

/** A measure that is zero, rather than unknown, where some may be told of and none of those is meant. */
export function countTold(measure: Sql): Sql {
  return sql`case when bool_or(f.told) then coalesce(${measure}, 0) end`;
}

/** A measure of what has a status: zero where nothing has it, null where something has and may not be told. */
export function ofStatus(status: string, measure: Sql): Sql {
  return sql`case when bool_or(f.told and f.status = ${status}) then ${measure} filter (where f.told and f.status = ${status})
    when bool_or(f.told) and not bool_or(f.status = ${status}) then 0 end`;
}

/**
 * The seconds within which such parts of what may be told of were paid, all found at once: to a thousandth, rounded from
 * the 15 digits that a number carries, so that halves are halves.
 */
export function secondsWithin(parts: readonly number[], condition: Sql = sql`true`): readonly Sql[] {
  const found = sql`quantile_cont(f.milliseconds / 1000, [${raw(parts.join(', '))}]) filter (where f.told and ${condition})`;
  return parts.map(
    (_part, index) => sql`printf('%.15g', (${found})[${raw(String(index + 1))}])::decimal(18, 3)::double`,
  );
}

/** A page of figures about people in groups; of each, null where none may be told of. */
export function readPeopleGroups<Group extends string, Order extends string, Row>(
  call: Call,
  figures: PeopleFigures<Group, Order>,
  question: GroupsQuestion<Group, Order>,
): Promise<Page<Row>> {
  const depth = Math.max(1, ...listAsked(figures, question).map((group) => figures.depths[group] ?? 1));
  const facts = tellOfMany(figures, depth, figures.facts);
  return readPlaces(call.analytics, groupFacts(figures, facts, sql`facts_told f`, question), question, USUAL_GROUPS);
}

/** The dimensions that a question is about, by grouping or by filtering. */
function listAsked<Group extends string, Order extends string>(
  { dimensions, always }: Figures<Group, Order>,
  { groupBy, filter }: GroupsQuestion<Group, Order>,
): Group[] {
  return (Object.keys(dimensions) as Group[]).filter(
    (group) => always.includes(group) || groupBy.includes(group) || filter[group] != null,
  );
}

function groupFacts<Group extends string, Order extends string>(
  figures: Figures<Group, Order>,
  before: Sql,
  facts: Sql,
  question: GroupsQuestion<Group, Order>,
): Sql {
  const { dimensions, always, orders, measures, present = sql`count(*) > 0` } = figures;
  const asked = listAsked(figures, question);
  const groups = asked.filter((group) => always.includes(group) || question.groupBy.includes(group));
  const sides = new Set(asked.map((group) => dimensions[group].beside));
  const conditions = asked.flatMap((group) => {
    const values = question.filter[group];
    return values == null ? [] : [sql`${dimensions[group].key} = any(${values})`];
  });
  const names = groups.map((group) => sql`${raw(`"${group}"`)}`);
  const keys = groups.map((group, index) => sql`${dimensions[group].key} as ${names[index]!},`);
  const written = groups.flatMap((group, index) => {
    const { written: value } = dimensions[group];
    return value ? [sql`${value} as ${names[index]!}`] : [];
  });
  const first = orders[question.orderBy];
  const order = [
    ...(first ? [first] : []),
    ...groups.map((group, index) => dimensions[group].order ?? sql`${names[index]!} collate "C"`),
  ];
  return sql`
    with ${before}, grouped as (
      select ${keys.length > 0 ? joined(keys, ' ') : empty} ${measures} from ${facts}
      ${sides.has('agency') ? sql`join agency a on a.mda = f.mda` : empty}
      ${sides.has('service') ? sql`join service s on s.service = f.service` : empty}
      ${conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty}
      ${names.length > 0 ? sql`group by ${joined(names.map((_name, index) => raw(String(index + 1))))}` : empty}
      having ${present}
    )
    select * ${written.length > 0 ? sql`replace (${joined(written)})` : empty} from grouped
    ${order.length > 0 ? sql`order by ${joined(order)}` : empty}`;
}
