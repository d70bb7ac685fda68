import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { type Assessment, getAssessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { trackAssessment } from '../../assessments/snapshot.ts';
import { updateAssessment } from '../../assessments/update.ts';
import { namesOf, refuseDependent } from '../../../platform/access/independence.ts';
import { isWholeWithin } from '../../../platform/access/owned.ts';
import type { Operated } from '../../../platform/audit/operation.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { joined, sql } from '../../../platform/database/sql.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { Refusal, forbidBecause, refuseBecause } from '../../../kernel/refusal.ts';
import { readText } from '../../../kernel/text/free-text.ts';
import { countInShift } from './count-in-shift.ts';
import { type PaymentEvent, eventsOfAssessment } from '../find.ts';
import { agenciesBySize } from '../splits.ts';
import { traceEvent, insertEvents } from './settle.ts';
import { enterReversals } from '../../propagation/enter.ts';
import { DAY_MS } from '../../../kernel/time.ts';

/** How long after its payment an assessment can still be reversed. */
const REVERSIBLE_DAYS = 30;

/**
 * Cancels an assessment. A Paid one is reversed: each event of its confirmed intents gets a negative counterpart. What
 * supervisors and operators cancel is in their audit. It lives here and not with the assessments because the reversal
 * is a matter of payments, and both are one statement.
 */
export function cancelAssessment(
  call: Call,
  input: { name: string; reason?: string | null | undefined },
): Promise<Assessment> {
  const reason = readText('reason', input.reason);
  return retryUntilSettled(async () => {
    const before = await getAssessment(call, input.name);
    if (!allows(assessmentLifecycle.cancel, before.status))
      throw refuseBecause('already_cancelled', `${before.name} is ${before.status} already`);
    const paid = before.status === 'Paid' ? await requireReversible(call, before) : [];
    const at = call.now();
    const after: Assessment = {
      ...before,
      status: assessmentLifecycle.cancel.to,
      cancelReason: reason,
      revision: before.revision + 1,
      cancelledAt: at,
      updatedAt: at,
    };
    return (await write(call, before, after, await draftReversals(call, paid, at))) ? after : undefined;
  });
}

/** The payments of a Paid assessment, unless it can no longer be reversed, or not by this caller. */
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
  const paid = (await eventsOfAssessment(call, name)).filter(({ kind }) => kind === 'payment');
  const cash = paid.filter(({ channel }) => channel === 'cash');
  if (shift?.counted && cash.length > 0)
    throw refuseBecause('shift_counted', `The cash of ${till} has been counted; it can no longer be given back`);
  if (!isWholeWithin(call.viewer, paid))
    throw new Refusal(
      'forbidden',
      `${name} was paid to other agencies too; only staff of all of its agencies can reverse it`,
    );
  await refuseOwn(call, [...(shift ? [shift.clerk] : []), ...(await findConfirmers(call, name, cash))]);
  return paid;
}

interface ShiftRow {
  readonly clerk: string;
  readonly status: string;
  readonly counted: boolean;
}

/**
 * Who said that cash arrived. What else is confirmed is the word of an aggregator, no matter who asked for it or let it
 * be told.
 */
async function findConfirmers(call: Call, assessment: string, cash: readonly PaymentEvent[]): Promise<string[]> {
  if (cash.length === 0) return [];
  // Traces are kept by months; the clocks of processes differ by a day at most.
  const since = new Date(Math.min(...cash.map(({ createdAt }) => createdAt.getTime())) - DAY_MS);
  const rows = await call.db.rows<{ actor: string }>(sql`
    select distinct actor from trace_row
    where assessment = ${assessment} and at >= ${since} and doc = any(${cash.map((event) => event.name)})`);
  return rows.map(({ actor }) => actor);
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

async function draftReversals(call: Call, paid: readonly PaymentEvent[], at: Date): Promise<PaymentEvent[]> {
  const names = await call.docnames.take('event', paid.length, at);
  return paid.map((event, index) => ({
    ...event,
    name: names[index]!,
    amount: event.amount.negated(),
    kind: 'reversal',
    occurredAt: at,
    createdAt: at,
    seal: null,
  }));
}

async function write(
  call: Call,
  before: Assessment,
  after: Assessment,
  reversed: readonly PaymentEvent[],
): Promise<boolean> {
  const { name, cancelReason } = after;
  const held = step('held')`
    select name from assessment where name = ${name} and revision = ${before.revision}
      and status = any(${assessmentLifecycle.cancel.from}::assessment_status[]) for no key update`;
  // A shift that closes meanwhile has counted what would be reversed here: then nothing is.
  const collections = new Set(reversed.map(({ intent }) => intent)).size;
  const counted =
    before.shift === null || collections === 0 ? null : countInShift(held, before.shift, reversed, -collections);
  const changed = guard`${updateAssessment(after, joined(counted ? [held, counted] : [held]))}`;
  const reversal: Finding = {
    kind: 'reversal',
    subject: name,
    mdas: agenciesBySize(reversed),
    evidence: {
      paid_at: before.paidAt,
      amount: before.totalAmount,
      currency: before.currency,
      events: reversed.length,
    },
  };
  const operated: Operated = {
    action: 'assessment.cancel',
    subject: name,
    before: { status: before.status, amount: before.totalAmount, currency: before.currency },
    after: { status: after.status, reversals: reversed.length },
    reason: cancelReason,
  };
  return commit(call, {
    subject: name,
    guard: changed,
    ...(call.viewer.supervises.length > 0 && { operated }),
    steps: [
      ...(reversed.length > 0 ? [insertEvents(changed, reversed)] : []),
      ...(before.status === 'Paid' ? [enterReversals(changed, name, after.updatedAt)] : []),
      ...(await raiseAnomalies(call, changed, before.status === 'Paid' ? [reversal] : [])),
    ],
    trace: [
      transition(trackAssessment(after), assessmentLifecycle.cancel, before.status, { reason: cancelReason }),
      ...reversed.map(traceEvent),
    ],
  });
}
