import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Span, closeSpan } from '../figures/span.ts';
import { type Parting, tellOfMany } from './few.ts';

/** What figures can be grouped and filtered by. */
export interface Dimension {
  /** Its value, from a fact `f`, the agency `a` and the service `s`. */
  readonly key: Sql;
  /** How far down the parts have to be told of. */
  readonly depth: number;
  readonly beside?: 'agency' | 'service';
}

/** How figures about people are made of facts about them. */
export interface PeopleFigures<Group extends string, Order extends string> extends Parting {
  readonly dimensions: Readonly<Record<Group, Dimension>>;
  /** The facts of a span of moments, each with its person and the columns of its parts down to a depth. */
  readonly factsOf: (within: Sql, depth: number) => Sql;
  /** The moment by which a fact lies in a span. */
  readonly at: string;
  /** What is told of a group, as columns over facts `f` that may be told of. */
  readonly measures: Sql;
  /** Columns besides the groups that no figures are added over. */
  readonly always: readonly string[];
  /** What comes before the order of the groups' values. */
  readonly orders: Readonly<Record<Order, Sql | null>>;
}

/** A measure that is nothing, rather than unknown, where some may be told of and none of those is meant. */
export function countTold(measure: Sql, none = sql`0`): Sql {
  return sql`case when bool_or(f.told) then coalesce(${measure}, ${none}) end`;
}

export type Filters<Group extends string> = Readonly<Partial<Record<Group, readonly string[] | null | undefined>>>;

export interface GroupsQuestion<Group extends string, Order extends string> extends Span {
  readonly groupBy: readonly Group[];
  readonly filter: Filters<Group>;
  readonly orderBy: Order;
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** The most groups that one question answers. */
export const MOST_GROUPS = 10_000;

/** The whole months that a span lies in, as a condition on moments. */
export function wholeMonths(call: Pick<Call, 'now'>, span: Span, column: Sql): Sql {
  const { from, to } = closeSpan(call, span);
  const [first, next] = [
    new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1)),
    new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 1)),
  ];
  return sql`${column} >= ${first}::timestamptz and ${column} < ${next}::timestamptz`;
}

/** Figures about people in groups; of each, null where the people of whom may be told are none. */
export async function readPeopleGroups<Group extends string, Order extends string, Row>(
  call: Call,
  figures: PeopleFigures<Group, Order>,
  { groupBy, filter, orderBy, first, after, ...span }: GroupsQuestion<Group, Order>,
): Promise<Row[]> {
  const asked = (Object.keys(figures.dimensions) as Group[]).filter(
    (group) => groupBy.includes(group) || filter[group] != null,
  );
  const depth = Math.max(1, ...asked.map((group) => figures.dimensions[group].depth));
  const sides = new Set(asked.map((group) => figures.dimensions[group].beside));
  const conditions = asked.flatMap((group) => {
    const values = filter[group];
    return values == null ? [] : [sql`${figures.dimensions[group].key}::text = any(${values})`];
  });
  const groups = (Object.keys(figures.dimensions) as Group[]).filter((group) => groupBy.includes(group));
  const keys = [
    ...groups.map((group) => sql`${figures.dimensions[group].key} as ${raw(`"${group}"`)}`),
    ...figures.always.map((column) => sql`f.${raw(column)}`),
  ];
  const asOrdered = figures.orders[orderBy];
  const order = [
    ...(asOrdered ? [asOrdered] : []),
    ...[...groups, ...figures.always].map((name) => sql`${raw(`"${name}"`)} collate "C"`),
  ];
  const parts = [...figures.apart, ...figures.tree.slice(0, depth)].map((name) => sql`${raw(name)}`);
  return readPage(
    call,
    sql`
    with ${tellOfMany(figures, depth, figures.factsOf(wholeMonths(call, span, sql`${raw(figures.at)}`), depth))}, grouped as (
      select ${keys.length > 0 ? sql`${joined(keys)},` : empty} ${figures.measures}
      from (select facts.*, told.told from facts left join told using (${joined(parts)})) f
      ${sides.has('agency') ? sql`join oversight.agency a on a.mda = f.mda` : empty}
      ${sides.has('service') ? sql`join oversight.service s on s.service = f.service` : empty}
      ${conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : empty}
      ${keys.length > 0 ? sql`group by ${joined(keys.map((_key, index) => raw(String(index + 1))))}` : sql`having count(*) > 0`}
    )
    select * from grouped ${order.length > 0 ? sql`order by ${joined(order)}` : empty}`,
    { first, after },
  );
}

/**
 * A page of groups. They have no names, and are found by their number: each page groups the whole anew.
 */
export async function readPage<Row>(
  call: Call,
  groups: Sql,
  { first, after }: { readonly first: number; readonly after?: string | null | undefined },
): Promise<Row[]> {
  if (after != null && !/^[1-9]\d{0,8}$/.test(after)) throw refuseValue('after', 'does not name a row of this list');
  const start = Number(after ?? 0);
  const rows = await call.oversight.rows<Row>(sql`${groups} limit ${first + 1} offset ${start}`);
  if (rows.length > first) {
    rows.pop();
    call.nextAfter = String(start + first);
  }
  return rows;
}
