import { randomUUID } from 'node:crypto';
import type { Caller, Named } from './caller.ts';
import { waitFor } from './waiting.ts';

const CONFIRMED_SECONDS = 60;

/** Assesses what a citizen owes for services, by their codes; at a counter, in its shift. */
export async function assess(
  caller: Caller,
  citizen: string,
  codes: readonly string[],
  shift?: string,
): Promise<string> {
  const services: (Named & { mda: string })[] = [];
  for (const code of codes) services.push(...(await caller.get<typeof services>(`/v1/services?code=${code}`)));
  const lines = services.map(({ name, mda }) => ({ service: name, mda }));
  const { name } = await caller.post<Named>('/v1/assessments', { citizen, lines, shift });
  await caller.post(`/v1/assessments/${name}:assess`);
  return name;
}

interface Asked {
  readonly intent: string;
  /** The page at which a card is paid. */
  readonly link: string | undefined;
}

/** Asks a payer for what was assessed: at their number, if they pay by mobile money. */
export async function askToPay(caller: Caller, assessment: string, channel: string, payer?: string): Promise<Asked> {
  const { name: intent } = await caller.post<Named>('/v1/payment-intents', { assessment, channel });
  const { adapter_response: answer } = await caller.post<{ adapter_response?: { data?: { link?: string } } }>(
    `/v1/payment-intents/${intent}:initiate`,
    payer === undefined ? {} : { payer_msisdn: payer },
  );
  return { intent, link: answer?.data?.link };
}

/** Takes a payment that is confirmed when that is asked for. */
export async function collect(caller: Caller, assessment: string, channel: string, payer?: string): Promise<string> {
  const { intent } = await askToPay(caller, assessment, channel, payer);
  await caller.post(`/v1/payment-intents/${intent}:confirm`);
  return intent;
}

/** Waits until an intent is Confirmed, without doing anything for it. */
export async function waitUntilConfirmed(caller: Caller, intent: string): Promise<void> {
  const isConfirmed = async () => {
    const { status } = await caller.get<{ status: string }>(`/v1/payment-intents/${intent}`);
    return status === 'Confirmed' || null;
  };
  if (!(await waitFor(CONFIRMED_SECONDS, isConfirmed, 1_000)))
    throw new Error(`${intent} was not confirmed within ${CONFIRMED_SECONDS} s. Does the rail run jobs?`);
}

/** Money as a bank reports it, of which a sandbox takes the messages unsigned, and what became of it. */
export async function reportFromBank(
  bank: Caller,
  reference: string,
  amount: number,
  currency: string,
): Promise<{ readonly object: string }> {
  const [event_id, txn_id] = [randomUUID(), randomUUID()];
  return bank.post('/v1/billers/bank/payments', { event_id, txn_id, reference, amount, currency, paid_at: new Date() });
}
