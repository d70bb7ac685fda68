import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadTogether } from '../../platform/reading/batch.ts';
import { type Decimal, toMinorUnit } from '../../kernel/money.ts';

/** What a service brought in the days before or after its fee changed; the day of the change is in neither. */
export interface FeePeriod {
  readonly days: number;
  readonly revenue: Decimal;
  readonly pieces: number;
  readonly revenuePerDay: Decimal | null;
  readonly piecesPerDay: number | null;
}

/** A fee beside the one before it, and what the service brought under either. */
export interface FeeEffect {
  readonly feeBefore: Decimal;
  readonly before: FeePeriod;
  readonly after: FeePeriod;
  /** How much more, or less, revenue a day brought after than before, as a part of before. */
  readonly revenueChange: number | null;
  readonly piecesChange: number | null;
}

interface EffectRow {
  readonly name: string;
  readonly currency: string;
  readonly feeBefore: Decimal;
  readonly daysBefore: number;
  readonly daysAfter: number;
  readonly revenueBefore: Decimal;
  readonly revenueAfter: Decimal;
  readonly piecesBefore: number;
  readonly piecesAfter: number;
}

/** The most days that are looked at before a change, and after it. */
export const MOST_DAYS = 366;

/**
 * What changed with a fee: its service's net revenue and pieces in so many whole days before and after, as far as the
 * fees before and after held, by the time of the agency's country. Of several fees it is read at once. Null of the first
 * fee of a service, and where the currency changed with the fee.
 */
export function readFeeEffect(call: Call, name: string, days: number): Promise<FeeEffect | null> {
  return loadTogether(call, `fee effect ${days}`, name, async (names) => {
    const rows = await selectEffects(call, names, days);
    return new Map(rows.map((row) => [row.name, effectOf(row)]));
  });
}

function effectOf(row: EffectRow): FeeEffect {
  const periodOf = (days: number, revenue: Decimal, pieces: number): FeePeriod => ({
    days,
    revenue,
    pieces,
    revenuePerDay: days === 0 ? null : toMinorUnit(revenue.dividedBy(days), row.currency),
    piecesPerDay: days === 0 ? null : round(pieces / days),
  });
  const before = periodOf(row.daysBefore, row.revenueBefore, row.piecesBefore);
  const after = periodOf(row.daysAfter, row.revenueAfter, row.piecesAfter);
  const changeOf = (was: number, is: number) =>
    before.days === 0 || after.days === 0 || was <= 0 ? null : round(is / after.days / (was / before.days) - 1);
  return {
    feeBefore: row.feeBefore,
    before,
    after,
    revenueChange: changeOf(row.revenueBefore.toNumber(), row.revenueAfter.toNumber()),
    piecesChange: changeOf(row.piecesBefore, row.piecesAfter),
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function selectEffects(call: Call, names: readonly string[], days: number): Promise<EffectRow[]> {
  return call.oversight.rows<EffectRow>(sql`
    with fee as (
      select f.name, f.service, f.mda, f.currency, f.held_from, f.held_to, a.time_zone,
        lag(f.fee_amount) over w as fee_before, lag(f.currency) over w as currency_before,
        lag(f.held_from) over w as from_before
      from oversight.fee f join oversight.agency a on a.mda = f.mda
      where f.service in (select service from oversight.fee where name = any(${names}))
      window w as (partition by f.service order by f.held_from, f.position)
    ), change as (
      select f.*, d.day, greatest(d.day - ${days}::int, d.first + 1) as begins, least(d.day + ${days}::int, d.last - 1) as ends
      from fee f cross join lateral (
        select (f.held_from at time zone f.time_zone)::date as day, (f.from_before at time zone f.time_zone)::date as first,
          (least(f.held_to, ${call.now()}::timestamptz) at time zone f.time_zone)::date as last) d
      where f.name = any(${names}) and f.currency_before = f.currency
    ), brought as (
      select c.name, r.local_day < c.day as earlier, r.collected - r.reversed as amount
      from change c join oversight.service_revenue_daily r on r.service = c.service and r.mda = c.mda
        and r.currency = c.currency and r.local_day between c.begins and c.ends and r.local_day <> c.day
        and r.day between c.begins - 1 and c.ends + 1
      union all
      select c.name, t.local_day < c.day, t.amount
      from change c join oversight.part_tail t on t.service = c.service and t.mda = c.mda and t.currency = c.currency
        and t.local_day between c.begins and c.ends and t.local_day <> c.day
    ), sold as (
      select c.name, r.local_day < c.day as earlier, r.sold - r.returned as pieces
      from change c join oversight.service_revenue_daily r on r.service = c.service and r.mda = c.mda
        and r.local_day between c.begins and c.ends and r.local_day <> c.day
        and r.day between c.begins - 1 and c.ends + 1
      union all
      select c.name, t.local_day < c.day, case when t.kind = 'payment' then t.quantity else -t.quantity end
      from change c join oversight.part_tail t on t.service = c.service and t.mda = c.mda
        and t.local_day between c.begins and c.ends and t.local_day <> c.day
    )
    select c.name, c.currency, c.fee_before as "feeBefore", greatest(0, c.day - c.begins) as "daysBefore",
      greatest(0, c.ends - c.day) as "daysAfter", coalesce(b.before, 0) as "revenueBefore",
      coalesce(b.after, 0) as "revenueAfter", coalesce(s.before, 0)::int as "piecesBefore",
      coalesce(s.after, 0)::int as "piecesAfter"
    from change c left join (
      select name, sum(amount) filter (where earlier) as before, sum(amount) filter (where not earlier) as after
      from brought group by name
    ) b using (name) left join (
      select name, sum(pieces) filter (where earlier) as before, sum(pieces) filter (where not earlier) as after
      from sold group by name
    ) s using (name)`);
}
