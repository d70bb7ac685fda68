import { partsWithin } from '../../../platform/access/owned.ts';
import type { Call } from '../../../platform/call/call.ts';
import { commit, retryUntilSettled } from '../../../platform/change/commit.ts';
import type { Step } from '../../../platform/change/step.ts';
import type { RefundMethod } from '../../../generated/prisma/enums.ts';
import { type Decimal, requirePositive, sum } from '../../../kernel/money.ts';
import { refuseBecause, refuseValue } from '../../../kernel/refusal.ts';
import { readText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { askWith } from '../../approvals/ask.ts';
import { takesApproval } from '../../approvals/kinds.ts';
import { getAssessment } from '../../assessments/find.ts';
import { raiseRevision } from '../../assessments/update.ts';
import { type PaymentIntent, eventsOf, getIntent } from '../find.ts';
import { findTakers } from '../settlement/takers.ts';
import { agenciesBySize } from '../splits.ts';
import { refundApproval } from './approval.ts';
import type { Refund } from './find.ts';
import type { ReasonCode } from './reason-codes.ts';
import { type OpenMethod, methodsOf, readLeftOf } from './refundable.ts';
import { type AskedLine, type Share, byAgency, sharesOfLines, spread } from './shares.ts';
import { draftRefund, insertRefunds, insertShares, traceRequest } from './draft.ts';

interface RefundInput {
  readonly intent: string;
  readonly lines?: readonly AskedLine[] | null | undefined;
  readonly amount?: Decimal | null | undefined;
  readonly reasonCode: ReasonCode;
  readonly note?: string | null | undefined;
  readonly method?: RefundMethod | null | undefined;
  readonly expectedAvailable?: Decimal | null | undefined;
}

/**
 * Asks for a refund of a payment, in full or in part. In a sandbox it is Approved at once; on a live rail an independent
 * person approves it. Two at once that exceed what is left cannot both happen: each raises the assessment's revision.
 */
export function requestRefund(call: Call, input: RefundInput): Promise<Refund> {
  const note = readText('note', input.note);
  if (input.reasonCode === 'other' && note === null) throw refuseValue('note', say`is required for the reason "other"`);
  if (input.lines != null && input.amount != null) throw refuseValue('amount', say`cannot be sent together with lines`);
  return retryUntilSettled(async () => {
    const intent = await getIntent(call, input.intent);
    const assessment = await getAssessment(call, intent.assessment);
    const whole = await readLeftOf(call, intent.name);
    const left = requireLeft(call, intent, whole, input.expectedAvailable ?? null);
    const shares = sharesOf(left, input, intent.currency);
    const amount = sum(shares.map((share) => share.amount));
    const open = methodsOf(call, intent, sum(whole.map((share) => share.amount)));
    const method = requireMethod(intent, open, input.method ?? null, amount);
    const waits = takesApproval(call);
    const refund = await draftRefund(call, intent, shares, {
      method,
      reasonCode: input.reasonCode,
      note,
      booked: false,
      isApproved: !waits,
    });
    const drafted = [{ refund, shares }];
    const changed = insertRefunds(raiseRevision(assessment, refund.createdAt), drafted);
    const done = await commit(call, {
      subject: refund.name,
      guard: changed,
      steps: [
        insertShares(changed, drafted),
        ...(waits ? [await askForDecision(call, changed, intent, refund, shares)] : []),
      ],
      trace: traceRequest(refund, shares),
      ...(call.viewer.kind === 'staff' && {
        operated: {
          action: 'refund.request',
          subject: refund.name,
          before: null,
          after: { intent: intent.name, amount: refund.amount, currency: refund.currency, status: refund.status },
          reason: note ?? refund.reasonCode,
        },
      }),
    });
    return done ? refund : undefined;
  });
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

async function askForDecision(
  call: Call,
  changed: Step,
  intent: PaymentIntent,
  { name, amount, currency, reasonCode, method, note }: Refund,
  shares: readonly Share[],
): Promise<Step> {
  const paid = (await eventsOf(call, intent.name)).filter(({ kind }) => kind === 'payment');
  return askWith(call, refundApproval, changed, {
    subject: name,
    about: await findTakers(call, intent.assessment, paid),
    mdas: agenciesBySize(shares),
    proposal: {
      intent: intent.name,
      amount: String(amount),
      currency,
      reason_code: reasonCode,
      method,
      shares: byAgency(shares).map((share) => ({ mda: share.mda, amount: String(share.amount) })),
    },
    reason: note ?? reasonCode,
  });
}
