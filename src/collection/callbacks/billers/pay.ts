import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import type { PaymentProof } from '../../../generated/prisma/enums.ts';
import type { Biller } from '../../../platform/config/billers.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { raiseAnomalies } from '../../anomalies/raise.ts';
import { getAssessment } from '../../assessments/find.ts';
import { type MoneyKind, applyOrBook, bookMoney, differenceOf, nameMoney } from '../../money/receive.ts';
import { announceMoney } from '../../money/announce.ts';
import { traceVerification } from '../../payments/confirm.ts';
import { draftIntent } from '../../payments/settlement/open.ts';
import { settle } from '../../payments/settlement/settle.ts';
import { deriveSplits } from '../../payments/splits.ts';
import type { Payable } from '../../references/find.ts';
import { isUnchanged } from '../../references/steps.ts';
import { type Decided, type Known, decisionsOn, refuseReused } from '../decisions.ts';
import { keepClaim } from '../claims/keep.ts';
import { admitSigned, isOwnForm } from '../signature.ts';
import { type BillerInput, findBiller, findServed } from './lookup.ts';
import { type BillerPayment, parsePayment } from './message.ts';

/** Decision on a payment by reference: it pays, or is money that arrived. */
export type BillerDecision = 'confirmed' | MoneyKind;

/** The answer to what nothing has proved yet. */
const UNPROVED = { decision: 'unproved', intent: null, object: null } as const;

type Stored = ReturnType<typeof decisionsOn<BillerDecision>>;

/**
 * Takes what a payment point says about money that it has: the exact amount of a reference that could be paid then pays
 * it, and anything else is booked as money that arrived. A transaction is decided on once. What is not signed waits
 * until the payment point is asked, where it can be.
 */
export async function receiveBillerPayment(
  caller: Call,
  { provider, ...raw }: BillerInput,
): Promise<Decided<BillerDecision | 'unproved'>> {
  const biller = findBiller(caller, provider);
  if (biller?.enquiries && !isOwnForm(raw)) {
    await caller.rail.limits.countAnonymous(caller.transport.source.address);
    await keepClaim(caller, provider, parsePayment(raw.body));
    return UNPROVED;
  }
  const { signed, message } = await admitSigned(caller, biller?.secrets ?? null, raw, parsePayment);
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  const { otherwise, reused, ...decided } = await decideOn(call, biller!, message, {
    signed,
    body: raw.body,
    proof: signed ? 'callback' : 'simulated',
  });
  if (reused) throw refuseReused();
  if (otherwise)
    throw refuseValue('txn_id', 'was told before with another reference, amount or currency; that decision stays');
  return decided;
}

/**
 * A decision, and whether it was made on what was told otherwise of the same transaction, or is no answer since the event
 * was about something else.
 */
type DecidedOnce = Decided<BillerDecision> & { readonly otherwise?: boolean; readonly reused?: boolean };

/**
 * Decides on a payment that is proved, once. It goes by its transaction: money whose transaction is not booked is not
 * answered with what became of other money, even if its event was used before.
 */
export async function decideOn(
  call: Call,
  biller: Biller,
  message: BillerPayment,
  { proof, ...received }: { readonly signed: boolean; readonly body: Buffer; readonly proof: PaymentProof },
): Promise<DecidedOnce> {
  const { eventId, txnId: txn_id, reference, amount, currency } = message;
  const about = { txn_id, reference, amount: amount.toString(), currency };
  const stored = decisionsOn<BillerDecision>(call, { sender: biller.name, eventId, about, ...received });
  return retryUntilSettled(async () => {
    const before = await findReportedBefore(call, biller.name, message);
    if (before && !before.otherwise && before.decision !== 'event_reused') return before;
    const known = await stored.find();
    if (before && known) await stored.raise(known);
    const decided = before ?? (await decide(call, biller, { ...message, proof }, stored, known));
    return decided && { ...decided, reused: known !== null };
  });
}

/** The decision on a transaction that was reported before. It stands, also if it is reported otherwise now. */
async function findReportedBefore(
  { db }: Call,
  provider: string,
  { txnId, reference, amount, currency }: BillerPayment,
): Promise<DecidedOnce | null> {
  interface Earlier extends Decided<BillerDecision> {
    readonly reference: string | null;
    readonly amount: Decimal;
    readonly currency: string;
  }
  const before = await db.row<Earlier>(sql`
    select 'confirmed' as decision, i.name as intent, null as object, p.number as reference, i.amount, i.currency
    from payment_intent i join payment_reference p on p.paid_by = i.name
    where i.aggregator = ${provider} and i.aggregator_reference = ${txnId}
    union all select kind, null, name, reference, amount, currency from money_received
    where provider = ${provider} and txn_id = ${txnId}`);
  if (!before) return null;
  const { decision, intent, object } = before;
  const same = before.reference === reference && before.currency === currency && before.amount.equals(amount);
  return { decision, intent, object, otherwise: !same };
}

