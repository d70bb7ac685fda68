import { covers } from '../../platform/access/grants.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Decimal } from '../../kernel/money.ts';
import { Refusal, refuseBecause } from '../../kernel/refusal.ts';
import { changeShift } from './change.ts';
import { type Shift, getShift } from './find.ts';
import { say } from '../../kernel/text/said.ts';

/** Sums of the payment events of a shift's assessments, and of the refunds that were paid from it. */
export interface Count {
  readonly cash: Decimal;
  readonly other: Decimal;
  readonly collections: number;
}

/** A shift, and its count as it is read after it: what changes in between raises the revision, so that no change is made. */
export async function countShift(call: Call, name: string): Promise<{ shift: Shift; count: Count }> {
  const shift = await getShift(call, name);
  const count = await call.db.row<Count>(sql`
    select coalesce(sum(e.amount) filter (where e.channel = 'cash'), 0) as cash,
      coalesce(sum(e.amount) filter (where e.channel <> 'cash'), 0) as other,
      count(distinct e.intent) filter (where e.kind = 'payment') - count(distinct e.intent) filter (where e.kind = 'reversal' and e.refund is null) as collections
    from (
      select e.* from assessment a join payment_event e on e.assessment = a.name and e.refund is null where a.shift = ${name}
      union all select e.* from refund f join payment_event e on e.refund = f.name where f.shift = ${name}) e`);
  return { shift, count: count! };
}

/** Refuses people who neither work this shift nor supervise it. */
export function requireOwn({ viewer }: Call, { clerk, mda, name }: Shift): void {
  if (clerk !== viewer.actor && !covers(viewer.supervises, mda))
    throw new Refusal('forbidden', say`${name} is not your shift`);
}

/** Counts an Open shift again from its payment events. */
export function refreshShift(call: Call, name: string): Promise<Shift> {
  return retryUntilSettled(async () => {
    const { shift, count } = await countShift(call, name);
    requireOwn(call, shift);
    if (shift.status !== 'Open')
      throw refuseBecause('shift_not_open', `${name} is ${shift.status}; only an Open shift can be refreshed`);
    const changed = changeShift(
      call,
      shift,
      sql`cash_collected = ${count.cash}, non_cash_collected = ${count.other}, collection_count = ${count.collections}`,
    );
    return (await commit(call, { subject: name, guard: changed })) ? getShift(call, name) : undefined;
  });
}
