import { type Account, makeNin, registerSomebody, signUp } from './cast.ts';
import { type Caller, callAs, print } from './caller.ts';
import { type Receiver, openReceiver } from './receiver.ts';
import { assess, collect } from './steps.ts';

/** Somebody who signed up, and where they listen. */
export interface DemoAccount extends Account {
  readonly call: Caller;
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
  const account = await signUp(callAs(base), mailFolder);
  const call = callAs(base, { authorization: `Bearer ${account.key}` });
  const receiver = await openReceiver();
  try {
    const listening = await call.post('/v1/me', { webhook_endpoint: receiver.url }).then(
      () => true,
      () => false,
    );
    const webhooks = listening
      ? { receiver, ...(await call.post<{ secret: string }>('/v1/me/webhook-secret:rotate')) }
      : null;
    if (!webhooks)
      process.stdout.write(
        'No webhook will come: the rail sends them to this machine only with WEBHOOK_ALLOW_PRIVATE=on.\n\n',
      );
    await use({ ...account, call, webhooks });
  } finally {
    receiver.close();
  }
}

/** Shows a message to an integrator, and whether it is the rail's; whether one came. */
export async function showWebhook({ webhooks }: DemoAccount, type: string, about?: string): Promise<boolean> {
  const came = webhooks && (await webhooks.receiver.next(type, webhooks.secret, about));
  if (!came) return false;
  process.stdout.write(`A webhook came, and its signature is ${came.genuine ? 'right' : 'WRONG'}:\n`);
  print(came.message);
  return true;
}

/** From a citizen to the proof, and the messages to the integrator. */
async function pay(base: string, account: DemoAccount): Promise<void> {
  const { integrator, call, webhooks } = account;
  await call.get(`/v1/citizens/search?nin=${makeNin()}`);
  const citizen = await registerSomebody(base, integrator);
  const assessment = await assess(call, citizen, ['URA-MVTRANSFER', 'MOWT-PSV']);
  const intent = await collect(call, assessment, 'mtn_momo', '+256700123456');
  if (!(await showWebhook(account, 'payment_intent.confirmed')) && webhooks)
    process.stdout.write('No webhook came: the rail sends them only while it runs jobs.\n\n');

  await call.get(`/v1/payment-events?intent=${intent}`);
  const { timeline } = await call.get<{ timeline: { at: string; summary: string }[] }>(
    `/v1/payment-intents/${intent}/trace`,
  );
  await call.get('/v1/me/logs?endpoint=payment-intents&limit=3');
  const paid = await call.get<{ status: string; total_amount: number; currency: string }>(
    `/v1/assessments/${assessment}`,
  );
  process.stdout.write(`${assessment} is ${paid.status}: ${paid.total_amount} ${paid.currency}\n`);
  for (const { at, summary } of timeline) process.stdout.write(`  ${at}  ${summary}\n`);
}
