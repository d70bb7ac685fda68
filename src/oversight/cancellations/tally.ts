import type { Call } from '../../platform/call/call.ts';
import { joined, sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type CancellationFilter, conditionsOf, selectKeptBack } from './find.ts';

/** What of an agency was reversed and cancelled in a span, added up; null what cannot be told without what is kept back. */
export interface CancellationTally {
  readonly mda: string;
  readonly currency: string;
  readonly reversals: number;
  readonly reversed: Decimal;
  readonly cancellations: number | null;
  readonly cancelled: Decimal | null;
  readonly largest: Decimal | null;
  readonly sameHand: number;
  readonly unexplained: number | null;
  readonly keptBack: 'few_people' | null;
}

/** What was reversed and cancelled in a span, by agency and currency, most money first. */
export async function tallyCancellations(call: Call, filter: CancellationFilter): Promise<CancellationTally[]> {
  const conditions = (await conditionsOf(call, filter)).filter((condition) => condition !== null);
  return call.analytics.rows<CancellationTally>(sql`
    with told as (
      select r.mda, r.currency,
        count(*) filter (where r.kind = 'reversal')::int as reversals,
        coalesce(sum(r.amount) filter (where r.kind = 'reversal'), 0) as reversed,
        count(*) filter (where r.kind = 'cancellation')::int as cancellations,
        coalesce(sum(r.amount) filter (where r.kind = 'cancellation'), 0) as cancelled,
        max(r.amount) as largest, count(*) filter (where r.same_hand)::int as "sameHand",
        count(*) filter (where not r.explained)::int as unexplained
      from cancellation r where ${joined(conditions, ' and ')}
      group by r.mda, r.currency
    ), kept as (${await selectKeptBack(call, filter)})
    select mda, currency, coalesce(t.reversals, 0) as reversals, coalesce(t.reversed, 0) as reversed,
      case when k.kept is null then t.cancellations end as cancellations,
      case when k.kept is null then t.cancelled end as cancelled,
      case when k.kept is null then t.largest end as largest,
      coalesce(t."sameHand", 0) as "sameHand",
      case when k.kept is null then t.unexplained end as unexplained, k.kept as "keptBack"
    from told t full join (select *, 'few_people' as kept from kept) k using (mda, currency)
    order by reversed desc, cancelled desc nulls last, mda collate "C", currency`);
}
