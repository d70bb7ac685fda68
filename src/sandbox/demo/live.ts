import type { Calling, Named } from './calling.ts';
import { type DemoAccount, assessOverApi, registerSomebody, signUpAccount } from './flow.ts';

interface Row {
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly summary: string;
  readonly detail: { readonly request?: unknown; readonly receipt?: string };
}

/** The simulators lose the callback of a payer whose number ends so. */
const LOSES_ITS_CALLBACK = '+256772123100';
const WAIT_MS = 40_000;

const say = (text: string) => void process.stdout.write(`\n── ${text}\n\n`);

/** A mobile-money and a card payment, by the protocols of real providers. */
export function walkLive(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, async (account) => {
    const citizen = await registerSomebody(base, account.integrator);
    await payByPhone(account, citizen);
    await payByCard(account, citizen);
  });
}

async function payByPhone(account: DemoAccount, citizen: string): Promise<void> {
  const { call } = account;
  say('Mobile money, for the tax authority and the business registry; its callback will be lost');
  const assessment = await assessOverApi(call, citizen, ['URA-PAYE', 'URSB-COMPANY']);
  const { name: intent } = await call<Named>('POST', '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
  await call('POST', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: LOSES_ITS_CALLBACK });
  const { live } = await call<{ live: { stub: boolean } }>('GET', `/v1/payment-intents/${intent}/live-status`);
  if (live.stub) throw new Error('This rail makes its providers up: start one with npm run sandbox');
  await waitUntilConfirmed(call, intent);
  const rows = await readTimeline(call, intent);
  say(
    `Nobody called back; ${rows.find(({ kind }) => kind === 'adapter.verify')?.actor} asked, and healed it. The splits went with the collection:`,
  );
  print(rows.find(({ kind }) => kind === 'adapter.initiate')?.detail.request);
  await showWebhook(account, 'payment_intent.confirmed', intent);
  await showWebhook(account, 'assessment.propagated', assessment);
  const notified = (await readTimeline(call, intent)).find(({ summary }) => summary === 'URA was told of the payment');
  say(`The tax authority was told over mTLS, and gave ${notified?.detail.receipt ?? 'NO RECEIPT'}`);
}

async function payByCard(account: DemoAccount, citizen: string): Promise<void> {
  const { call } = account;
  say("A card, at the aggregator's page");
  const assessment = await assessOverApi(call, citizen, ['URA-MVTRANSFER']);
  const { name: intent } = await call<Named>('POST', '/v1/payment-intents', { assessment, channel: 'card' });
  const { adapter_response } = await call<{ adapter_response: { data: { link: string } } }>(
    'POST',
    `/v1/payment-intents/${intent}:initiate`,
  );
  const { link } = adapter_response.data;
  say(`The payer opens ${link} and pays`);
  const page = await fetch(link, { method: 'POST' });
  if (!page.ok) throw new Error(`The page answered ${page.status}`);
  await waitUntilConfirmed(call, intent);
  say('The splits went to the sub-accounts of the agencies:');
  print((await readTimeline(call, intent)).find(({ kind }) => kind === 'adapter.initiate')?.detail.request);
  await showWebhook(account, 'payment_intent.confirmed', intent);
  const paid = await call<{ status: string }>('GET', `/v1/assessments/${assessment}`);
  say(`${assessment} is ${paid.status}`);
}

/** Waits until an intent is Confirmed, without doing anything for it. */
async function waitUntilConfirmed(call: Calling, intent: string): Promise<void> {
  for (
    const deadline = Date.now() + WAIT_MS;
    Date.now() < deadline;
    await new Promise((wake) => setTimeout(wake, 1_000))
  ) {
    const { status } = await call<{ status: string }>('GET', `/v1/payment-intents/${intent}`);
    if (status === 'Confirmed') return;
  }
  throw new Error(`${intent} was not confirmed within ${WAIT_MS / 1_000} s. Does the rail run jobs?`);
}

async function readTimeline(call: Calling, intent: string): Promise<readonly Row[]> {
  return (await call<{ timeline: Row[] }>('GET', `/v1/payment-intents/${intent}/trace`)).timeline;
}

async function showWebhook({ webhooks }: DemoAccount, type: string, about: string): Promise<void> {
  const delivery = webhooks && (await webhooks.receiver.next(type, webhooks.secret, about));
  if (!delivery) throw new Error(`No webhook ${type} about ${about} came`);
  say(`A webhook came, and its signature is ${delivery.genuine ? 'right' : 'WRONG'}:`);
  print(delivery.message);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n\n`);
}
