import type { Dispute } from '../../../adapters/payment/port.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type Change, always, commit } from '../../../platform/change/commit.ts';
import type { Operated } from '../../../platform/change/operation.ts';
import type { Step } from '../../../platform/change/step.ts';
import type { Anomaly } from '../../../generated/prisma/client.ts';
import { type Decimal, requirePositive } from '../../../kernel/money.ts';
import { refuseBecause } from '../../../kernel/refusal.ts';
import { requireText } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { formatDay } from '../../../kernel/time.ts';
import { findOpenAnomaly } from '../../anomalies/find.ts';
import { addEvidence, raiseAnomalies } from '../../anomalies/raise.ts';
import { noteResolution, resolveWith } from '../../anomalies/resolve.ts';
import { type PaymentIntent, getIntent } from '../find.ts';
import { agenciesBySize } from '../splits.ts';
import type { PaymentRefund, Refund } from './find.ts';

/** Characters of the number that a provider or bank gives a transfer, a dispute or a chargeback. */
export const LONGEST_NUMBER = 64;

interface DisputeInput {
  readonly id: string;
  readonly providerReference: string;
  readonly day: Date;
  readonly amount?: Decimal | null | undefined;
}

/** Opens the dispute of a Confirmed payment, which its provider reported to staff. */
export async function disputePayment(call: Call, input: DisputeInput): Promise<PaymentIntent> {
  const reference = requireText('providerReference', input.providerReference, LONGEST_NUMBER);
  const intent = await getIntent(call, input.id);
  const { name, status, currency } = intent;
  if (status !== 'Confirmed')
    throw refuseBecause(
      'refund_not_possible',
      `${name} is ${status}; only a Confirmed payment can be disputed`,
      'name',
    );
  const amount = input.amount == null ? intent.amount : requirePositive('amount', input.amount, currency);
  const dispute = { reference, amount, currency, answerBy: input.day };
  const after = { dispute: reference, amount, currency, answer_by: formatDay(input.day) };
  await commit(call, {
    subject: name,
    guard: always,
    ...(await planDispute(call, always, intent, dispute)),
    operated: { action: 'payment.dispute', subject: name, before: null, after, reason: null },
  });
  return intent;
}

/** The part of a change by which a payment is disputed. */
export async function planDispute(
  call: Call,
  changed: Step,
  intent: PaymentIntent,
  { reference, amount, currency, answerBy }: Dispute,
): Promise<Required<Pick<Change, 'steps' | 'trace'>>> {
  const { name, assessment } = intent;
  const stated = {
    dispute: reference,
    amount: amount.toNumber(),
    currency: currency ?? intent.currency,
    answer_by: answerBy && formatDay(answerBy),
  };
  const summary = say`A dispute of ${amount} ${stated.currency} was reported`;
  return {
    steps: await raise(call, changed, intent, stated),
    trace: [{ kind: 'payment_intent.update', assessment, intent: name, summary, detail: stated }],
  };
}

/** The steps that keep in the dispute of a payment what of a chargeback was not left. */
export function raiseRest(call: Call, changed: Step, intent: PaymentIntent, refund: Refund, rest: Decimal) {
  const { name: chargeback, providerReference: dispute, amount, currency } = refund;
  const taken = amount.plus(rest).toNumber();
  return raise(call, changed, intent, { dispute, amount: taken, currency, chargeback, rest: rest.toNumber() });
}

/** The steps that raise the dispute of a payment, or add another one to that which is open. */
async function raise(
  call: Call,
  changed: Step,
  { name, splits }: PaymentIntent,
  stated: { readonly dispute: string | null } & Readonly<Record<string, unknown>>,
): Promise<Step[]> {
  const open = await findOpenAnomaly(call, 'dispute', name);
  if (!open) {
    const evidence = { ...stated, trace: `/v1/payment-intents/${name}/trace` };
    return raiseAnomalies(call, changed, [{ kind: 'dispute', subject: name, mdas: agenciesBySize(splits), evidence }]);
  }
  const { dispute, further } = open.evidence as { readonly dispute: string; readonly further?: object };
  const isSame = dispute === stated.dispute;
  const more = {
    further: { ...further, [`${stated.dispute}`]: stated },
    ...('rest' in stated && { rest: stated['rest'] }),
  };
  return [addEvidence(call, changed, open, isSame ? stated : more)];
}

/** The part of a change by which a chargeback ends the dispute of its payment, and that of a statement. */
export async function closeDispute(
  call: Call,
  changed: Step,
  { name, intent }: PaymentRefund,
): Promise<{ steps: Step[]; operated: Operated[] }> {
  const [dispute, mismatch] = await Promise.all([
    findOpenAnomaly(call, 'dispute', intent),
    findOpenAnomaly(call, 'statement_mismatch', intent),
  ]);
  const ended = [dispute, mismatch].filter((one) => one !== null).filter(isEndedByChargeback);
  const note = `Chargeback ${name}`;
  return {
    steps: ended.length === 0 ? [] : [resolveWith(call, changed, ended, note)],
    operated: ended.map((one) => noteResolution(one, note)),
  };
}

/** What was more than was left, and what a statement says of the payment itself, stays to be settled. */
function isEndedByChargeback({ kind, evidence }: Anomaly): boolean {
  const { rest, statement_amount } = evidence as Readonly<Record<string, unknown>>;
  return kind === 'dispute' ? rest === undefined : Number(statement_amount) < 0;
}
