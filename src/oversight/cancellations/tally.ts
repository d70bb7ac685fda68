import type { Call } from '../../platform/call/call.ts';
import { joined, sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { type CancellationFilter, conditionsOf } from './find.ts';

/** What of an agency was reversed and cancelled in a span, added up. */
export interface CancellationTally {
  readonly mda: string;
  readonly currency: string;
  readonly reversals: number;
  readonly reversed: Decimal;
  readonly cancellations: number;
  readonly cancelled: Decimal;
  readonly largest: Decimal;
  readonly sameHand: number;
  readonly unexplained: number;
}

/** What was reversed and cancelled in a span, by agency and currency, most money first. */
export async function tallyCancellations(call: Call, filter: CancellationFilter): Promise<CancellationTally[]> {
  const conditions = (await conditionsOf(call, filter)).filter((condition) => condition !== null);
  return call.oversight.rows<CancellationTally>(sql`
    select r.mda, r.currency,
      count(*) filter (where r.kind = 'reversal')::int as reversals,
      coalesce(sum(r.amount) filter (where r.kind = 'reversal'), 0) as reversed,
      count(*) filter (where r.kind = 'cancellation')::int as cancellations,
      coalesce(sum(r.amount) filter (where r.kind = 'cancellation'), 0) as cancelled,
      max(r.amount) as largest, count(*) filter (where r.same_hand)::int as "sameHand",
      count(*) filter (where not r.explained)::int as unexplained
    from oversight.cancellation r where ${joined(conditions, ' and ')}
    group by r.mda, r.currency order by reversed desc, cancelled desc, r.mda collate "C", r.currency`);
}
