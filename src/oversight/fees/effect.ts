import type { Call } from '../../platform/call/call.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { type Decimal, toMinorUnit, zero } from '../../kernel/money.ts';
import { DAY_MS, formatDay } from '../../kernel/time.ts';

/** Revenue of a service in the days before or after its fee changed; the day of the change is in neither. */
export interface FeePeriod {
  readonly days: number;
  readonly revenue: Decimal;
  readonly pieces: number;
  readonly revenuePerDay: Decimal | null;
  readonly piecesPerDay: number | null;
}

/** A fee and the one before it, and what the service collected under each. */
export interface FeeEffect {
  readonly feeBefore: Decimal;
  readonly before: FeePeriod;
  readonly after: FeePeriod;
  /** Change of daily revenue from before to after, as a part of before. */
  readonly revenueChange: number | null;
  readonly piecesChange: number | null;
}

/** A fee that another one came before, and the days around its change that are looked at. */
interface Change {
  readonly name: string;
  readonly service: string;
  readonly mda: string;
  readonly currency: string;
  readonly feeBefore: Decimal;
  readonly begins: Date;
  readonly day: Date;
  readonly ends: Date;
}

/** Revenue before the day of a change, or after it. */
interface Brought {
  readonly name: string;
  readonly later: boolean;
  readonly revenue: Decimal;
  readonly pieces: number;
}

/** The most days that are looked at before a change, and after it. */
export const MOST_DAYS = 366;

/**
 * Effect of a fee: its service's net revenue and pieces in so many whole days before and after, as far as the fees
 * before and after held, by the time of the agency's country. Several fees are read at once. Null for the first fee of
 * a service, and if the currency changed with the fee.
 */
export function readFeeEffect(call: Call, name: string, days: number): Promise<FeeEffect | null> {
  return loadTogether(call, `fee effect ${days}`, name, async (names) => {
    const changes = await readChanges(call, names, days);
    const brought = Map.groupBy(changes.length === 0 ? [] : await readBrought(call, changes), (one) => one.name);
    return new Map(changes.map((change) => [change.name, effectOf(change, brought.get(change.name) ?? [])]));
  });
}

function effectOf({ feeBefore, currency, begins, day, ends }: Change, brought: readonly Brought[]): FeeEffect {
  const periodOf = (from: Date, to: Date, isLater: boolean): FeePeriod => {
    const days = Math.max(0, (to.getTime() - from.getTime()) / DAY_MS);
    const { revenue, pieces } = brought.find(({ later }) => later === isLater) ?? { revenue: zero, pieces: 0 };
    return {
      days,
      revenue,
      pieces,
      revenuePerDay: days === 0 ? null : toMinorUnit(revenue.dividedBy(days), currency),
      piecesPerDay: days === 0 ? null : round(pieces / days),
    };
  };
  const [before, after] = [periodOf(begins, day, false), periodOf(day, ends, true)];
  const changeOf = (was: number, is: number) =>
    before.days === 0 || after.days === 0 || was <= 0 ? null : round(is / after.days / (was / before.days) - 1);
  return {
    feeBefore,
    before,
    after,
    revenueChange: changeOf(before.revenue.toNumber(), after.revenue.toNumber()),
    piecesChange: changeOf(before.pieces, after.pieces),
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function readChanges({ oversight, now }: Call, names: readonly string[], days: number): Promise<Change[]> {
  return oversight.rows<Change>(sql`
    with fee as (
      select f.name, f.service, f.mda, f.currency, f.held_from, f.held_to, a.time_zone,
        lag(f.fee_amount) over w as fee_before, lag(f.currency) over w as currency_before,
        lag(f.held_from) over w as from_before
      from oversight.fee f join oversight.agency a on a.mda = f.mda
      where f.service in (select service from oversight.fee where name = any(${names}))
      window w as (partition by f.service order by f.held_from, f.position)
    )
    select f.name, f.service, f.mda, f.currency, f.fee_before as "feeBefore",
      greatest(d.day - ${days}::int, d.first + 1)::timestamp at time zone 'utc' as begins,
      d.day::timestamp at time zone 'utc' as day, least(d.day + ${days}::int, d.last - 1)::timestamp at time zone 'utc' as ends
    from fee f cross join lateral (
      select (f.held_from at time zone f.time_zone)::date as day, (f.from_before at time zone f.time_zone)::date as first,
        (least(f.held_to, ${now()}::timestamptz) at time zone f.time_zone)::date as last) d
    where f.name = any(${names}) and f.currency_before = f.currency`);
}

/** Revenue in the currency of the fee, and pieces in any. */
function readBrought({ analytics }: Call, changes: readonly Change[]): Promise<Brought[]> {
  const daysOf = (column: 'begins' | 'day' | 'ends') => sql`
    unnest(${changes.map((change) => formatDay(change[column]))}::date[]) as ${raw(column)}`;
  const textsOf = (column: 'name' | 'service' | 'mda' | 'currency') => sql`
    unnest(${changes.map((change) => change[column])}::text[]) as ${raw(column)}`;
  const pieces = sql`case when p.kind = 'payment' then p.quantity else -p.quantity end`;
  return analytics.rows<Brought>(sql`
    select c.name, p.local_day > c.day as later, sum(case when p.currency = c.currency then p.amount else 0 end) as revenue,
      sum(${pieces}) as pieces
    from (
      select ${textsOf('name')}, ${textsOf('service')}, ${textsOf('mda')}, ${textsOf('currency')}, ${daysOf('begins')},
        ${daysOf('day')}, ${daysOf('ends')}
    ) c join payment p on p.service = c.service and p.mda = c.mda and p.local_day between c.begins and c.ends
    where p.local_day <> c.day
    group by c.name, later`);
}
