import type { MoneyReceived } from '../../../../generated/prisma/client.ts';
import { isWholeWithin } from '../../../../platform/access/owned.ts';
import type { Call } from '../../../../platform/call/call.ts';
import type { Change } from '../../../../platform/change/commit.ts';
import type { Message } from '../../../../platform/change/outbox.ts';
import type { Step } from '../../../../platform/change/step.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { type Decimal, requirePositive, sum } from '../../../../kernel/money.ts';
import { forbidBecause, refuseBecause, refuseValue } from '../../../../kernel/refusal.ts';
import { say } from '../../../../kernel/text/said.ts';
import { type Assessment, getAssessment } from '../../../assessments/find.ts';
import { snapshotMoney } from '../../../money/announce.ts';
import { getMoney } from '../../../money/find.ts';
import { insertOutcomes, readOpenOf } from '../../../money/outcomes.ts';
import { agenciesBySize, deriveSplits } from '../../splits.ts';
import { draftIntent } from '../open.ts';
import { planSettlement } from '../settle.ts';

/** The aggregator of intents that allocated money paid: no connection has its name. */
export const ALLOCATION = 'allocation';

/** The most parts of an allocation. */
export const MOST_PARTS = 10;

/** A part of money that is to pay an assessment, or all of it. */
export interface Part {
  readonly money: string;
  readonly amount: Decimal;
}

/** The change that allocates money: an intent that is made by its confirmation, while a relation has a row. */
export async function planAllocation(call: Call, name: string, parts: readonly Part[], held?: Step): Promise<Change> {
  const { before, amount, moneys } = await requireFitting(call, name, parts);
  const at = call.now();
  const made = await call.docnames.next('intent', at);
  const intent = draftIntent(call, before, at, {
    name: made,
    channel: moneys[0]!.channel,
    aggregator: ALLOCATION,
    aggregatorReference: made,
    splits: deriveSplits(before.lines),
  });
  const txnId = parts.map(({ money }) => money).join(' ');
  const detail = { money: parts.map((part) => ({ name: part.money, amount: part.amount })) };
  const planned = await planSettlement(
    call,
    intent,
    { status: 'SUCCESSFUL', txnId, amount, currency: before.currency, settledAt: at, reason: null, response: detail },
    {
      made: held ? sql`exists (select from ${held})` : sql`true`,
      proof: call.config.mode === 'live' ? 'approval' : 'simulated',
      trace: [
        {
          kind: 'payment_intent.update',
          assessment: name,
          intent: made,
          summary: say`Money that had arrived was allocated`,
          detail,
        },
      ],
      steps: (_decision, changed, confirmedAt) => [
        insertOutcomes(
          changed,
          parts.map((part) => ({
            ...part,
            kind: 'allocated',
            intent: made,
            refund: null,
            reason: null,
            decidedBy: call.viewer.actor,
            at: confirmedAt,
          })),
        ),
      ],
    },
  );
  if (!planned) throw refuseNotPayable(before);
  const messages = moneys
    .flatMap((money) => messagesOf(money, before, made))
    .map((message, index) => ({ ...message, sequence: FIRST_MESSAGE + index }));
  const operated = {
    action: 'money.allocate',
    subject: name,
    before: null,
    after: { intent: made, amount, currency: before.currency, ...detail },
    reason: null,
  };
  return { ...planned.change, subject: name, messages: [...(planned.change.messages ?? []), ...messages], operated };
}

/** Refuses parts that are not there, are not open, or do not pay the assessment exactly. */
export async function requireFitting(
  call: Call,
  name: string,
  parts: readonly Part[],
): Promise<{ readonly before: Assessment; readonly amount: Decimal; readonly moneys: readonly MoneyReceived[] }> {
  const before = await getAssessment(call, name);
  const { status, currency, lines, totalAmount } = before;
  if (parts.length === 0) throw refuseValue('parts', say`must not be empty`);
  if (new Set(parts.map(({ money }) => money)).size < parts.length)
    throw refuseValue('parts', say`names money a second time`);
  parts.forEach(({ amount }, index) => requirePositive(`parts[${index}].amount`, amount, currency));
  const moneys = await Promise.all(parts.map(({ money }) => getMoney(call, money)));
  if (status !== 'Assessed') throw refuseNotPayable(before);
  if (!isWholeWithin(call.viewer, lines))
    throw forbidBecause('paid_to_others', `${name} is owed to other agencies too`, 'assessment');
  if (moneys.some((money) => money.currency !== currency || money.channel !== moneys[0]!.channel))
    throw refuseBecause('money_not_exact', `All parts must be of one channel, and in ${currency}`, 'parts');
  const amount = sum(parts.map((part) => part.amount));
  if (!amount.equals(totalAmount))
    throw refuseBecause(
      'money_not_exact',
      `${name} takes ${totalAmount.toString()} ${currency}, and not ${amount.toString()}`,
      'parts',
    );
  await Promise.all(parts.map((part, index) => requireOpen(call, part, `parts[${index}].amount`)));
  return { before, amount, moneys };
}

/** Refuses more of money than is open. */
export async function requireOpen(call: Call, { money, amount }: Part, member: string): Promise<void> {
  const open = await readOpenOf(call, money);
  if (open.lessThan(amount)) throw refuseBecause('money_closed', `${open.toString()} of ${money} is open`, member);
}

function refuseNotPayable({ name, status }: Assessment) {
  return refuseBecause(
    'assessment_not_payable',
    `${name} is ${status}; only an Assessed assessment can be paid`,
    'assessment',
  );
}

/** Messages of the intent itself are numbered by its revision, which stays far below. */
const FIRST_MESSAGE = 1_000;

/** Messages that money was allocated, to the account that made the assessment and to each of its agencies. */
function messagesOf(
  money: MoneyReceived,
  { name: assessment, integrator, lines }: Assessment,
  intent: string,
): Omit<Message, 'sequence'>[] {
  const mdas = agenciesBySize(lines);
  return [
    { integrator, agency: null, agencies: mdas },
    ...mdas.map((agency) => ({ integrator: null, agency, agencies: [agency] })),
  ].map(({ agencies, ...to }) => ({
    type: 'money_received.allocated',
    object: intent,
    ...to,
    payload: { ...snapshotMoney(money), assessment, intent, agencies },
  }));
}
