import type { ProviderStatus } from '../../../adapters/payment/port.ts';
import type { AnomalyKind } from '../../anomalies/kinds.ts';
import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import { type Assessment, getWithPayer } from '../../assessments/find.ts';
import { assessmentLifecycle } from '../../assessments/lifecycle.ts';
import { trackAssessment } from '../../assessments/snapshot.ts';
import { updateAssessment } from '../../assessments/update.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Change, type TraceEntry, commit } from '../../../platform/change/commit.ts';
import { type Step, guard, step } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import { type Sql, joined, json, sql } from '../../../platform/database/sql.ts';
import type { AssessmentStatus, PaymentProof } from '../../../generated/prisma/enums.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { say } from '../../../kernel/text/said.ts';
import { notifyPayer } from '../../citizens/messages/queue.ts';
import { enterPropagations } from '../../propagation/enter.ts';
import { payReference } from '../../references/steps.ts';
import { forgetSigner } from '../../receipts/keys.ts';
import type { ReceiptKind } from '../../receipts/payload.ts';
import { draftReceipt } from '../../receipts/steps.ts';
import type { PaymentEvent, PaymentIntent } from '../find.ts';
import { countInShift, isCountedInShift } from './count-in-shift.ts';
import { intentLifecycle } from '../lifecycle.ts';
import { trackIntent } from '../snapshot.ts';
import { insertIntent, insertSplits, traceOpening } from './open.ts';
import { agenciesBySize } from '../splits.ts';
import { type Till, findTill } from './till.ts';

/** Result of a collection that its aggregator completed. */
export type Collected = 'confirmed' | 'duplicate_collection' | 'late_collection';

export interface Settlement {
  readonly decision: Collected;
  readonly intent: PaymentIntent;
  readonly events: PaymentEvent[];
  readonly assessment: Assessment;
}

interface Also {
  readonly trace: readonly TraceEntry[];
  readonly proof: PaymentProof;
  readonly steps?: (decision: Collected, changed: Step, at: Date) => readonly Step[];
  /** For an intent made by its confirmation: the condition under which it is, and the reference that it pays. */
  readonly made?: Sql;
  readonly reference?: string;
}

/**
 * Materialises money that arrived: the intent becomes Confirmed with one event a split, and its assessment Paid. Money
 * for an assessment that is paid already, or no longer to be paid, is recorded all the same, and raised as an anomaly.
 * Undefined: someone was faster. The triggers that run with it are listed in `../lifecycle.ts`.
 */
export async function settle(
  call: Call,
  intent: PaymentIntent,
  providerStatus: ProviderStatus,
  also: Also,
): Promise<Settlement | undefined> {
  const planned = await planSettlement(call, intent, providerStatus, also);
  if (!planned) return undefined;
  const done = await commit(call, planned.change);
  if (!done) forgetSigner(call);
  return done ? planned.settlement : undefined;
}

