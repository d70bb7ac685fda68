import type { Call } from '../../../../platform/call/call.ts';
import { type TraceEntry, commit } from '../../../../platform/change/commit.ts';
import { guard, step } from '../../../../platform/change/step.ts';
import { transition } from '../../../../platform/change/transition.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { sum } from '../../../../kernel/money.ts';
import { type Finding, raiseAnomalies } from '../../../anomalies/raise.ts';
import { getAssessment } from '../../../assessments/find.ts';
import { holdRevision, raiseRevisions } from '../../../assessments/update.ts';
import { notifyPayer } from '../../../citizens/messages/queue.ts';
import { type PaymentEvent, eventsOf, getIntent } from '../../find.ts';
import { countInShift } from '../../settlement/count-in-shift.ts';
import { insertEvents, traceEvent } from '../../settlement/settle.ts';
import { enterRefund } from '../../../propagation/enter.ts';
import { NOTHING_WRITTEN, voidReceipts } from '../../../receipts/steps.ts';
import { type Refund, readSharesOf } from '../find.ts';
import { refundLifecycle } from '../lifecycle.ts';
import { type Share, byAgency } from '../shares.ts';
import { trackRefund } from '../snapshot.ts';

/** Proof that a refund was paid. */
type Proof = Pick<Refund, 'providerReference'> & Partial<Pick<Refund, 'method' | 'paidOn' | 'documentHash' | 'shift'>>;

/**
 * Records that a refund was paid. Unless a cancellation reversed the payment before, each agency gets a negative payment
 * event by the number of its provider or bank, the agencies that know of the payment are notified, and the receipt is void once
 * nothing is left of it. Undefined: someone was faster.
 */
export async function finishRefund(
  call: Call,
  before: Refund,
  proof: Proof,
  told: readonly TraceEntry[] = [],
): Promise<Refund | undefined> {
  const edge = refundLifecycle.finish;
  const { name, intent, revision, status } = before;
  const at = call.now();
  const [assessment, shares, recorded, { aggregator }] = await Promise.all([
    getAssessment(call, before.assessment),
    readSharesOf(call, name),
    eventsOf(call, intent),
    getIntent(call, intent),
  ]);
  const after: Refund = {
    ...before,
    ...proof,
    status: edge.to,
    enquireAt: null,
    doneAt: at,
    revision: revision + 1,
    updatedAt: at,
  };
  const names = await call.docnames.take('event', shares.length, at);
  // What a cancellation reversed has its events.
  const events = (after.booked ? [] : byAgency(shares)).map(({ mda, amount }, index): PaymentEvent => {
    const paid = recorded.find((event) => event.kind === 'payment' && event.mda === mda)!;
    return {
      ...paid,
      name: names[index]!,
      kind: 'reversal',
      amount: amount.negated(),
      refund: name,
      txnId: after.providerReference,
      occurredAt: at,
      createdAt: at,
      seal: null,
    };
  });
  // The refund may have changed between its reading and the assessment's, so it is locked too before any shift pays.
  const due = step('due')`
    select r.assessment from ${holdRevision(assessment)}, refund r
    where r.name = ${name} and r.revision = ${revision} for no key update of r`;
  const raised = step('raised')`${raiseRevisions(sql`${due}`, at)}`;
  const counted = after.shift && countInShift(raised, after.shift, events, 0, { covered: true });
  const changed = guard`
    update refund r set status = ${after.status}::refund_status, method = ${after.method}::refund_method, enquire_at = null,
      provider_reference = ${after.providerReference},
      paid_on = ${after.paidOn}, document_hash = ${after.documentHash}, shift = ${after.shift}, done_at = ${at}, revision = ${after.revision},
      updated_at = ${at}
    from ${counted ?? raised} where r.name = ${name} and r.revision = ${revision} returning r.name`;
  const left = sum([...recorded, ...events].map(({ amount }) => amount));
  const receipts =
    left.isZero() && !after.booked
      ? await voidReceipts(call, changed, { assessment: assessment.name, intent }, at)
      : NOTHING_WRITTEN;
  const byCollector =
    after.method === 'provider' && call.rail.aggregators.get(aggregator)?.refunds?.from === 'collector';
  const notification = { kind: 'refunded', assessment: assessment.name, intent, subject: name } as const;
  const done = await commit(call, {
    subject: name,
    guard: changed,
    steps: [
      ...(after.booked ? [] : [insertEvents(changed, events), enterRefund(changed, after, at)]),
      ...receipts.steps,
      ...(await notifyPayer(call, changed, [notification], at)),
      ...(await raiseAnomalies(call, changed, byCollector ? [owedToCollector(after, shares)] : [])),
    ],
    trace: [
      ...told,
      transition(trackRefund(after, shares), edge, status, {
        method: after.method,
        provider_reference: after.providerReference,
        shift: after.shift,
      }),
      ...events.map(traceEvent),
      ...receipts.trace,
    ],
    messages: receipts.messages,
    ...(call.viewer.kind === 'staff' && {
      operated: {
        action: after.shift ? 'refund.pay_cash' : 'refund.prove',
        subject: name,
        before: { status },
        after: { status: after.status, reference: after.providerReference },
        reason: null,
      },
    }),
  });
  return done ? after : undefined;
}

/** Finding that agencies owe the collector what it gave back for them. */
function owedToCollector({ name, intent, currency }: Refund, shares: readonly Share[]): Finding {
  const owed = byAgency(shares);
  return {
    kind: 'refund_to_recover',
    subject: name,
    mdas: owed.map(({ mda }) => mda),
    evidence: { intent, currency, owed: Object.fromEntries(owed.map(({ mda, amount }) => [mda, amount.toNumber()])) },
  };
}
