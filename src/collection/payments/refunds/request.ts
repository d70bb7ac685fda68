import { partsWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { findRefusal } from '../../../platform/access/viewer.ts';
import { type Change, commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import { type Step, step } from '../../../platform/change/step.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { RefundMethod } from '../../../generated/prisma/enums.ts';
import { type Decimal, requirePositive, sum, zero } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { readText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { askWith } from '../../approvals/ask.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { findAssessment, getAssessment } from '../../assessments/find.ts';
import { raiseRevision } from '../../assessments/update.ts';
import { getMoney, readAgenciesOf } from '../../money/find.ts';
import { readOpenOf } from '../../money/outcomes.ts';
import { type PaymentIntent, eventsOf, getIntent } from '../find.ts';
import { findTakers } from '../settlement/takers.ts';
import { agenciesBySize } from '../splits.ts';
import { refundApproval } from './approval.ts';
import { LONGEST_NUMBER, raiseRest } from './dispute.ts';
import type { Refund } from './find.ts';
import { finishRefund } from './paying/finish.ts';
import type { ReasonCode } from './reason-codes.ts';
import { type OpenMethod, methodsOf, readLeftOf } from './refundable.ts';
import { type AskedLine, type Share, byAgency, sharesOfLines, spread } from './shares.ts';
import { type Subject, draftRefund, insertRefunds, insertShares, subjectOf, traceRequest } from './draft.ts';

interface RefundInput {
  readonly intent?: string | null | undefined;
  /** Money that paid nothing, instead of an intent. */
  readonly money?: string | null | undefined;
  readonly payeeHint?: string | null | undefined;
  readonly lines?: readonly AskedLine[] | null | undefined;
  readonly amount?: Decimal | null | undefined;
  readonly reasonCode: ReasonCode;
  readonly note?: string | null | undefined;
  readonly method?: RefundMethod | null | undefined;
  readonly providerReference?: string | null | undefined;
  readonly expectedAvailable?: Decimal | null | undefined;
}

/** An input whose texts were read. */
interface Read extends RefundInput {
  readonly note: string | null;
  readonly payeeHint: string | null;
}

/**
 * Asks for a refund of a payment, or of money that paid nothing, in full or in part. In a sandbox it is Approved at once;
 * on a live rail an independent person approves it. A chargeback is Done with that. Two at once that exceed what is left cannot both happen: each raises
 * the revision of the payment's assessment, and of money a trigger lets one of them be tried again.
 */
export function requestRefund(call: Call, input: RefundInput): Promise<Refund> {
  const { intent, money, lines, amount, reasonCode } = input;
  const note = readText('note', input.note);
  const payeeHint = readText('payeeHint', input.payeeHint);
  if (reasonCode === 'other' && note === null) throw refuseValue('note', say`is required for the reason "other"`);
  if (lines != null && amount != null) throw refuseValue('amount', say`cannot be sent together with lines`);
  const isChargeback = input.method === 'chargeback';
  const providerReference = readText('providerReference', input.providerReference, LONGEST_NUMBER);
  if (isChargeback !== (providerReference !== null))
    throw refuseValue('providerReference', say`is required for the method "chargeback", and for no other`);
  if ((intent == null) === (money == null)) throw refuseValue('intent', say`is required, or \`money\` instead`);
  return retryUntilSettled(() =>
    money == null
      ? requestOfPayment(call, intent!, { ...input, note, payeeHint, providerReference })
      : requestOfMoney(call, money, { ...input, note, payeeHint }),
  );
}

async function requestOfPayment(
  call: Call,
  name: string,
  input: Read & { readonly providerReference: string | null },
): Promise<Refund | undefined> {
  const intent = await getIntent(call, name);
  const assessment = await getAssessment(call, intent.assessment);
  const whole = await readLeftOf(call, intent.name);
  const left = requireLeft(call, intent, whole, input.expectedAvailable ?? null);
  const { providerReference } = input;
  if (providerReference !== null) await requireNew(call, name, providerReference);
  const isCapped = providerReference !== null && left.length === whole.length;
  const rest = isCapped ? restOf(left, input.amount, intent.currency) : zero;
  const shares = sharesOf(left, rest.isZero() ? input : { ...input, amount: null }, intent.currency);
  const subject = { ...subjectOf(intent, shares), payeeHint: input.payeeHint };
  const open = methodsOf(call, intent, sum(whole.map((share) => share.amount)));
  const method = requireMethod(intent, open, wayOf(intent, input), subject.amount);
  const paid = (await eventsOf(call, name)).filter(({ kind }) => kind === 'payment');
  return enter(call, raiseRevision(assessment, call.now()), subject, shares, {
    method,
    reasonCode: input.reasonCode,
    note: input.note,
    providerReference,
    also: async (changed, refund) => (rest.isZero() ? [] : raiseRest(call, changed, intent, refund, rest)),
    about: await findTakers(call, intent.assessment, paid),
    mdas: agenciesBySize(shares),
  });
}

/** Money that paid nothing is given back by transfer: payment points give nothing back by call. */
async function requestOfMoney(
  call: Call,
  name: string,
  { amount, lines, method, expectedAvailable, reasonCode, note, payeeHint }: Read,
): Promise<Refund | undefined> {
  const refusal = findRefusal(call.viewer, 'money.write');
  if (refusal) throw refusal;
  if (lines != null) throw refuseValue('lines', say`are of a payment, and money has none`);
  if (method != null && method !== 'transfer')
    throw refuseBecause('refund_not_possible', `${name} can be refunded by transfer`, 'method');
  const money = await getMoney(call, name);
  const { currency } = money;
  const open = await readOpenOf(call, name);
  if (expectedAvailable && !expectedAvailable.equals(open))
    throw refuseBecause(
      'refund_available_changed',
      `${open.toString()} ${currency} of ${name} is open now`,
      'expectedAvailable',
    );
  const given = amount == null ? open : requirePositive('amount', amount, currency);
  if (open.isZero() || open.lessThan(given))
    throw refuseBecause('money_closed', `${open.toString()} ${currency} of ${name} is open`, 'amount');
  const assessment = money.assessment === null ? null : await findAssessment(call, money.assessment);
  const held = step('held')`select m.name from money_received m where m.name = ${name} for no key update of m`;
  const subject = {
    intent: null,
    money: name,
    payeeHint,
    assessment: money.assessment,
    integrator: assessment?.integrator ?? null,
    currency,
    amount: given,
  };
  const mdas = await readAgenciesOf(call, money);
  return enter(call, held, subject, [], {
    method: 'transfer',
    reasonCode,
    note,
    providerReference: null,
    about: [],
    mdas,
  });
}

/** Enters a refund, and asks a second person where that takes one. Undefined: someone was faster. */
async function enter(
  call: Call,
  held: Step,
  subject: Subject,
  shares: readonly Share[],
  {
    about,
    mdas,
    also,
    ...draft
  }: {
    readonly about: readonly string[];
    readonly mdas: readonly string[];
    readonly method: RefundMethod;
    readonly reasonCode: ReasonCode;
    readonly note: string | null;
    readonly providerReference: string | null;
    readonly also?: (changed: Step, refund: Refund) => Promise<readonly Step[]>;
  },
): Promise<Refund | undefined> {
  const waits = takesApproval(call);
  const refund = await draftRefund(call, subject, { ...draft, booked: false, isApproved: !waits });
  const { name, intent, money, amount, currency, status, method } = refund;
  const drafted = [{ refund, shares }];
  const changed = insertRefunds(held, drafted);
  const reason = draft.note ?? draft.reasonCode;
  const proposal = {
    intent: intent ?? money!,
    amount: String(amount),
    currency,
    reason_code: draft.reasonCode,
    method,
    ...(refund.providerReference && { provider_reference: refund.providerReference }),
    shares: byAgency(shares).map((share) => ({ mda: share.mda, amount: String(share.amount) })),
  };
  const change: Change = {
    subject: name,
    guard: changed,
    steps: [
      ...(shares.length > 0 ? [insertShares(changed, drafted)] : []),
      ...(waits
        ? [await askWith(call, refundApproval, changed, { subject: name, about, mdas, proposal, reason })]
        : []),
      ...((await also?.(changed, refund)) ?? []),
    ],
    trace: traceRequest(refund, shares),
    ...(call.viewer.kind === 'staff' && {
      operated: {
        action: 'refund.request',
        subject: name,
        before: null,
        after: { ...(intent === null ? { money } : { intent }), amount, currency, status },
        reason,
      },
    }),
  };
  if (method === 'chargeback' && !waits) return commitDone(call, change, refund);
  return (await commit(call, change)) ? refund : undefined;
}

/** Makes a chargeback that nobody decides on, Done at once. */
function commitDone(call: Call, change: Change, refund: Refund): Promise<Refund | undefined> {
  return call.rail.transaction(async (db) => {
    if (!(await commit({ ...call, db }, change))) return undefined;
    const done = await finishRefund({ ...call, db, once: null }, refund, {});
    if (!done) throw new Error(`${refund.name} changed while it was written`);
    return done;
  });
}

/** Refuses the number of a chargeback that was entered before. */
async function requireNew({ db }: Call, intent: string, number: string): Promise<void> {
  const before = await db.row<{ name: string }>(sql`
    select name from refund where intent = ${intent} and method = 'chargeback' and provider_reference = ${number}
      and status <> 'Declined'`);
  if (before) throw refuseValue('providerReference', say`is the number of ${before.name} already`);
}

/** How much more a provider took back than is left. */
function restOf(left: readonly Share[], amount: Decimal | null | undefined, currency: string): Decimal {
  if (amount == null) return zero;
  const rest = requirePositive('amount', amount, currency).minus(sum(left.map((share) => share.amount)));
  return rest.greaterThan(0) ? rest : zero;
}

function requireLeft(
  { viewer }: Call,
  intent: PaymentIntent,
  whole: readonly Share[],
  expected: Decimal | null,
): Share[] {
  const { name, status } = intent;
  if (status !== 'Confirmed')
    throw refuseBecause(
      'refund_not_possible',
      `${name} is ${status}; only a Confirmed payment can be refunded`,
      'intent',
    );
  const left = partsWithin(viewer, whole);
  const available = sum(left.map(({ amount }) => amount));
  if (expected && !expected.equals(available))
    throw refuseBecause(
      'refund_available_changed',
      `${available.toString()} ${intent.currency} of ${name} can be refunded now`,
      'expectedAvailable',
    );
  if (left.length === 0)
    throw refuseBecause('refund_not_possible', `Nothing is left of ${name} that could be refunded`, 'intent');
  return left;
}

function sharesOf(left: readonly Share[], { lines, amount }: RefundInput, currency: string): Share[] {
  if (lines != null) {
    if (lines.length === 0) throw refuseValue('lines', say`must not be empty`);
    return sharesOfLines(left, lines, currency);
  }
  return amount == null ? [...left] : spread(left, requirePositive('amount', amount, currency), currency);
}

/** The method that is asked for; a payee who did not pay gets a transfer, for a reason in words. */
function wayOf({ name }: PaymentIntent, { payeeHint, note, method = null }: Read): RefundMethod | null {
  if (payeeHint === null) return method;
  if (note === null) throw refuseValue('note', say`is required if somebody else than the payer gets the money`);
  if (method !== null && method !== 'transfer')
    throw refuseBecause('refund_not_possible', `${name} can be refunded to another payee by transfer`, 'method');
  return 'transfer';
}

function requireMethod(
  { name, amount: paid }: PaymentIntent,
  open: readonly OpenMethod[],
  asked: RefundMethod | null,
  amount: Decimal,
): RefundMethod {
  if (open.length === 0)
    throw refuseBecause('refund_too_late', `${name} was paid too long ago to be refunded`, 'intent');
  const fitting = open.filter(({ partial }) => partial || amount.equals(paid)).map(({ method }) => method);
  const method = asked ?? fitting[0];
  if (method === undefined || !fitting.includes(method))
    throw refuseBecause('refund_not_possible', `${name} can be refunded by ${fitting.join(' or ')}`, 'method');
  return method;
}
