import { type Caller, print, say } from './caller.ts';
import { registerSomebody } from './cast.ts';
import { type DemoAccount, showWebhook, signUpAccount } from './flow.ts';
import { askToPay, assess, waitUntilConfirmed } from './steps.ts';

interface Row {
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly summary: string;
  readonly detail: { readonly request?: unknown; readonly receipt?: string };
}

/** The simulators lose the callback of a payer whose number ends so. */
const LOSES_ITS_CALLBACK = '+256772123100';

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
  const assessment = await assess(call, citizen, ['URA-PAYE', 'URSB-COMPANY']);
  const { intent } = await askToPay(call, assessment, 'mtn_momo', LOSES_ITS_CALLBACK);
  const { live } = await call.get<{ live: { stub: boolean } }>(`/v1/payment-intents/${intent}/live-status`);
  if (live.stub) throw new Error('This rail makes its providers up: start one with npm run sandbox');
  await waitUntilConfirmed(call, intent);
  const rows = await readTimeline(call, intent);
  say(
    `Nobody called back; ${rows.find(({ kind }) => kind === 'adapter.verify')?.actor} asked, and healed it. The splits went with the collection:`,
  );
  print(rows.find(({ kind }) => kind === 'adapter.initiate')?.detail.request);
  await requireWebhook(account, 'payment_intent.confirmed', intent);
  await requireWebhook(account, 'assessment.propagated', assessment);
  const notified = (await readTimeline(call, intent)).find(({ summary }) => summary === 'URA was told of the payment');
  say(`The tax authority was told over mTLS, and gave ${notified?.detail.receipt ?? 'NO RECEIPT'}`);
}

async function payByCard(account: DemoAccount, citizen: string): Promise<void> {
  const { call } = account;
  say("A card, at the aggregator's page");
  const assessment = await assess(call, citizen, ['URA-MVTRANSFER']);
  const { intent, link } = await askToPay(call, assessment, 'card');
  say(`The payer opens ${link} and pays`);
  const page = await fetch(link!, { method: 'POST' });
  if (!page.ok) throw new Error(`The page answered ${page.status}`);
  await waitUntilConfirmed(call, intent);
  say('The splits went to the sub-accounts of the agencies:');
  print((await readTimeline(call, intent)).find(({ kind }) => kind === 'adapter.initiate')?.detail.request);
  await requireWebhook(account, 'payment_intent.confirmed', intent);
  const paid = await call.get<{ status: string }>(`/v1/assessments/${assessment}`);
  say(`${assessment} is ${paid.status}`);
}

async function readTimeline(call: Caller, intent: string): Promise<readonly Row[]> {
  return (await call.get<{ timeline: Row[] }>(`/v1/payment-intents/${intent}/trace`)).timeline;
}

async function requireWebhook(account: DemoAccount, type: string, about: string): Promise<void> {
  if (!(await showWebhook(account, type, about))) throw new Error(`No webhook ${type} about ${about} came`);
}