/** Undefined: someone was faster, read again. */
async function decide(
  call: Call,
  biller: Biller,
  payment: Proved,
  stored: Stored,
  known: Known<BillerDecision> | null,
): Promise<Decided<BillerDecision> | undefined> {
  const reported = { ...payment, channel: payment.channel ?? biller.channels[0]!, provider: biller.name };
  const reference = await findServed(call, biller, payment.reference);
  const kind = known ? 'event_reused' : findObstacle(reference, payment, call.now());
  const keep = (as: MoneyKind) => book(call, reference, as, reported, stored, known);
  return kind === null
    ? applyOrBook(
        call,
        () => pay(call, reference!, reported, stored),
        () => keep('unapplied'),
      )
    : keep(kind);
}

/**
 * Reason why money pays nothing; null if it pays. It pays if the reference could be paid when the money was, even if it
 * has expired since, and was withdrawn for another to be issued.
 */
function findObstacle(
  reference: Payable | null,
  { amount, currency, paidAt }: BillerPayment,
  now: Date,
): MoneyKind | null {
  if (!reference) return 'unknown_reference';
  const { status, expiresAt, updatedAt, owed } = reference;
  if (status === 'Paid') return 'already_paid';
  // A clock that is ahead makes nobody late.
  const inTime = (paidAt < now ? paidAt : now) <= expiresAt;
  const lapsed = status === 'Withdrawn' && inTime && updatedAt > expiresAt;
  if (!owed || (status === 'Withdrawn' && !lapsed)) return 'withdrawn';
  const difference = differenceOf({ amount, currency }, reference);
  if (difference === 'wrong_currency') return difference;
  return inTime ? difference : 'late';
}

interface Proved extends BillerPayment {
  readonly proof: PaymentProof;
}

interface Reported extends Proved {
  readonly provider: string;
  readonly channel: NonNullable<BillerPayment['channel']>;
}

/** Makes an intent and confirms it, in one statement. Undefined: someone was faster. */
async function pay(
  call: Call,
  reference: Payable,
  reported: Reported,
  { store }: Stored,
): Promise<Decided<BillerDecision> | undefined> {
  const { provider, channel, txnId, amount, currency, paidAt, eventId, proof } = reported;
  const at = call.now();
  const assessment = await getAssessment(call, reference.assessment);
  const intent = draftIntent(call, assessment, at, {
    name: await call.docnames.next('intent', at),
    channel,
    aggregator: provider,
    aggregatorReference: txnId,
    splits: deriveSplits(assessment.lines),
  });
  const response = { event_id: eventId, reference: reference.number, txn_id: txnId, paid_at: paidAt };
  const status = { status: 'SUCCESSFUL', txnId, amount, currency, settledAt: paidAt, reason: null, response } as const;
  const decided = { decision: 'confirmed', intent: intent.name, object: null } as const;
  try {
    const settlement = await settle(call, intent, status, {
      made: isUnchanged(reference),
      reference: reference.number,
      trace: [traceVerification(intent, status, `callback ${eventId}`)],
      proof,
      steps: (_collected, changed) => [store(changed, decided)],
    });
    return settlement && decided;
  } catch (error) {
    if (violatedUniqueOf(error) !== 'payment_intent_aggregator_reference_aggregator_key') throw error;
    return undefined;
  }
}

/** Books money that pays nothing, for people to settle. Undefined: someone was faster. */
async function book(
  call: Call,
  reference: Payable | null,
  kind: MoneyKind,
  reported: Reported,
  { store, finding }: Stored,
  known: Known<BillerDecision> | null,
): Promise<Decided<BillerDecision> | undefined> {
  const { provider, channel, txnId, amount, currency, paidAt } = reported;
  const money = await nameMoney(call, {
    provider,
    txnId,
    kind,
    amount,
    currency,
    channel,
    reference: reported.reference,
    intent: null,
    assessment: reference?.assessment ?? null,
    receivedAt: paidAt,
  });
  const changed = bookMoney(money);
  const { name: subject, assessment } = money;
  const evidence = { provider, kind, amount, currency, channel, assessment };
  const mdas = reference?.mdas ?? [];
  const raised = known ? finding(known, mdas) : ({ kind: 'money_unmatched', subject, mdas, evidence } as const);
  const owners = { integrator: reference?.integrator ?? null, mdas };
  const decided = { decision: kind, intent: null, object: subject } as const;
  const done = await commit(call, {
    subject: null,
    guard: changed,
    steps: [
      store(changed, decided),
      ...(await raiseAnomalies(call, changed, [raised])),
      ...(await announceMoney(call, changed, money, owners)),
    ],
  });
  return done ? decided : undefined;
}
