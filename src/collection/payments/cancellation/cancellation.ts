import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import type { Assessment } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { trackAssessment } from '../../assessments/snapshot.ts';
import { updateAssessment } from '../../assessments/update.ts';
import { notifyPayer } from '../../citizens/messages/queue.ts';
import { enterReversals } from '../../propagation/enter.ts';
import { NOTHING_WRITTEN, voidReceipts } from '../../receipts/steps.ts';
import type { Operated } from '../../../platform/change/operation.ts';
import type { Call } from '../../../platform/call/call.ts';
import type { Change } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { empty, joined, sql } from '../../../platform/database/sql.ts';
import type { PaymentEvent } from '../find.ts';
import { declineWaiting, openBookedRefunds, whileWaiting } from '../refunds/booked.ts';
import { agenciesBySize } from '../splits.ts';
import { type Cancellable, isPaidFor } from './reversible.ts';
import { countInShift } from '../settlement/count-in-shift.ts';
import { insertEvents, traceEvent } from '../settlement/settle.ts';

interface Cancellation {
  readonly after: Assessment;
  readonly change: Change;
}

/** The change that cancels an assessment and reverses its payments, and the assessment as it is then. */
export async function planCancellation(
  call: Call,
  before: Assessment,
  { paid, waiting }: Cancellable,
  cancelReason: string | null,
  approved?: Step,
): Promise<Cancellation> {
  const { name, revision } = before;
  const at = call.now();
  const after: Assessment = {
    ...before,
    status: assessmentLifecycle.cancel.to,
    cancelReason,
    revision: revision + 1,
    cancelledAt: at,
    updatedAt: at,
  };
  const reversed = await draftReversals(call, paid, at);
  const held = step('held')`
    select a.name from assessment a ${approved ? sql`, ${approved}` : empty} where a.name = ${name} and a.revision = ${revision}
      and a.status = any(${assessmentLifecycle.cancel.from}::assessment_status[]) for no key update of a`;
  const ready = whileWaiting(held, waiting);
  // A shift that closes meanwhile has counted what would be reversed here: then nothing is.
  const collections = new Set(reversed.map(({ intent }) => intent)).size;
  const counted =
    before.shift === null || collections === 0 ? null : countInShift(ready, before.shift, reversed, -collections);
  const changed = guard`${updateAssessment(after, joined(counted ? [ready, counted] : [ready]))}`;
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
  const receipts = reversed.length > 0 ? await voidReceipts(call, changed, { assessment: name }, at) : NOTHING_WRITTEN;
  const notifications = receipts.voided.map(({ name: subject, intent }) => ({
    kind: 'reversed' as const,
    assessment: name,
    intent,
    subject,
  }));
  // Cash of an Open shift is handed back on the spot.
  const paidBack = reversed.filter(({ channel }) => channel !== 'cash' || before.shift === null);
  const refunds = await openBookedRefunds(
    call,
    changed,
    [...new Set(paidBack.map(({ intent }) => intent))],
    waiting,
    cancelReason,
  );
  const declined = declineWaiting(call, changed, waiting, at);
  const change: Change = {
    subject: name,
    guard: changed,
    ...((approved || call.viewer.supervises.length > 0) && { operated }),
    steps: [
      ...(reversed.length > 0 ? [insertEvents(changed, reversed)] : []),
      ...receipts.steps,
      ...declined.steps,
      ...refunds.steps,
      ...(await notifyPayer(call, changed, notifications, at)),
      ...(before.status === 'Paid' ? enterReversals(changed, name, agenciesBySize(reversed), after.updatedAt) : []),
      ...(await raiseAnomalies(call, changed, isPaidFor(before) ? [reversal] : [])),
    ],
    trace: [
      transition(trackAssessment(after), assessmentLifecycle.cancel, before.status, { reason: cancelReason }),
      ...reversed.map(traceEvent),
      ...receipts.trace,
      ...declined.trace,
      ...refunds.trace,
    ],
    messages: receipts.messages,
  };
  return { after, change };
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
