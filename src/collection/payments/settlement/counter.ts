import type { Call } from '../../../platform/call/call.ts';
import { type Sql, sql } from '../../../platform/database/sql.ts';
import { type Decimal, sum } from '../../../kernel/money.ts';
import type { PaymentEvent, PaymentIntent } from '../find.ts';

/**
 * Counts a collection in its shift: the steps of the statement that confirms it. A shift counts while it is Open, and closes on what it
 * has counted, so that a collection is in the count or does not happen. What an aggregator collected for a shift that is over is
 * recorded, and in no count; cash for such a shift is refused before it comes here.
 */
export async function countedIn({ db }: Call, shift: string, { channel }: PaymentIntent, amount: Decimal): Promise<Record<string, Sql>> {
  const steps = { attended: tallied(shift, [{ channel, amount }], 1) };
  if (channel === 'cash') return steps;
  const row = await db.row<{ status: string }>(sql`select status from counter_shift where name = ${shift}`);
  return row!.status === 'Open' ? steps : {};
}

/**
 * Adds events to the count of a shift, after the step `held` has locked the assessment, and only while the shift is Open. It comes
 * before anything else is written, and what is written takes its row from it: once the shift is over, nothing is. Reversals are negative.
 */
export function tallied(shift: string, events: readonly Pick<PaymentEvent, 'channel' | 'amount'>[], collections: number): Sql {
  const cash = sum(events.filter(({ channel }) => channel === 'cash').map(({ amount }) => amount));
  const other = sum(events.filter(({ channel }) => channel !== 'cash').map(({ amount }) => amount));
  return sql`
    update counter_shift s set cash_collected = s.cash_collected + ${cash}, non_cash_collected = s.non_cash_collected + ${other},
      collection_count = s.collection_count + ${collections}, revision = s.revision + 1
    from held where s.name = ${shift} and s.status = 'Open' returning s.name`;
}
