import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { Channel, PaymentEventKind } from '../../generated/prisma/enums.ts';
import { type Decimal, toMinorUnit } from '../../kernel/money.ts';
import type { Span } from '../figures/span.ts';
import { GROUPINGS, type Grouping, keyOf, sortKey, writeKey } from './dimensions.ts';
import { countsOnce, fromParts } from './facts.ts';

/** Where revenue is taken: within a shift at a counter, by an integrator, or neither. */
export type Station = 'counter' | 'integrator' | 'other';

export type RevenueOrder = 'key' | 'collected' | 'reversed' | 'net' | 'count';

/** Each a list of which a row has to have one. */
export interface RevenueFilter extends Span {
  readonly mda?: readonly string[] | null | undefined;
  readonly sector?: readonly string[] | null | undefined;
  readonly family?: readonly string[] | null | undefined;
  readonly service?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly country?: readonly string[] | null | undefined;
  readonly region?: readonly string[] | null | undefined;
  readonly district?: readonly string[] | null | undefined;
  readonly station?: readonly Station[] | null | undefined;
  readonly counter?: readonly string[] | null | undefined;
  readonly integrator?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
}

/** What dimensions are that are not text. */
interface Typed {
  readonly channel: Channel;
  readonly kind: PaymentEventKind;
  readonly station: Station;
  readonly weekday: number;
  readonly hour: number;
}

/** By what a row is grouped. */
export type Dimensions = { readonly [G in Grouping]?: (G extends keyof Typed ? Typed[G] : string) | null };

/**
 * A group; what it is not grouped by is left out. What follows from its figures is only worked out where it is asked
 * for.
 */
export interface RevenueRow extends Dimensions {
  readonly currency: string;
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly payments: number;
  readonly reversals: number;
  /** The net of the whole that the group is a share of, in its currency. */
  readonly whole: number;
}

export function netOf({ collected, reversed }: RevenueRow): Decimal {
  return collected.minus(reversed);
}

/** What was collected for each payment, to the minor unit of the currency. */
export function averageOf({ collected, payments, currency }: RevenueRow): Decimal | null {
  return payments === 0 ? null : toMinorUnit(collected.dividedBy(payments), currency);
}

/** Its net as a part of the whole. */
export function shareOf(row: RevenueRow): number | null {
  return row.whole === 0 ? null : Math.round((netOf(row).toNumber() / row.whole) * 1e6) / 1e6;
}

export interface RevenueQuestion {
  readonly groupBy: readonly Grouping[];
  /** Of those, what shares are shares within; without any, they are shares of the whole currency. */
  readonly shareWithin?: readonly Grouping[];
  readonly filter: RevenueFilter;
  readonly orderBy: RevenueOrder;
}

/** The most groups of one answer. */
export const MOST_GROUP_ROWS = 10_000;

/** Revenue in groups, never over currencies. */
function selectRevenue({ groupBy, shareWithin = [], filter, orderBy }: RevenueQuestion): Sql {
  const keys = GROUPINGS.filter((grouping) => grouping === 'currency' || groupBy.includes(grouping));
  const columnOf = (grouping: Grouping) => sql`g.${raw(grouping)}`;
  const within = keys.filter((grouping) => grouping === 'currency' || shareWithin.includes(grouping));
  return sql`
    with grouped as (${groupRevenue(keys, filter)})
    select ${joined(keys.map((grouping) => sql`${writeKey(grouping, columnOf(grouping))} as ${raw(grouping)}`))},
      g.collected, g.reversed, g.payments, g.reversals,
      (sum(g.collected - g.reversed) over (partition by ${joined(within.map(columnOf))}))::double as whole
    from grouped g
    order by ${ORDER[orderBy]} ${joined(keys.map((grouping) => sortKey(grouping, columnOf(grouping))))}`;
}

/** Revenue in so many groups at most: without a number, as many as one answer has. */
export function readRevenue(
  { analytics }: Pick<Call, 'analytics'>,
  question: RevenueQuestion,
  most = MOST_GROUP_ROWS,
): Promise<RevenueRow[]> {
  return analytics.rows<RevenueRow>(sql`${selectRevenue(question)} limit ${most}`);
}

/** Groups of what was paid and taken back, by keys that are named as their dimensions are. */
export function groupRevenue(keys: readonly Grouping[], filter: RevenueFilter): Sql {
  const count = (kind: PaymentEventKind) =>
    sql`count(*) filter (where f.kind = ${raw(`'${kind}'`)} and ${countsOnce(keys, filter)})`;
  return sql`
    select ${joined(keys.map((grouping) => sql`${keyOf(grouping)} as ${raw(grouping)}`))},
      sum(case when f.kind = 'payment' then f.amount else 0 end) as collected,
      sum(case when f.kind = 'reversal' then -f.amount else 0 end) as reversed,
      ${count('payment')} as payments, ${count('reversal')} as reversals
    ${fromParts(keys, filter)}
    group by ${joined(keys.map((_key, index) => raw(String(index + 1))))}`;
}

const ORDER: Readonly<Record<RevenueOrder, Sql>> = {
  key: empty,
  collected: sql`g.collected desc,`,
  reversed: sql`g.reversed desc,`,
  net: sql`g.collected - g.reversed desc,`,
  count: sql`g.payments + g.reversals desc,`,
};
