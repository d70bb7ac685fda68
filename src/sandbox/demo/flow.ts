import { randomUUID } from 'node:crypto';
import { type Calling, type Named, printCalls, runAdmin } from './calling.ts';
import { findInMail } from './mail.ts';
import { type Receiver, openReceiver } from './receiver.ts';

/** Somebody who signed up, and where they listen. */
export interface DemoAccount {
  readonly integrator: string;
  readonly key: string;
  readonly call: Calling;
  /** null where the rail sends no webhooks to this machine. */
  readonly webhooks: { readonly receiver: Receiver; readonly secret: string } | null;
}

/** The typical flow: from the sign-up to a paid assessment, its proof, and the log. */
export function walkFlow(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, (account) => pay(base, account));
}

/** Opens an account that listens to webhooks, for as long as it is used. */
export async function signUpAccount(
  base: string,
  mailFolder: string,
  use: (account: DemoAccount) => Promise<void>,
): Promise<void> {
  const { integrator, key } = await signUp(printCalls(base, {}), mailFolder);
  const call = printCalls(base, { authorization: `Bearer ${key}` });
  const receiver = await openReceiver();
  try {
    const listening = await call('POST', '/v1/me', { webhook_endpoint: receiver.url }).then(
      () => true,
      () => false,
    );
    const webhooks = listening
      ? { receiver, ...(await call<{ secret: string }>('POST', '/v1/me/webhook-secret:rotate')) }
      : null;
    if (!webhooks)
      process.stdout.write(
        'No webhook will come: the rail sends them to this machine only with WEBHOOK_ALLOW_PRIVATE=on.\n\n',
      );
    await use({ integrator, key, call, webhooks });
  } finally {
    receiver.close();
  }
}

/** Has an operator's key register a citizen, and answers their docname. */
export async function registerSomebody(base: string, integrator: string): Promise<string> {
  const issued = await runAdmin<{ plaintext: string }>(
    'key:issue',
    '--integrator',
    integrator,
    '--scopes',
    'citizens.read,citizens.write',
  );
  const asOperator = printCalls(base, { authorization: `Bearer ${issued.plaintext}` });
  const { citizen } = await asOperator<{ citizen: Named }>('POST', '/v1/citizens/register', {
    nin: makeNin(),
    mda: 'URA',
  });
  return citizen.name;
}

function makeNin(): string {
  return `CM${randomUUID().replace(/\W/g, '').slice(0, 11).toUpperCase()}A`;
}

/** Assesses what a citizen owes for services, by their codes. */
export async function assessOverApi(call: Calling, citizen: string, codes: readonly string[]): Promise<string> {
  const services: (Named & { mda: string })[] = [];
  for (const code of codes) services.push(...(await call<typeof services>('GET', `/v1/services?code=${code}`)));
  const lines = services.map(({ name, mda }) => ({ service: name, mda }));
  const { name } = await call<Named>('POST', '/v1/assessments', { citizen, lines });
  await call('POST', `/v1/assessments/${name}:assess`);
  return name;
}

/** From a citizen to the proof, and the messages to the integrator. */
async function pay(base: string, { integrator, call, webhooks }: DemoAccount): Promise<void> {
  await call('GET', `/v1/citizens/search?nin=${makeNin()}`);
  const citizen = await registerSomebody(base, integrator);
  const assessment = await assessOverApi(call, citizen, ['URA-MVTRANSFER', 'MOWT-PSV']);
  const { name: intent } = await call<Named>('POST', '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
  await call('POST', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
  await call('POST', `/v1/payment-intents/${intent}:confirm`);
  const webhook = webhooks && (await webhooks.receiver.next('payment_intent.confirmed', webhooks.secret));
  if (webhook)
    process.stdout.write(
      `A webhook came, and its signature is ${webhook.genuine ? 'right' : 'WRONG'}:\n${JSON.stringify(webhook.message, null, 2)}\n\n`,
    );
  else if (webhooks) process.stdout.write('No webhook came: the rail sends them only while it runs jobs.\n\n');

  await call('GET', `/v1/payment-events?intent=${intent}`);
  const { timeline } = await call<{ timeline: { at: string; summary: string }[] }>(
    'GET',
    `/v1/payment-intents/${intent}/trace`,
  );
  await call('GET', '/v1/me/logs?endpoint=payment-intents&limit=3');
  const paid = await call<{ status: string; total_amount: number; currency: string }>(
    'GET',
    `/v1/assessments/${assessment}`,
  );
  process.stdout.write(`${assessment} is ${paid.status}: ${paid.total_amount} ${paid.currency}\n`);
  for (const { at, summary } of timeline) process.stdout.write(`  ${at}  ${summary}\n`);
}

/** Opens an account, and answers its code and its first key. */
async function signUp(call: Calling, mailFolder: string): Promise<{ integrator: string; key: string }> {
  const email = `demo-${randomUUID()}@example.com`;
  const { version } = await call<{ version: string }>('GET', '/v1/signup/tos');
  const { integrator_id: integrator, dev_otp: revealed } = await call<{ integrator_id: string; dev_otp?: string }>(
    'POST',
    '/v1/signup',
    {
      full_name: 'Demo',
      email,
      organisation: 'Demo',
      tos_accepted_version: version,
    },
  );
  const otp = revealed ?? (await findInMail(mailFolder, email, /code is (\d{6})/));
  const { plaintext } = await call<{ plaintext: string }>('POST', '/v1/signup/verify', {
    integrator_id: integrator,
    otp,
  });
  return { integrator, key: plaintext };
}
