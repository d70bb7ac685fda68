import { type Named, callAs, say } from '../caller.ts';
import { logInAs, openAsOperator, registerSomebody } from '../cast.ts';
import { type DemoAccount, signUpAccount } from '../flow.ts';
import { askToPay, assess, reportFromBank } from '../steps.ts';
import { waitFor } from '../waiting.ts';

interface Refund extends Named {
  readonly status: string;
}

interface Receipt extends Named {
  readonly status: string;
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
}

const DONE_SECONDS = 60;
/** A payer of whose refunds a sandbox loses the first answer. */
const PAYER = '+256700123006';

/** What is paid at a bank in excess of what is owed. */
const EXCESS = 5_000;

/**
 * Shows somebody who paid twice get the second payment back, a line first, although the provider's answers are lost, and
 * money of a bank that was too much pay what it was for, and the rest go back.
 */
export function walkRefund(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, async (account) => {
    await payTwice(base, account);
    await payTooMuch(base, account);
  });
}

async function payTwice(base: string, { integrator, call }: DemoAccount): Promise<void> {
  const citizen = await registerSomebody(base, integrator);
  const assessment = await assess(call, citizen, ['URA-MVTRANSFER', 'MOWT-PSV']);
  say('The payer answers two requests on the phone: both are confirmed, and the second pays what is paid already.');
  const { intent: first } = await askToPay(call, assessment, 'mtn_momo', '+256700123456');
  const { intent: second } = await askToPay(call, assessment, 'mtn_momo', PAYER);
  for (const intent of [first, second]) await call.post(`/v1/payment-intents/${intent}:confirm`);

  say('Operators gave a key that may request refunds. One line of the second payment goes back, then the rest.');
  const operator = await openAsOperator(base, integrator, 'payments.read,payments.refund');
  for (const more of [{ lines: [{ idx: 1 }] }, {}]) {
    const asked = { intent: second, reason_code: 'duplicate', ...more };
    const { name } = await operator.post<Refund>('/v1/refunds', asked);
    const isDone = async () => (await operator.get<Refund>(`/v1/refunds/${name}`)).status === 'Done' || null;
    say('The answer of the provider is lost: the rail asks how the refund stands, until it knows.');
    if (!(await waitFor(DONE_SECONDS, isDone, 2_000)))
      throw new Error(`${name} was not paid within ${DONE_SECONDS} s. Does the rail run jobs?`);
  }

  say('Each agency got negative events. The receipt of the first payment is valid, and that of the second void:');
  await call.get(`/v1/payment-events?intent=${second}`);
  const anybody = callAs(base);
  for (const { name, payload, signature, kid } of await call.get<Receipt[]>(`/v1/assessments/${assessment}/receipts`)) {
    const { state } = await anybody.post<{ state: string }>('/v1/receipts:verify', { payload, signature, kid });
    process.stdout.write(`${name} is ${state}\n`);
  }
}

async function payTooMuch(base: string, { integrator, call }: DemoAccount): Promise<void> {
  say('Somebody pays too much at a bank. Nothing is confirmed, and the money is listed.');
  const citizen = await registerSomebody(base, integrator);
  const assessment = await assess(call, citizen, ['URA-MVTRANSFER']);
  const { number, amount } = await call.post<{ number: string; amount: number }>(
    `/v1/assessments/${assessment}:issue-reference`,
  );
  const { object: money } = await reportFromBank(callAs(base), number, amount + EXCESS, 'UGX');

  say('A finance officer pays the assessment with it, and gives the rest back by a transfer.');
  const { cookie } = await logInAs(base, 'finance_officer');
  const officer = callAs(base, { cookie });
  await officer.post('/v1/ops/money-received:allocate', { assessment, parts: [{ money, amount }] });
  const { name } = await officer.post<Refund>('/v1/refunds', { money, reason_code: 'overpaid' });
  const paid_on = new Date().toISOString().slice(0, 10);
  await officer.post(`/v1/refunds/${name}:prove`, { reference: 'FT26332K9', paid_on });
  await officer.get(`/v1/ops/money-received/${money}`);
}
