import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import { type Named, callAs, say } from './caller.ts';
import { openAsOperator, registerSomebody } from './cast.ts';
import { runCommand } from './commands.ts';
import { type DemoAccount, signUpAccount } from './flow.ts';
import { assess, reportFromBank } from './steps.ts';

interface Signed extends Named {
  readonly payload: string;
  readonly signature: string;
  readonly kid: string;
  readonly code: string;
  /** Content of the QR code. */
  readonly url: string;
}

/** Shows a citizen paying with a number at a bank, and the worth of their receipt: until the payment is reversed. */
export function walkCitizen(base: string, mailFolder: string): Promise<void> {
  return signUpAccount(base, mailFolder, (account) => payAtBank(base, account));
}

async function payAtBank(base: string, { integrator, key, call }: DemoAccount): Promise<void> {
  const citizen = await registerSomebody(base, integrator);
  const assessment = await assess(call, citizen, ['URA-MVTRANSFER', 'MOWT-PSV']);
  const { number: reference } = await call.post<{ number: string }>(`/v1/assessments/${assessment}:issue-reference`);

  say('The citizen shows the number at a bank. A sandbox takes the messages of a bank unsigned.');
  const bank = callAs(base);
  const asked = await bank.post<{ amount: number; currency: string }>('/v1/billers/bank/lookup', { reference });
  await reportFromBank(bank, reference, asked.amount, asked.currency);

  const [receipt] = await call.get<Signed[]>(`/v1/assessments/${assessment}/receipts`);
  await showReceipt(base, key, receipt!);

  const operator = await openAsOperator(base, integrator, 'assessments.cancel');
  await operator.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Paid for the wrong vehicle' });
  const { payload, signature, kid } = receipt!;
  const { state } = await bank.post<{ state: string }>('/v1/receipts:verify', { payload, signature, kid });
  say(`The receipt is ${state}, and the page says: ${await askPage(base, receipt!)}`);
}

/** Prints a receipt with its QR code, and verifies it without the rail, and on its page. */
async function showReceipt(base: string, key: string, receipt: Signed): Promise<void> {
  const text = await fetch(`${base}/v1/receipts/${receipt.name}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/plain' },
  }).then((answer) => answer.text());
  process.stdout.write(`${text}\n${renderUnicodeCompact(receipt.url)}\n\n`);

  const folder = mkdtempSync(join(tmpdir(), 'rail-receipt-'));
  try {
    const [shown, keys] = [join(folder, 'receipt.txt'), join(folder, 'keys.json')];
    writeFileSync(shown, text);
    writeFileSync(keys, await fetch(`${base}/.well-known/receipt-keys.json`).then((answer) => answer.text()));
    process.stdout.write(await runCommand(['receipt:verify', shown, '--keys', keys]));
  } finally {
    rmSync(folder, { recursive: true });
  }
  say(`\nThe page /verify says: ${await askPage(base, receipt)}`);
}

/** The page's answer to somebody who types the number and the code of a receipt. */
async function askPage(base: string, { name, code }: Signed): Promise<string> {
  const answer = await fetch(`${base}/verify`, { method: 'POST', body: new URLSearchParams({ name, code }) });
  const said = /role="status">([^<]+)</.exec(await answer.text())?.[1];
  if (said === undefined) throw new Error(`/verify was answered with ${answer.status}`);
  return said;
}