/** The change that `settle` makes; undefined where the intent or its assessment can no longer be settled so. */
export async function planSettlement(
  call: Call,
  intent: PaymentIntent,
  providerStatus: ProviderStatus,
  also: Also,
): Promise<{ readonly change: Change; readonly settlement: Settlement } | undefined> {
  if (!allows(intentLifecycle.settle, intent.status)) return undefined;
  const at = call.now();
  const { payerName, utcOffset, ...assessment } = await getWithPayer(call, intent.assessment, at);
  const pays = allows(assessmentLifecycle.settle, assessment.status);
  if (also.made && !pays) return undefined;
  const decision = decideCollected(intent, assessment);
  const till: Till =
    intent.channel === 'cash' ? await findTill(call, assessment) : { shift: assessment.shift, outside: false };
  // Cash that is in nobody's own shift is taken in a sandbox alone, on anybody's word.
  const byHand = till.outside ? 'simulated' : 'cash';
  const proof = intent.channel === 'cash' ? byHand : also.proof;
  const confirmed: PaymentIntent = {
    ...intent,
    status: intentLifecycle.settle.to,
    failureReason: null,
    claimedBy: null,
    claimedAt: null,
    initiatedAt: intent.initiatedAt ?? at,
    confirmedAt: at,
    revision: intent.revision + 1,
    updatedAt: at,
  };
  const after: Assessment = {
    ...assessment,
    ...(pays && { status: assessmentLifecycle.settle.to, paidAt: at }),
    shift: till.shift ?? assessment.shift,
    revision: assessment.revision + 1,
    updatedAt: at,
  };
  const events = await draftEvents(call, confirmed, providerStatus, proof, at);
  const counted = after.shift !== null && (await isCountedInShift(call, after.shift, confirmed)) ? after.shift : null;
  const draft = await draftReceipt(
    call,
    { ...receiptOf(confirmed, assessment, events), paidAt: at, payerName, utcOffset },
    at,
  );
  const changed = guardConfirmation(intent, confirmed, assessment, after, {
    countingShift: counted,
    key: draft.key,
    made: also.made,
  });
  const receipt = draft.write(changed);
  const notification = {
    kind: 'paid',
    assessment: assessment.name,
    intent: intent.name,
    subject: draft.name,
  } as const;
  const kinds: AnomalyKind[] = [
    ...(decision === 'confirmed' ? [] : [decision]),
    ...(till.outside ? ['cash_outside_shift' as const] : []),
  ];
  const byKey: Finding[] =
    till.shift === null || call.viewer.key === null
      ? []
      : [{ ...findingOf('cash_by_key', confirmed, assessment), subject: till.shift }];
  const change: Change = {
    subject: intent.name,
    guard: changed,
    steps: [
      ...(also.made ? [insertSplits(changed, confirmed)] : []),
      insertEvents(changed, events),
      ...(pays ? [enterPropagations(changed, assessment.name, agenciesBySize(intent.splits), at)] : []),
      ...(also.reference ? [payReference(changed, also.reference, intent.name, at)] : []),
      ...receipt.steps,
      ...(await notifyPayer(call, changed, [notification], at)),
      ...(also.steps?.(decision, changed, at) ?? []),
      ...(await raiseAnomalies(call, changed, [
        ...kinds.map((kind) => findingOf(kind, confirmed, assessment)),
        ...(intent.channel === 'cash' ? byKey : []),
      ])),
    ],
    trace: [
      ...(also.made ? [traceOpening(intent)] : []),
      ...also.trace,
      ...traceSettlement(intent, confirmed, assessment, after, [...events.map(traceEvent), ...receipt.trace]),
    ],
    messages: receipt.messages,
  };
  return { change, settlement: { decision, intent: confirmed, events, assessment: after } };
}

/** Kind of a receipt: by the outcome of the assessment, and not by how the money came. */
const RECEIPT_KINDS = {
  Draft: 'late',
  Assessed: 'payment',
  Paid: 'duplicate',
  Cancelled: 'late',
} as const satisfies Record<AssessmentStatus, ReceiptKind>;

function receiptOf(
  { name: intent, integrator, channel, currency, splits }: PaymentIntent,
  { name: assessment, lines, status }: Assessment,
  events: readonly PaymentEvent[],
) {
  const parts = agenciesBySize(splits).map((mda) => {
    const { amount, name: event } = events.find((one) => one.mda === mda)!;
    return { mda, amount, event };
  });
  const services = lines.map(({ serviceName }) => serviceName);
  const { proof } = events[0]!;
  return { intent, assessment, integrator, proof, kind: RECEIPT_KINDS[status], channel, currency, parts, services };
}

function decideCollected(intent: PaymentIntent, assessment: Assessment): Collected {
  if (assessment.status === 'Paid') return 'duplicate_collection';
  const late = assessment.status === 'Cancelled' || intent.status === 'Failed' || intent.status === 'Expired';
  return late ? 'late_collection' : 'confirmed';
}

async function draftEvents(
  call: Call,
  intent: PaymentIntent,
  { txnId }: ProviderStatus,
  proof: PaymentProof,
  at: Date,
): Promise<PaymentEvent[]> {
  const names = await call.docnames.take('event', intent.splits.length, at);
  return intent.splits.map(({ mda, amount }, index) => ({
    name: names[index]!,
    intent: intent.name,
    assessment: intent.assessment,
    integrator: intent.integrator,
    mda,
    amount,
    currency: intent.currency,
    channel: intent.channel,
    kind: 'payment',
    aggregatorReference: intent.aggregatorReference!,
    txnId,
    proof,
    refund: null,
    occurredAt: at,
    createdAt: at,
    seal: null,
  }));
}

