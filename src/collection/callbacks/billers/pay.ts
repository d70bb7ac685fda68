import { actAsSystem } from '../../../platform/access/viewer.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import type { Biller } from '../../../platform/config/billers.ts';
import { violatedUniqueOf } from '../../../platform/database/errors.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Decimal } from '../../../kernel/money.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import { raiseAnomalies } from '../../anomalies/raise.ts';
import { getAssessment } from '../../assessments/find.ts';
import { type MoneyKind, bookMoney, differenceOf, nameMoney } from '../../money/receive.ts';
import { traceVerification } from '../../payments/confirm.ts';
import { draftIntent } from '../../payments/settlement/open.ts';
import { settle } from '../../payments/settlement/settle.ts';
import { deriveSplits } from '../../payments/splits.ts';
import type { Payable } from '../../references/find.ts';
import { isIssued } from '../../references/steps.ts';
import { type Decided, decisionsOn } from '../decisions.ts';
import { keepClaim } from '../claims/keep.ts';
import { admitSigned, isOwnForm } from '../signature.ts';
import { type BillerInput, findBiller, findServed } from './lookup.ts';
import { type BillerPayment, parsePayment, requireTellable } from './message.ts';

/** What comes of a payment by reference: it pays, or is money that arrived. */
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
    await caller.limits.countAnonymous(caller.source.address);
    await keepClaim(caller, provider, parsePayment(raw.body));
    return UNPROVED;
  }
  const { signed, message } = await admitSigned(caller, biller?.secrets ?? null, raw, parsePayment);
  const call: Call = { ...caller, viewer: actAsSystem(`callback:${provider}`) };
  return decideOn(call, biller!, message, { signed, body: raw.body });
}

/** Decides on a payment that is proved, once. */
export async function decideOn(
  call: Call,
  biller: Biller,
  message: BillerPayment,
  received: { readonly signed: boolean; readonly body: Buffer },
): Promise<Decided<BillerDecision>> {
  const { eventId } = message;
  const stored = decisionsOn<BillerDecision>(call, { sender: biller.name, eventId, ...received });
  return retryUntilSettled(
    async () =>
      (await stored.find()) ??
      (await findToldBefore(call, biller.name, message)) ??
      (await decide(call, biller, message, stored)),
  );
}

/** The decision on a transaction that was reported before. It stands; what is reported of it otherwise is refused. */
async function findToldBefore(
  { db }: Call,
  provider: string,
  { txnId, reference, amount, currency }: BillerPayment,
): Promise<Decided<BillerDecision> | null> {
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
  if (before.reference === reference && before.currency === currency && before.amount.equals(amount))
    return { decision, intent, object };
  throw refuseValue('txn_id', 'was told before with another reference, amount or currency; that decision stays');
}

/** Undefined: someone was faster, read again. */
async function decide(
  call: Call,
  biller: Biller,
  payment: BillerPayment,
  stored: Stored,
): Promise<Decided<BillerDecision> | undefined> {
  const channel = payment.channel ?? biller.channels[0]!;
  if (!biller.channels.includes(channel)) throw refuseValue('channel', `must be one of ${biller.channels.join(', ')}`);
  const reference = await findServed(call, biller, payment.reference);
  requireTellable(payment.paidAt, call.now(), reference?.createdAt);
  const told = { ...payment, channel, provider: biller.name };
  const kind = findObstacle(reference, payment);
  const done = await (kind === null ? pay(call, reference!, told, stored) : book(call, reference, kind, told, stored));
  // What was stored is the answer: with two at once only one is.
  return done ? ((await stored.find()) ?? undefined) : undefined;
}

/** Why money pays nothing; null where it pays. */
function findObstacle(reference: Payable | null, { amount, currency, paidAt }: BillerPayment): MoneyKind | null {
  if (!reference) return 'unknown_reference';
  if (reference.status === 'Paid') return 'already_paid';
  if (reference.status === 'Withdrawn') return 'withdrawn';
  const difference = differenceOf({ amount, currency }, reference);
  if (difference === 'wrong_currency') return difference;
  return paidAt > reference.expiresAt ? 'late' : difference;
}

interface Told extends BillerPayment {
  readonly provider: string;
  readonly channel: NonNullable<BillerPayment['channel']>;
}

/** Makes an intent and confirms it, in one statement. */
async function pay(call: Call, reference: Payable, told: Told, { store }: Stored): Promise<boolean> {
  const { provider, channel, txnId, amount, currency, paidAt, eventId } = told;
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
  try {
    const settlement = await settle(call, intent, status, {
      made: isIssued(reference.number),
      trace: [traceVerification(intent, status, `callback ${eventId}`)],
      steps: (_collected, changed) => [store(changed, { decision: 'confirmed', intent: intent.name, object: null })],
    });
    return settlement !== undefined;
  } catch (error) {
    if (violatedUniqueOf(error) !== 'payment_intent_aggregator_reference_aggregator_key') throw error;
    return false;
  }
}

/** Books money that pays nothing, for people to settle. */
async function book(
  call: Call,
  reference: Payable | null,
  kind: MoneyKind,
  told: Told,
  { store }: Stored,
): Promise<boolean> {
  const { provider, channel, txnId, amount, currency, paidAt } = told;
  const money = await nameMoney(call, {
    provider,
    txnId,
    kind,
    amount,
    currency,
    channel,
    reference: told.reference,
    intent: null,
    assessment: reference?.assessment ?? null,
    receivedAt: paidAt,
  });
  const changed = bookMoney(money);
  const { name: subject, assessment } = money;
  const evidence = { provider, kind, amount, currency, channel, assessment };
  const finding = { kind: 'money_unmatched', subject, mdas: reference?.mdas ?? [], evidence } as const;
  return commit(call, {
    subject: null,
    guard: changed,
    steps: [
      store(changed, { decision: kind, intent: null, object: subject }),
      ...(await raiseAnomalies(call, changed, [finding])),
    ],
  });
}
