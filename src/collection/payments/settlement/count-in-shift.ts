import type { Call } from '../../../platform/call/call.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import { sum } from '../../../kernel/money.ts';
import { shiftCashLimit } from './cash-limit.ts';
import type { PaymentEvent, PaymentIntent } from '../find.ts';

/**
 * True if a collection is to be counted in its shift. A shift counts while it is Open, and closes on its count, so that
 * a collection is in the count or does not happen. A collection for a shift that is over is recorded, and in no count;
 * cash for such a shift is refused before it comes here.
 */
export async function isCountedInShift({ db }: Call, shift: string, { channel }: PaymentIntent): Promise<boolean> {
  if (channel === 'cash') return true;
  const row = await db.row<{ status: string }>(sql`select status from counter_shift where name = ${shift}`);
  return row!.status === 'Open';
}

/**
 * Adds events to the count of a shift, once a step has locked their assessment, and only while the shift is Open, and its
 * cash not counted yet, and up to its limit; `covered`: only while it has as much cash as goes out. It comes before
 * anything else is written, and what is written takes its row from it: once the shift is over, nothing is. Reversals are
 * negative.
 */
export function countInShift(
  locked: Step,
  shift: string,
  events: readonly Pick<PaymentEvent, 'channel' | 'amount'>[],
  collections: number,
  { covered = false } = {},
): Step {
  const cash = sum(events.filter(({ channel }) => channel === 'cash').map(({ amount }) => amount));
  const other = sum(events.filter(({ channel }) => channel !== 'cash').map(({ amount }) => amount));
  return step('counted')`
    update counter_shift s set cash_collected = s.cash_collected + ${cash},
      non_cash_collected = s.non_cash_collected + ${other},
      collection_count = s.collection_count + ${collections}, revision = s.revision + 1
    from ${locked} where s.name = ${shift} and s.status = 'Open'
      and (${cash.isZero()} or cardinality(s.counts) = 0)
      and (${!covered} or s.opening_float + s.cash_collected + ${cash} >= 0)
      and (${!cash.greaterThan(0)} or s.cash_collected + ${cash} <= coalesce(${shiftCashLimit}, 'infinity')) returning s.name`;
}
