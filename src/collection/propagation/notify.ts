import { AdapterFailure } from '../../adapters/failure.ts';
import { kindOf } from '../../adapters/agencies/kinds.ts';
import type { NoticeReceipt, PaymentNotice } from '../../adapters/agencies/port.ts';
import { type Assessment, getAssessment } from '../assessments/find.ts';
import { snapshotAssessment, trackAssessment } from '../assessments/snapshot.ts';
import { updateAssessment } from '../assessments/update.ts';
import type { Call } from '../../platform/call/call.ts';
import { type TraceEntry, commit, retryUntilSettled } from '../../platform/change/commit.ts';
import { guard, step } from '../../platform/change/step.ts';
import { messagesOf } from '../../platform/change/transition.ts';
import { sql } from '../../platform/database/sql.ts';
import { sum } from '../../kernel/money.ts';
import { allows } from '../../kernel/lifecycle.ts';
import { timeNextTry } from '../../kernel/retries.ts';
import { type PropagationStatus, propagationLifecycle } from './lifecycle.ts';

/** An agency that this process is about to tell. */
export interface Due {
  readonly name: string;
  readonly assessment: string;
  readonly mda: string;
  readonly country: string;
  readonly mdaType: string;
  /** This try among its tries. */
  readonly attempts: number;
}

/**
 * A process that died gives what it had in hand back after this long: longer than a call with its repetitions lasts.
 */
const CLAIM_SECONDS = 120;

/** Agencies whose turn it is to be told. */
export function claimDueNotices({ db, now }: Call, most: number): Promise<Due[]> {
  const at = now();
  return db.rows<Due>(sql`
    with due as (
      select name from propagation where status = 'pending' and next_attempt_at <= ${at}
        and (claimed_until is null or claimed_until <= ${at})
      order by next_attempt_at limit ${most} for no key update skip locked
    )
    update propagation p set claimed_until = ${new Date(at.getTime() + CLAIM_SECONDS * 1_000)}
    from due, mda m where p.name = due.name and m.name = p.mda
    returning p.name, p.assessment, p.mda, p.attempts + 1 as attempts, m.country, m.mda_type as "mdaType"`);
}

/** Tells an agency of its part of a paid assessment, and integrators that it was told. */
export async function notifyAgency(call: Call, due: Due): Promise<void> {
  const assessment = await getAssessment(call, due.assessment);
  if (assessment.status !== 'Paid') return giveUp(call, due, `The assessment is ${assessment.status}`);
  let receipt: NoticeReceipt;
  try {
    receipt = await call.agencies.notify(kindOf(due.mdaType), due.country, noticeOf(assessment, due.mda));
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error;
    return fail(call, due, error);
  }
  await retryUntilSettled(() => succeed(call, due, receipt));
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

function traceNotice({ assessment }: Due, summary: string, detail: Readonly<Record<string, unknown>>): TraceEntry {
  return { kind: 'assessment.update', assessment, summary, detail };
}

async function succeed(call: Call, due: Due, { receipt, response }: NoticeReceipt): Promise<true | undefined> {
  const { name, mda, attempts } = due;
  const at = call.now();
  const before = await getAssessment(call, due.assessment);
  const notifiedBefore = await call.db.rows<{ mda: string }>(
    sql`select mda from propagation where assessment = ${before.name} and status = ${propagationLifecycle.succeed.to}`,
  );
  const after: Assessment = { ...before, revision: before.revision + 1, updatedAt: at };
  const propagated_to = [...notifiedBefore.map((row) => row.mda), mda].toSorted();
  const doc = { ...trackAssessment(after), snapshot: () => ({ ...snapshotAssessment(after), propagated_to }) };
  const { from, to } = propagationLifecycle.succeed;
  const locked = step(
    'held',
  )`select name from assessment where name = ${before.name} and revision = ${before.revision} for no key update`;
  const notified = step('notified')`
    update propagation p set status = ${to}, attempts = ${attempts}, next_attempt_at = null, claimed_until = null,
      last_error = null,
      receipt = ${receipt}, done_at = ${at}, updated_at = ${at}
    from ${locked} where p.name = ${name} and p.status = any(${from}) returning p.assessment`;
  const changed = guard`${updateAssessment(after, sql`${notified}`)}`;
  const done = await commit(call, {
    subject: null,
    guard: changed,
    trace: [traceNotice(due, `${mda} was told of the payment`, { mda, receipt, response })],
    messages: messagesOf(propagationLifecycle.succeed, doc),
  });
  if (done) return true;
  // Another process told it too, after this one was believed dead; or the assessment changed, and this is tried again.
  const row = await call.db.row<{ status: PropagationStatus }>(
    sql`select status from propagation where name = ${name}`,
  );
  return row && allows(propagationLifecycle.succeed, row.status) ? undefined : true;
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
