import type { Call } from '../../platform/call/call.ts';
import { type Message, queueMessages } from '../../platform/change/outbox.ts';
import type { Step } from '../../platform/change/step.ts';
import type { MoneyReceived } from '../../generated/prisma/client.ts';
import { notifyPayer } from '../citizens/messages/queue.ts';

/** The account that made an assessment, and its agencies. */
interface Owners {
  readonly integrator: string | null;
  readonly mdas: readonly string[];
}

/**
 * The steps that announce money which a step books for an assessment, to the account that made it, its agencies and its
 * payer. Each agency gets a message of its own, which names no other.
 */
export async function announceMoney(
  call: Call,
  booked: Step,
  money: MoneyReceived,
  { integrator, mdas }: Owners,
): Promise<Step[]> {
  const { name: subject, assessment, intent, createdAt } = money;
  if (assessment === null) return [];
  const recipients = [
    { integrator, agency: null, agencies: mdas },
    ...mdas.map((agency) => ({ integrator: null, agency, agencies: [agency] })),
  ];
  const messages = recipients.map(({ agencies, ...to }, index): Message => {
    const payload = { ...snapshotMoney(money), agencies };
    return { type: 'money_received.booked', object: subject, sequence: index + 1, ...to, payload };
  });
  return [
    ...queueMessages(call, booked, messages),
    ...(await notifyPayer(call, booked, [{ kind: 'unmatched', assessment, intent, subject }], createdAt)),
  ];
}

/** Money that paid nothing, as messages carry it. */
export function snapshotMoney(money: MoneyReceived) {
  return {
    name: money.name,
    kind: money.kind,
    amount: money.amount.toNumber(),
    currency: money.currency,
    channel: money.channel,
    provider: money.provider,
    txn_id: money.txnId,
    reference: money.reference,
    intent: money.intent,
    assessment: money.assessment,
    received_at: money.receivedAt,
    created_at: money.createdAt,
    updated_at: money.createdAt,
  };
}
