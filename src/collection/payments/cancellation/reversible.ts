import type { Assessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { namesOf, refuseDependent } from '../../../platform/access/independence.ts';
import { isWholeWithin, refuseShared } from '../../../platform/access/owned.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { sql } from '../../../platform/database/sql.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { sum } from '../../../kernel/money.ts';
import { forbidBecause, refuseBecause } from '../../../kernel/refusal.ts';
import { DAY_MS } from '../../../kernel/time.ts';
import { type PaymentEvent, eventsOfAssessment } from '../find.ts';
import { readWaiting } from '../refunds/booked.ts';
import type { Drafted } from '../refunds/draft.ts';
import { findConfirmers } from '../settlement/takers.ts';

/** Days after its payment for which an assessment can still be reversed. */
const REVERSIBLE_DAYS = 30;

/** True if money was paid for an assessment: one of a total of zero is Paid without any. */
export const isPaidFor = ({ status, totalAmount }: Pick<Assessment, 'status' | 'totalAmount'>): boolean =>
  status === 'Paid' && !totalAmount.isZero();

/** What the cancellation of an assessment takes back. */
export interface Cancellable {
  /** The payments that it reverses, with what is left of them: none unless the assessment is Paid. */
  readonly paid: readonly PaymentEvent[];
  /** The refunds that wait for a decision, which it declines. */
  readonly waiting: readonly Drafted[];
}

/** Refuses where an assessment is cancelled already, can no longer be reversed, or not by this caller. */
export async function requireCancellable(call: Call, assessment: Assessment): Promise<Cancellable> {
  const { name, status } = assessment;
  if (!allows(assessmentLifecycle.cancel, status))
    throw refuseBecause('already_cancelled', `${name} is ${status} already`);
  await refuseClerks(call, assessment);
  refuseShared(call.viewer, assessment.lines);
  // Before the payments: a refund that is approved in between would be in neither, and more would go back than was paid.
  const waiting = await readWaiting(call, name);
  return { paid: status === 'Paid' ? await requireReversible(call, assessment) : [], waiting };
}

/** Clerks take back what they entered themselves and nobody paid; anything else is for those who supervise. */
async function refuseClerks({ db, viewer }: Call, { status, shift }: Assessment): Promise<void> {
  if (viewer.kind !== 'staff' || findRefusal(viewer, 'supervision.write') === null) return;
  const own = await db.row(
    sql`select 1 from counter_shift where name = ${shift} and clerk = ${viewer.actor} and status = 'Open'`,
  );
  if (status !== 'Paid' && own) return;
  throw forbidBecause(
    'not_in_own_shift',
    'Clerks cancel what is unpaid in an Open shift of their own: a supervisor has to cancel this',
  );
}

async function requireReversible(call: Call, { name, paidAt, shift: till }: Assessment): Promise<PaymentEvent[]> {
  const days = (call.now().getTime() - paidAt!.getTime()) / DAY_MS;
  if (days > REVERSIBLE_DAYS)
    throw refuseBecause(
      'reversal_too_late',
      `${name} was paid more than ${REVERSIBLE_DAYS} days ago and can no longer be reversed`,
    );
  const shift = await call.db.row<ShiftRow>(sql`
    select clerk, status, cardinality(counts) > 0 as counted from counter_shift where name = ${till}`);
  if (shift && shift.status !== 'Open')
    throw refuseBecause('shift_closed', `${name} belongs to ${till}, which is closed; it can no longer be reversed`);
  const events = await eventsOfAssessment(call, name);
  const paid = events.filter(({ kind }) => kind === 'payment');
  const cash = paid.filter(({ channel }) => channel === 'cash');
  if (shift?.counted && cash.length > 0)
    throw refuseBecause('shift_counted', `The cash of ${till} has been counted; it can no longer be given back`);
  if (!isWholeWithin(call.viewer, paid))
    throw forbidBecause(
      'paid_to_others',
      `${name} was paid to other agencies too; only staff of all of its agencies can reverse it`,
    );
  await refuseOwn(call, [...(shift ? [shift.clerk] : []), ...(await findConfirmers(call, name, cash))]);
  return leftOf(call, name, events);
}

/** Payments with what is left of them: less what refunds gave back, or are about to give back. Those that wait are declined. */
async function leftOf({ db }: Call, assessment: string, events: readonly PaymentEvent[]): Promise<PaymentEvent[]> {
  const open = await db.rows<Pick<PaymentEvent, 'intent' | 'mda' | 'amount'>>(sql`
    select r.intent, s.mda, -s.amount as amount from refund r join refund_share s on s.refund = r.name
    where r.assessment = ${assessment} and not r.booked and r.status in ('Approved', 'Sent')`);
  return events
    .filter(({ kind }) => kind === 'payment')
    .map((paid) => ({
      ...paid,
      amount: sum(
        [...events, ...open]
          .filter(({ intent, mda }) => intent === paid.intent && mda === paid.mda)
          .map(({ amount }) => amount),
      ),
    }))
    .filter(({ amount }) => amount.greaterThan(0));
}

interface ShiftRow {
  readonly clerk: string;
  readonly status: string;
  readonly counted: boolean;
}

/** Nobody gives back what they took, nor what somebody took whom they are not independent of. */
async function refuseOwn(call: Call, takers: readonly string[]): Promise<void> {
  if (namesOf(call.viewer).some((name) => takers.includes(name)))
    throw forbidBecause(
      'own_reversal',
      'You took this payment, or it is in your shift: somebody else has to reverse it',
    );
  await refuseDependent(call, takers);
}
