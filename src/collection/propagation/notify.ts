import { AdapterFailure } from '../../adapters/failure.ts';
import { kindOf } from '../../adapters/agencies/kinds.ts';
import type { NoticeReceipt, PaymentNotice } from '../../adapters/agencies/port.ts';
import type { Assessment } from '../assessments/find.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sum } from '../../kernel/money.ts';
import { timeNextTry } from '../../kernel/retries.ts';
import type { Due } from './claim.ts';
import { propagationLifecycle } from './lifecycle.ts';
import { type Receipts, traceNotice } from './receipts.ts';

/** Tells an agency of its part of a paid assessment, and has it recorded that it was told. */
export async function notifyAgency(call: Call, due: Due, assessment: Assessment, receipts: Receipts): Promise<void> {
  if (assessment.status !== 'Paid') return giveUp(call, due, `The assessment is ${assessment.status}`);
  let receipt: NoticeReceipt;
  try {
    receipt = await call.agencies.notify(kindOf(due.mdaType), due.country, noticeOf(assessment, due.mda));
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    return fail(call, due, error);
  }
  await receipts.record({ due, receipt });
}

function noticeOf({ name, currency, paidAt, lines }: Assessment, mda: string): PaymentNotice {
  const own = lines.filter((line) => line.mda === mda);
  return {
    assessment: name,
    mda,
    currency,
    amount: sum(own.map(({ amount }) => amount)).toNumber(),
    paid_at: paidAt,
    lines: own.map(({ service, serviceName, quantity, amount }) => ({
      service,
      service_name: serviceName,
      quantity,
      amount: amount.toNumber(),
    })),
  };
}

async function fail(call: Call, due: Due, error: AdapterFailure): Promise<void> {
  const { name, mda, attempts } = due;
  const at = call.now();
  const again = timeNextTry(attempts, at, Math.random());
  const { from, to } = again ? propagationLifecycle.postpone : propagationLifecycle.giveUp;
  const changed = guard`
    update propagation set status = ${to}, attempts = ${attempts}, next_attempt_at = ${again}, claimed_until = null,
      last_error = ${error.message}, updated_at = ${at}
    where name = ${name} and status = any(${from}) and attempts = ${attempts - 1} returning name`;
  const detail = { mda, outcome: error.kind, error: error.message, next_try: again };
  await commit(call, {
    subject: null,
    guard: changed,
    trace: [traceNotice(due, `${mda} could not be told of the payment`, detail)],
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
    trace: [traceNotice(due, `${mda} is not told of the payment any more`, { mda, reason })],
  });
}