/**
 * The guard over both documents, and over the shift that counts. All are locked before anything is written, always in
 * this order; each step takes its row from the one before, so that either all are as they were read and all change, or
 * none does. The key that signed the receipt is not locked, since all payments would queue for it: it has to sign when
 * the statement begins.
 */
function guardConfirmation(
  before: PaymentIntent,
  confirmed: PaymentIntent,
  assessment: Assessment,
  after: Assessment,
  {
    countingShift,
    key,
    made,
  }: { readonly countingShift: string | null; readonly key: Step; readonly made: Sql | undefined },
): Step {
  const locked = step(
    'locked',
  )`select name, assessment from payment_intent where name = ${before.name} and revision = ${before.revision} for no key update`;
  const held = made
    ? step('held')`
        select a.name from assessment a
        where a.name = ${assessment.name} and a.revision = ${assessment.revision} and ${made} for no key update of a`
    : step('held')`
        select a.name from assessment a, ${locked}
        where a.name = ${locked}.assessment and a.revision = ${assessment.revision} for no key update of a`;
  const counted = countingShift === null ? [] : [countInShift(held, countingShift, [confirmed], 1)];
  const parent = step('parent')`${updateAssessment(after, joined([held, key, ...counted]))}`;
  if (made) return guard`${insertIntent(confirmed, sql`null`, sql`${parent}`)}`;
  return guard`
    update payment_intent i set status = ${confirmed.status}::intent_status, failure_reason = null, claimed_by = null,
      claimed_at = null,
      enquire_at = null, initiated_at = ${confirmed.initiatedAt}, confirmed_at = ${confirmed.confirmedAt},
      revision = ${confirmed.revision}, updated_at = ${confirmed.updatedAt}
    from ${parent} where i.name = ${before.name} returning i.name`;
}

/** Inserts payment events, once the change that they prove has happened. */
export function insertEvents(changed: Step, events: readonly PaymentEvent[]): Step {
  return step('events')`
    insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
      aggregator_reference, txn_id, proof, refund, occurred_at, created_at)
    select e.name, e.intent, e.assessment, e.integrator, e.mda, e.amount, e.currency, e.channel, e.kind,
      e."aggregatorReference", e."txnId", e.proof, e.refund, e."occurredAt", e."createdAt"
    from ${changed}, jsonb_to_recordset(${json(events)}::jsonb) as e (name text, intent text, assessment text,
      integrator text, mda text, amount numeric,
      currency text, channel channel, kind payment_event_kind, "aggregatorReference" text, "txnId" text,
        proof payment_proof, refund text, "occurredAt" timestamptz, "createdAt" timestamptz)`;
}

/** The trace row of a payment event. */
export function traceEvent({ assessment, intent, name, kind, mda, amount, currency, proof }: PaymentEvent): TraceEntry {
  const summary =
    kind === 'payment'
      ? say`Payment of ${amount} ${currency} recorded for ${mda}`
      : say`Reversal of ${amount} ${currency} recorded for ${mda}`;
  return {
    kind: 'payment_event.created',
    assessment,
    intent,
    doc: name,
    summary,
    detail: { kind, mda, amount, currency, proof },
  };
}

function traceSettlement(
  before: PaymentIntent,
  confirmed: PaymentIntent,
  assessment: Assessment,
  after: Assessment,
  proof: readonly TraceEntry[],
): TraceEntry[] {
  const intent = trackIntent(confirmed);
  const { initiate, settle: confirm } = intentLifecycle;
  // A callback can report a collection whose initiation was never answered: then it was sent, as the collection
  // proves.
  const moved =
    before.status === 'Pending'
      ? [transition(intent, initiate, before.status), transition(intent, confirm, initiate.to)]
      : [transition(intent, confirm, before.status)];
  const parent = { ...trackAssessment(after), intent: confirmed.name };
  const shift = assessment.shift !== after.shift && { shift: after.shift };
  const paid =
    assessment.status === after.status
      ? []
      : [transition(parent, assessmentLifecycle.settle, assessment.status, { ...shift })];
  return [...moved, ...proof, ...paid];
}

function findingOf(
  kind: AnomalyKind,
  { name: subject, amount, currency, channel, splits }: PaymentIntent,
  assessment: Assessment,
): Finding {
  const evidence = { assessment: assessment.name, assessment_status: assessment.status, amount, currency, channel };
  return { kind, subject, mdas: agenciesBySize(splits), evidence };
}
