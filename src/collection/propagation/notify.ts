import { AdapterFailure } from '../../adapters/failure.ts';
import { kindOf } from '../../adapters/agencies/kinds.ts';
import type { NoticeReceipt } from '../../adapters/agencies/port.ts';
import type { Assessment } from '../assessments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { timeNextTry } from '../../kernel/retries.ts';
import { say } from '../../kernel/text/said.ts';
import { behave } from './behaviour.ts';
import type { Due } from './claim.ts';
import { propagationLifecycle } from './lifecycle.ts';
import { noticeKeyOf, paymentNoticeOf, refundNoticeOf, reversalNoticeOf } from './notice.ts';
import { type Receipts, traceNotice } from './receipts.ts';

/**
 * Notifies an agency of its part of a paid assessment, or of its reversal, and records that it was told. If the
 * assessment was cancelled before, it gets neither notice; unless a try may have delivered the payment: then both.
 */
export async function notifyAgency(call: Call, due: Due, assessment: Assessment, receipts: Receipts): Promise<void> {
  if (due.obsolete) return giveUp(call, due, 'The assessment is Cancelled');
  let receipt: NoticeReceipt;
  try {
    receipt = await send(call, due, assessment);
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    return fail(call, due, error);
  }
  await receipts.record({ due, receipt });
}

/** Tells it of the payment; or of the reversal, with the number that it gave the payment. */
async function send(call: Call, due: Due, assessment: Assessment): Promise<NoticeReceipt> {
  const { rail, db } = call;
  const { mdaType, country, mda, kind } = due;
  const payment = paymentNoticeOf(assessment, due);
  await behave(call, { mda, integrator: assessment.integrator });
  const key = noticeKeyOf(due);
  if (kind === 'payment') return rail.agencies.notify(kindOf(mdaType), country, payment, key);
  const told = await db.row<{ receipt: string | null }>(
    sql`select receipt from propagation where assessment = ${assessment.name} and mda = ${mda} and kind = 'payment'`,
  );
  const receipt = told?.receipt ?? null;
  const notice = due.refund
    ? refundNoticeOf(assessment, payment, await readRefund(call, due.refund, mda), receipt)
    : reversalNoticeOf(assessment, payment, await readReturned(call, assessment.name, mda), receipt);
  return rail.agencies.notify(kindOf(mdaType), country, notice, key);
}

/** Shares of an agency in refunds that a cancellation left to them. */
function readReturned({ db }: Call, assessment: string, mda: string): Promise<Stored<'RefundShare'>[]> {
  return db.rows(sql`
    select ${columnsOf('RefundShare')} from refund f join paying_intent i on i.intent = f.intent
      join refund_share r on r.refund = f.name
    where f.assessment = ${assessment} and r.mda = ${mda} and not f.booked and f.status not in ('Declined', 'Failed')`);
}

async function readRefund({ db }: Call, refund: string, mda: string) {
  const [[found], shares] = await Promise.all([
    db.rows<Stored<'Refund'>>(sql`select ${columnsOf('Refund')} from refund r where r.name = ${refund}`),
    db.rows<Stored<'RefundShare'>>(sql`
      select ${columnsOf('RefundShare')} from refund_share r where r.refund = ${refund} and r.mda = ${mda} order by r.idx`),
  ]);
  return { refund: found!, shares };
}

async function fail(call: Call, due: Due, error: AdapterFailure): Promise<void> {
  const { name, mda, attempts, kind } = due;
  const at = call.now();
  const again = timeNextTry(attempts, at, Math.random());
  const { from, to } = again ? propagationLifecycle.postpone : propagationLifecycle.giveUp;
  const changed = guard`
    update propagation set status = ${to}, attempts = ${attempts}, next_attempt_at = ${again}, claimed_until = null,
      last_error = ${error.message}, maybe_told = maybe_told or ${error.mayHaveDone}, updated_at = ${at}
    where name = ${name} and status = any(${from}) and attempts = ${attempts - 1} returning name`;
  const detail = { mda, outcome: error.kind, error: error.message, next_try: again };
  const summary = {
    payment: say`${mda} could not be told of the payment`,
    reversal: say`${mda} could not be told of the reversal`,
  };
  await commit(call, {
    subject: null,
    guard: changed,
    trace: [traceNotice(due, summary[kind], detail)],
  });
}

async function giveUp(call: Call, due: Due, reason: string): Promise<void> {
  const { name, mda } = due;
  const { from, to } = propagationLifecycle.giveUp;
  const changed = guard`
    update propagation set status = ${to}, next_attempt_at = null, claimed_until = null, last_error = ${reason},
      updated_at = ${call.now()}
    where name = ${name} and status = any(${from}) returning name`;
  await commit(call, {
    subject: null,
    guard: changed,
    trace: [traceNotice(due, say`${mda} is not told of the payment any more`, { mda, reason })],
  });
}
