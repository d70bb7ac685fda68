import type { Call } from '../../../../platform/call/call.ts';
import { type Change, type TraceEntry, commit } from '../../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../../platform/change/step.ts';
import { empty, sql } from '../../../../platform/database/sql.ts';
import { sum } from '../../../../kernel/money.ts';
import { type Finding, raiseAnomalies } from '../../../anomalies/raise.ts';
import { getAssessment } from '../../../assessments/find.ts';
import { holdRevision, raiseRevisions } from '../../../assessments/update.ts';
import { notifyPayer } from '../../../citizens/messages/queue.ts';
import { type PaymentEvent, eventsOf, getIntent } from '../../find.ts';
import { countInShift } from '../../settlement/count-in-shift.ts';
import { insertEvents, traceEvent } from '../../settlement/settle.ts';
import { insertOutcomes } from '../../../money/outcomes.ts';
import { enterRefund } from '../../../propagation/enter.ts';
import { NOTHING_WRITTEN, voidReceipts } from '../../../receipts/steps.ts';
import { closeDispute } from '../dispute.ts';
import { updateRefund } from '../draft.ts';
import { type PaymentRefund, type Refund, isOfPayment, readSharesOf } from '../find.ts';
import { refundLifecycle } from '../lifecycle.ts';
import { type Share, byAgency } from '../shares.ts';
import { traceRefund } from '../snapshot.ts';

/** Proof that a refund was paid. */
type Proof = Partial<Pick<Refund, 'providerReference' | 'method' | 'paidOn' | 'documentHash' | 'shift'>>;

/** Records that a refund was paid. Undefined: someone was faster. */
export async function finishRefund(
  call: Call,
  before: Refund,
  proof: Proof,
  told: readonly TraceEntry[] = [],
): Promise<Refund | undefined> {
  const at = call.now();
  const { to: status } = refundLifecycle.finish;
  const after = {
    ...before,
    ...proof,
    status,
    enquireAt: null,
    doneAt: at,
    revision: before.revision + 1,
    updatedAt: at,
  };
  if (!isOfPayment(before) || !isOfPayment(after)) return finishMoneyRefund(call, before, after);
  const change = await planFinish(call, before, after, { ...operatedBy(call, before, after), trace: told });
  return (await commit(call, change)) ? after : undefined;
}

/** The change by which a chargeback is Done with the decision on it, while a relation has a row: nobody pays it. */
export function planChargeback(call: Call, before: PaymentRefund, decided: Change, held: Step): Promise<Change> {
  const at = call.now();
  const { to: status } = refundLifecycle.finish;
  const after = { ...before, status, approvedAt: at, doneAt: at, revision: before.revision + 2, updatedAt: at };
  return planFinish(call, before, after, decided, held);
}

/** The operators' action of a refund that staff paid. */
function operatedBy({ viewer }: Call, { status }: Refund, after: Refund): Pick<Change, 'operated'> {
  if (viewer.kind !== 'staff') return {};
  return {
    operated: {
      action: after.shift ? 'refund.pay_cash' : 'refund.prove',
      subject: after.name,
      before: { status },
      after: { status: after.status, reference: after.providerReference },
      reason: null,
    },
  };
}

/** Money that paid nothing was given back: that is its outcome. */
async function finishMoneyRefund(call: Call, before: Refund, after: Refund): Promise<Refund | undefined> {
  const { name, money, assessment, amount } = after;
  const at = after.updatedAt;
  const changed = guard`${updateRefund(after)}`;
  const outcome = { money: money!, kind: 'returned', amount, intent: null, refund: name, reason: null, at } as const;
  const done = await commit(call, {
    subject: name,
    guard: changed,
    steps: [
      insertOutcomes(changed, [{ ...outcome, decidedBy: call.viewer.actor }]),
      ...(assessment === null
        ? []
        : await notifyPayer(call, changed, [{ kind: 'refunded', assessment, intent: null, subject: name }], at)),
    ],
    trace: traceRefund(after, [], refundLifecycle.finish, before.status, howPaid(after)),
    ...operatedBy(call, before, after),
  });
  return done ? after : undefined;
}

const howPaid = ({ method, providerReference, shift }: Refund) => ({
  method,
  provider_reference: providerReference,
  shift,
});

/**
 * The change by which a refund of a payment was paid, together with other parts of it. Unless a cancellation reversed the payment before, each agency gets a negative payment
 * event by the number of its provider or bank, the agencies that know of the payment are notified, and the receipt is void once
 * nothing is left of it.
 */
async function planFinish(
  call: Call,
  before: PaymentRefund,
  after: PaymentRefund,
  { trace = [], operated = [] }: Pick<Change, 'trace' | 'operated'>,
  held: Step | null = null,
): Promise<Change> {
  const { name, intent, revision } = before;
  const status = held ? refundLifecycle.approve.to : before.status;
  const at = after.updatedAt;
  const [assessment, shares, recorded, { aggregator }] = await Promise.all([
    getAssessment(call, before.assessment),
    readSharesOf(call, name),
    eventsOf(call, intent),
    getIntent(call, intent),
  ]);
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
    select r.assessment from ${holdRevision(assessment)}, refund r ${held ? sql`, ${held}` : empty}
    where r.name = ${name} and r.revision = ${revision} for no key update of r`;
  const raised = step('raised')`${raiseRevisions(sql`${due}`, at)}`;
  const counted = after.shift === null ? null : countInShift(raised, after.shift, events, 0, { covered: true });
  const changed = guard`${updateRefund(after, counted ?? raised, revision)}`;
  const left = sum([...recorded, ...events].map(({ amount }) => amount));
  const receipts =
    left.isZero() && !after.booked
      ? await voidReceipts(call, changed, { assessment: assessment.name, intent }, at)
      : NOTHING_WRITTEN;
  const isByProvider = after.method === 'provider' || after.method === 'chargeback';
  const byCollector = isByProvider && call.rail.aggregators.get(aggregator)?.refunds?.from === 'collector';
  const ended = after.method === 'chargeback' ? await closeDispute(call, changed, after) : null;
  const notification = { kind: 'refunded', assessment: assessment.name, intent, subject: name } as const;
  return {
    subject: name,
    guard: changed,
    steps: [
      ...(after.booked ? [] : [insertEvents(changed, events), enterRefund(changed, after, at)]),
      ...receipts.steps,
      ...(await notifyPayer(call, changed, [notification], at)),
      ...(await raiseAnomalies(call, changed, byCollector ? [owedToCollector(after, shares)] : [])),
      ...(ended?.steps ?? []),
    ],
    trace: [
      ...trace,
      ...traceRefund(after, shares, refundLifecycle.finish, status, howPaid(after)),
      ...events.map(traceEvent),
      ...receipts.trace,
    ],
    messages: receipts.messages,
    operated: [...[operated].flat(), ...(ended?.operated ?? [])],
  };
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
