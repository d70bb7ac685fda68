import type { Call } from '../../platform/call/call.ts';
import { type Sql, empty, joined, raw, sql } from '../../platform/database/sql.ts';
import type { Channel, PaymentEventKind } from '../../generated/prisma/enums.ts';
import { type Decimal, toMinorUnit } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { type Span, closeSpan } from '../figures/span.ts';
import { isDaily, selectFacts, joinSides } from './facts.ts';

const GROUPINGS = [
  'mda',
  'sector',
  'family',
  'service',
  'channel',
  'country',
  'currency',
  'day',
  'week',
  'month',
  'kind',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export type RevenueOrder = 'key' | 'collected' | 'reversed' | 'net' | 'count';

/** Each a list of which a row has to have one. */
export interface RevenueFilter extends Span {
  readonly mda?: readonly string[] | null | undefined;
  readonly sector?: readonly string[] | null | undefined;
  readonly family?: readonly string[] | null | undefined;
  readonly service?: readonly string[] | null | undefined;
  readonly channel?: readonly Channel[] | null | undefined;
  readonly country?: readonly string[] | null | undefined;
  readonly currency?: string | null | undefined;
}

/**
 * A group; what it is not grouped by is left out. What follows from its figures is only worked out where it is asked
 * for.
 */
export interface RevenueRow extends Readonly<Partial<Record<Exclude<Grouping, 'channel' | 'kind'>, string | null>>> {
  readonly channel?: Channel | null;
  readonly kind?: PaymentEventKind | null;
  readonly currency: string;
  readonly collected: Decimal;
  readonly reversed: Decimal;
  readonly payments: number;
  readonly reversals: number;
  /** The net of the whole question in the currency of the group. */
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
  readonly filter: RevenueFilter;
  readonly orderBy: RevenueOrder;
  readonly limit: number;
  readonly start: number;
}

export const MOST_GROUP_ROWS = 10_000;

/** How each grouping is told from a row of the sums `f`, its agency `a` and its service `s`. */
const KEYS: Readonly<Record<Grouping, Sql>> = {
  mda: sql`f.mda`,
  sector: sql`s.sector`,
  family: sql`s.family`,
  service: sql`nullif(f.service, '')`,
  channel: sql`f.channel::text`,
  country: sql`a.country`,
  currency: sql`f.currency`,
  day: sql`f.day`,
  week: sql`date_trunc('week', f.day::timestamp)::date`,
  month: sql`date_trunc('month', f.day::timestamp)::date`,
  kind: sql`k.kind`,
};

/** How what was grouped by is told: dates become words once for a group, not once for a row. */
const WORDS: Readonly<Partial<Record<Grouping, Sql>>> = {
  day: sql`to_char(g.day, 'YYYY-MM-DD')`,
  week: sql`to_char(g.week, 'IYYY-"W"IW')`,
  month: sql`to_char(g.month, 'YYYY-MM')`,
};

/**
 * Revenue in groups, never over currencies: sums by month or by day, and what is not yet part of them, in one statement
 * and therefore of one moment. What is asked by service is added up from the parts of events that pay services.
 */
export async function readRevenue(
  call: Call,
  { groupBy, filter, orderBy, limit, start }: RevenueQuestion,
): Promise<RevenueRow[]> {
  const groupings = [...new Set<Grouping>([...groupBy, 'currency'])];
  const keys = GROUPINGS.filter((grouping) => groupings.includes(grouping));
  const daily = isDaily(groupings, filter);
  // A sum by month is of the first day of its month.
  const keyOf = (grouping: Grouping) => (grouping === 'month' && !daily ? KEYS.day : KEYS[grouping]);
  const statement = sql`
    with facts as (${selectFacts(groupings, filter)}), grouped as (
      select ${joined(keys.map((grouping) => sql`${keyOf(grouping)} as ${raw(grouping)}`))},
        sum(k.collected) as collected, sum(k.reversed) as reversed, sum(k.payments)::int as payments,
          sum(k.reversals)::int as reversals
      from facts f ${joinSides(groupings, filter)}
      cross join lateral (${groupings.includes('kind') ? byKind : whole}) k
      group by ${joined(keys.map(keyOf))}
    ), whole as (
      select currency, sum(collected - reversed)::double precision as net from grouped group by currency
    )
    select ${joined(keys.map((grouping) => sql`${WORDS[grouping] ?? sql`g.${raw(grouping)}`} as ${raw(grouping)}`))},
      g.collected, g.reversed, g.payments, g.reversals, w.net as whole
    from grouped g join whole w on w.currency = g.currency
    order by ${ORDER[orderBy]} ${joined(keys.map((grouping) => (WORDS[grouping] ? sql`g.${raw(grouping)}` : sql`g.${raw(grouping)} collate "C"`)))}
    limit ${limit + 1} offset ${start}`;
  const rows = await call.oversight.rows<RevenueRow>(statement);
  if (rows.length > limit) {
    rows.pop();
    call.nextAfter = String(start + limit);
  }
  return rows;
}

/** How many rows come before what follows a cursor: groups have no names, and are found by their number. */
function countRowsBefore(after: string | null | undefined): number {
  if (after == null) return 0;
  if (!/^[1-9]\d{0,8}$/.test(after)) throw refuseValue('after', 'does not name a row of this list');
  return Number(after);
}

/** A page of revenue in groups; without days, of the last 30. */
export function listRevenue(
  call: Call,
  { filter, after, ...question }: Omit<RevenueQuestion, 'start'> & { readonly after?: string | null | undefined },
): Promise<RevenueRow[]> {
  // Without an upper end, sums by month answer what begins with a month.
  return readRevenue(call, {
    ...question,
    filter: { ...filter, fromDate: closeSpan(call, filter).from },
    start: countRowsBefore(after),
  });
}

const ORDER: Readonly<Record<RevenueOrder, Sql>> = {
  key: empty,
  collected: sql`g.collected desc,`,
  reversed: sql`g.reversed desc,`,
  net: sql`g.collected - g.reversed desc,`,
  count: sql`g.payments + g.reversals desc,`,
};

const whole = sql`select f.collected, f.reversed, f.payments, f.reversals`;
const byKind = sql`
  select 'payment' as kind, f.collected, 0::numeric as reversed, f.payments, 0 as reversals where f.payments > 0
  union all select 'reversal', 0::numeric, f.reversed, 0, f.reversals where f.reversals > 0`;
