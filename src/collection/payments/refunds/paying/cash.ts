import { namesOf } from '../../../../platform/access/independence.ts';
import { isWholeWithin } from '../../../../platform/access/owned.ts';
import type { Call } from '../../../../platform/call/call.ts';
import { retryUntilSettled } from '../../../../platform/change/commit.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { allows } from '../../../../kernel/lifecycle.ts';
import type { Decimal } from '../../../../kernel/money.ts';
import { forbidBecause, refuseBecause } from '../../../../kernel/refusal.ts';
import { eventsOf } from '../../find.ts';
import { findTakers } from '../../settlement/takers.ts';
import { type Refund, type RefundShare, getRefund, isOfPayment, readSharesOf } from '../find.ts';
import { finishRefund } from './finish.ts';
import { refundLifecycle } from '../lifecycle.ts';

interface Till {
  readonly mda: string;
  readonly clerk: string;
  readonly status: string;
  readonly currency: string;
  readonly counted: boolean;
  /** Cash that should be in it. */
  readonly cash: Decimal;
}

/** Pays an Approved refund in cash, from an Open shift of the caller's that has as much, and was not counted yet. */
export function payRefundInCash(call: Call, input: { readonly id: string; readonly shift: string }): Promise<Refund> {
  return retryUntilSettled(async () => {
    const before = await getRefund(call, input.id);
    const { name, status, method } = before;
    if (!isOfPayment(before) || method !== 'cash' || !allows(refundLifecycle.finish, status))
      throw refuseBecause(
        'refund_not_possible',
        `${name} is ${status}, by ${method}; only an Approved refund by cash is paid at a counter`,
        'name',
      );
    const { assessment, intent } = before;
    const [shares, paid] = await Promise.all([readSharesOf(call, name), eventsOf(call, intent)]);
    if (!isWholeWithin(call.viewer, shares))
      throw forbidBecause('paid_to_others', `${name} gives back money of other agencies too`);
    const takers = await findTakers(
      call,
      assessment,
      paid.filter(({ kind }) => kind === 'payment'),
    );
    if (namesOf(call.viewer).some((own) => takers.includes(own)))
      throw forbidBecause(
        'refund_own',
        'You took this payment, or it is in your shift: somebody else has to pay it back',
      );
    await requireTill(call, input.shift, before, shares);
    return finishRefund(call, before, { providerReference: `CASH-${name}`, shift: input.shift });
  });
}

async function requireTill(
  { db, viewer }: Call,
  shift: string,
  { name, amount, currency }: Refund,
  shares: readonly RefundShare[],
): Promise<void> {
  const till = await db.row<Till>(sql`
    select mda, clerk, status, currency, cardinality(counts) > 0 as counted, opening_float + cash_collected as cash
    from counter_shift where name = ${shift}`);
  const fits = till?.currency === currency && shares.some(({ mda }) => mda === till.mda);
  if (!till || !fits || till.clerk !== viewer.actor)
    throw forbidBecause(
      'cash_needs_shift',
      `Paying ${name} requires an Open shift of yours at ${[...new Set(shares.map(({ mda }) => mda))].join(' or ')}`,
      'shift',
    );
  if (till.status !== 'Open') throw refuseBecause('shift_closed', `${shift} is ${till.status}`, 'shift');
  if (till.counted)
    throw refuseBecause('shift_counted', `The cash of ${shift} has been counted; it pays nothing any more`, 'shift');
  if (till.cash.lessThan(amount))
    throw refuseBecause(
      'refund_not_possible',
      `${shift} has ${till.cash.toString()} ${currency}, and ${amount.toString()} are to be paid`,
      'shift',
    );
}
