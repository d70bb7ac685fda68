import type { ProviderStatus } from '../../../adapters/payment/port.ts';
import { type Finding, raiseAnomalies } from '../../anomalies/raise.ts';
import type { Call } from '../../../platform/call/call.ts';
import { type TraceEntry, commit } from '../../../platform/change/commit.ts';
import { type Step, guard } from '../../../platform/change/step.ts';
import { transition } from '../../../platform/change/transition.ts';
import type { MoneyReceived } from '../../../generated/prisma/client.ts';
import type { PaymentProof } from '../../../generated/prisma/enums.ts';
import { allows } from '../../../kernel/lifecycle.ts';
import { isExact } from '../../../kernel/money.ts';
import { type MoneyKind, applyOrBook, bookMoneyWith, differenceOf, nameMoney } from '../../money/receive.ts';
import { announceMoney } from '../../money/announce.ts';
import type { PaymentIntent } from '../find.ts';
import { intentLifecycle } from '../lifecycle.ts';
import { agenciesBySize } from '../splits.ts';
import { type Settlement, settle } from './settle.ts';
import { trackIntent } from '../snapshot.ts';

/** Decision on news of a collection. */
export type Decision = Settlement['decision'] | 'failed' | 'pending' | Unconfirmed | 'already_final';

/** Reason why money that was collected confirms nothing. */
type Unconfirmed = 'amount_mismatch' | 'unapplied' | 'event_reused';

export interface Resolution {
  readonly decision: Decision;
  /** Set where money arrived. */
  readonly settlement: Settlement | null;
}

/** Further writes of the decision, in the same statement: the trace of its source, and a callback's own row. */
export interface WrittenAlong {
  readonly trace: readonly TraceEntry[];
  /** Proof of the events if money arrived. */
  readonly proof: PaymentProof;
  readonly steps?: (decision: Decision, changed: Step) => readonly Step[];
  /** Finding if the callback may not take effect: its event was used for something else. Money is only booked. */
  readonly reused?: Finding;
}

/**
 * Brings an intent in line with how its collection stands at the aggregator: the one way in which intents become
 * Confirmed or Failed, by a confirm, a callback or a job. Undefined: someone was faster, read again.
 */
export async function resolve(
  call: Call,
  intent: PaymentIntent,
  providerStatus: ProviderStatus,
  along: WrittenAlong,
): Promise<Resolution | undefined> {
  if (along.reused) {
    const arrived = intent.status !== 'Confirmed' && providerStatus.status === 'SUCCESSFUL';
    const money = arrived ? await moneyOf(call, intent, providerStatus, 'event_reused') : null;
    return noteUnchanged(call, intent, 'event_reused', along, [along.reused], money);
  }
  if (intent.status === 'Confirmed') return noteUnchanged(call, intent, 'already_final', along);
  switch (providerStatus.status) {
    case 'SUCCESSFUL': {
      if (!isSameMoney(intent, providerStatus))
        return keepMoney(call, intent, providerStatus, along, 'amount_mismatch');
      const apply = async () => {
        const settlement = await settle(call, intent, providerStatus, along);
        return settlement && { decision: settlement.decision, settlement };
      };
      // Cash is in the hand of who confirms it, and nobody else says that it is.
      if (intent.channel === 'cash') return apply();
      return applyOrBook(call, apply, () => keepMoney(call, intent, providerStatus, along, 'unapplied'));
    }
    case 'FAILED':
      return allows(intentLifecycle.fail, intent.status)
        ? fail(call, intent, providerStatus, along)
        : noteUnchanged(call, intent, 'already_final', along);
    default:
      return noteUnchanged(call, intent, 'pending', along);
  }
}

function isSameMoney(intent: PaymentIntent, { amount, currency }: ProviderStatus): boolean {
  return amount !== null && intent.amount.equals(amount) && intent.currency === currency;
}

/** Notes what was heard, and changes nothing else. */
async function noteUnchanged(
  call: Call,
  intent: PaymentIntent,
  decision: Decision,
  along: WrittenAlong,
  findings: readonly Finding[] = [],
  money: MoneyReceived | null = null,
): Promise<Resolution> {
  const held = guard`select name from payment_intent where name = ${intent.name}`;
  const booked = money && bookMoneyWith(held, money);
  const owners = { integrator: intent.integrator, mdas: agenciesBySize(intent.splits) };
  const steps = [
    ...(along.steps?.(decision, held) ?? []),
    ...(booked ? [booked, ...(await announceMoney(call, booked, money, owners))] : []),
    ...(await raiseAnomalies(call, held, findings)),
  ];
  await commit(call, { subject: null, guard: held, steps, trace: along.trace });
  return { decision, settlement: null };
}

/** Raises what was collected and confirms nothing, as it was said, and books it where that can be done exactly. */
async function keepMoney(
  call: Call,
  intent: PaymentIntent,
  providerStatus: ProviderStatus,
  along: WrittenAlong,
  decision: Unconfirmed,
): Promise<Resolution> {
  const { name, assessment, amount, currency, splits } = intent;
  const evidence = {
    ...(decision === 'unapplied' && { provider: intent.aggregator, kind: decision }),
    assessment,
    amount,
    currency,
    collected_amount: providerStatus.amount,
    collected_currency: providerStatus.currency,
  };
  const kind = decision === 'amount_mismatch' ? decision : 'money_unmatched';
  const finding: Finding = { kind, subject: name, mdas: agenciesBySize(splits), evidence };
  return noteUnchanged(call, intent, decision, along, [finding], await moneyOf(call, intent, providerStatus));
}

/** The money that an aggregator collected and that confirms nothing, so that no event has it; null where it does not say what. */
async function moneyOf(
  call: Call,
  intent: PaymentIntent,
  { txnId, amount, currency, settledAt }: ProviderStatus,
  kind?: MoneyKind,
): Promise<MoneyReceived | null> {
  if (txnId === null || currency === null || !amount?.greaterThan(0) || !isExact(amount, currency)) return null;
  return nameMoney(call, {
    provider: intent.aggregator,
    txnId,
    kind: kind ?? differenceOf({ amount, currency }, intent) ?? 'unapplied',
    amount,
    currency,
    channel: intent.channel,
    reference: null,
    intent: intent.name,
    assessment: intent.assessment,
    receivedAt: settledAt ?? call.now(),
  });
}

async function fail(
  call: Call,
  intent: PaymentIntent,
  providerStatus: ProviderStatus,
  along: WrittenAlong,
): Promise<Resolution | undefined> {
  const at = call.now();
  const failed: PaymentIntent = {
    ...intent,
    status: intentLifecycle.fail.to,
    failureReason: providerStatus.reason,
    claimedBy: null,
    claimedAt: null,
    revision: intent.revision + 1,
    updatedAt: at,
  };
  const { name, status, failureReason, revision } = failed;
  const changed = guard`
    update payment_intent set status = ${status}::intent_status, failure_reason = ${failureReason}, claimed_by = null,
      claimed_at = null, enquire_at = case when enquire_until > ${at} then enquire_at end,
      revision = ${revision}, updated_at = ${at}
    where name = ${name} and revision = ${intent.revision}
      and status = any(${intentLifecycle.fail.from}::intent_status[])
    returning name`;
  const done = await commit(call, {
    subject: name,
    guard: changed,
    steps: along.steps?.('failed', changed) ?? [],
    trace: [
      ...along.trace,
      transition(trackIntent(failed), intentLifecycle.fail, intent.status, { reason: failureReason }),
    ],
  });
  return done ? { decision: 'failed', settlement: null } : undefined;
}
