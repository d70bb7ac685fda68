import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { addressOf } from './address.ts';
import { readConfig } from './config.ts';

interface Named {
  readonly name: string;
}

const HELP = `npm run demo

Walks the typical flow against a running rail, and prints each call with its answer: register a citizen, assess what they owe to
two agencies, collect it by mobile money, and see the proof. It takes the address and the data folder from the same environment
as npm start, and issues itself a key with npm run admin.
`;

const SCOPES = 'citizens.read,citizens.write,assessments.write,assessments.cancel,payments.initiate';

async function issueKey(): Promise<string> {
  const admin = fileURLToPath(new URL('admin.ts', import.meta.url));
  const args = ['key:issue', '--organisation', 'Demo', '--email', `demo-${randomUUID()}@example.com`, '--scopes', SCOPES, '--json'];
  process.stdout.write(`$ npm run admin -- ${args.join(' ')}\n`);
  const { stdout } = await promisify(execFile)(process.execPath, [admin, ...args]);
  const { plaintext, integrator } = JSON.parse(stdout) as { plaintext: string; integrator: string };
  process.stdout.write(`a key for ${integrator}\n\n`);
  return plaintext;
}

function caller(base: string, key: string) {
  return async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
    process.stdout.write(`${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}\n`);
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Data };
    process.stdout.write(`${response.status} ${JSON.stringify(answer, null, 2)}\n\n`);
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
    return answer.data;
  };
}

async function walk(base: string): Promise<void> {
  await fetch(`${base}/healthz`).catch(() => {
    throw new Error(`No rail answers at ${base}. Start one with npm start, or set BASE_URL or PORT`);
  });
  const call = caller(base, await issueKey());
  const nin = `CM${randomUUID().replace(/\W/g, '').slice(0, 11).toUpperCase()}A`;
  await call('GET', `/v1/citizens/search?nin=${nin}`);
  const { citizen } = await call<{ citizen: Named }>('POST', '/v1/citizens/register', { nin, mda: 'URA' });
  const services: (Named & { mda: string })[] = [];
  for (const code of ['URA-MVTRANSFER', 'MOWT-PSV']) services.push(...(await call<typeof services>('GET', `/v1/services?code=${code}`)));

  const lines = services.map(({ name, mda }) => ({ service: name, mda }));
  const { name: assessment } = await call<Named>('POST', '/v1/assessments', { citizen: citizen.name, lines });
  await call('POST', `/v1/assessments/${assessment}:assess`);
  const { name: intent } = await call<Named>('POST', '/v1/payment-intents', { assessment, channel: 'mtn_momo' });
  await call('POST', `/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
  await call('POST', `/v1/payment-intents/${intent}:confirm`);

  await call('GET', `/v1/payment-events?intent=${intent}`);
  const { timeline } = await call<{ timeline: { at: string; summary: string }[] }>('GET', `/v1/payment-intents/${intent}/trace`);
  const paid = await call<{ status: string; total_amount: number; currency: string }>('GET', `/v1/assessments/${assessment}`);
  process.stdout.write(`${assessment} is ${paid.status}: ${paid.total_amount} ${paid.currency}\n`);
  for (const { at, summary } of timeline) process.stdout.write(`  ${at}  ${summary}\n`);
}

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) process.stdout.write(HELP);
else {
  walk(addressOf(readConfig(process.env))).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
