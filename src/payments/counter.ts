import type { Call } from '../call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { type Decimal, sum } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { PaymentEvent, PaymentIntent } from './find.ts';

/**
 * Counts a collection in the shift that its assessment was taken in: the steps of the statement that confirms it. A shift counts while
 * it is Open, and closes on what it has counted, so that a collection is in the count or does not happen. Cash for a shift that is
 * over is refused, since nobody at that counter can have taken it; what an aggregator collected meanwhile is recorded, and in no count.
 */
export async function countedIn({ db }: Call, shift: string, intent: PaymentIntent, amount: Decimal): Promise<Record<string, Sql>> {
  const row = await db.row<{ status: string }>(sql`select status from counter_shift where name = ${shift}`);
  if (row!.status !== 'Open') {
    if (intent.channel !== 'cash') return {};
    throw new Refusal('validation_failed', `${shift} is ${row!.status}; cash can no longer be collected in it`);
  }
  return { attended: tallied(shift, [{ channel: intent.channel, amount }], 1) };
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
