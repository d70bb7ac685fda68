import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataDirOf } from '../../../platform/config/data-dir.ts';
import { type Outside, simulateOutside } from '../../../sandbox/simulators/outside.ts';
import { SANDBOX_DIR, readOptions } from './options.ts';

const HELP = `npm run sandbox

Starts simulators of the outside world, and a rail that is connected to them by their real protocols: MTN MoMo, Airtel Money, a card
aggregator, and the agencies of the registry, the tax authority over mTLS. It takes the same environment as npm start, but its data
folder is .data/sandbox by default. Walk it with npm run demo -- --live, or by hand.
`;

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

async function startSandbox(): Promise<void> {
  process.env['DATA_DIR'] ||= SANDBOX_DIR;
  const folder = join(dataDirOf(process.env), 'simulators');
  let origin = '';
  const outside = await simulateOutside({ folder, rail: () => origin, autopay: false });
  const rail = spawn(process.execPath, ['src/app/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...outside.environment, WEBHOOK_ALLOW_PRIVATE: 'on' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Out of reach of the terminal's own Ctrl-C: a second signal would cut off what the first lets finish.
    detached: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => rail.kill(signal));
  // A rail whose output nobody takes any more is not left behind.
  process.stdout.on('error', () => rail.kill('SIGTERM'));
  let output = '';
  rail.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    if (origin !== '') return;
    output += chunk.toString();
    origin = /listening on (http\S+)/.exec(output)?.[1] ?? '';
    // After the rail's own welcome.
    if (origin !== '') setTimeout(() => introduce(outside), 100);
  });
  process.exitCode = await waitForEnd(rail);
  await outside.close();
}

async function waitForEnd(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function introduce({ connected, environment }: Outside): void {
  const line = (name: string, address: string) => `  ${name.padEnd(28)}  ${address}\n`;
  process.stdout.write(`Simulators, by ${environment.CONNECTIONS}:

${connected.map(({ name, address }) => line(name, address)).join('')}
A payer's number ending in 100 loses the callback, 200 has it come three times, 300 late, 400 tampered with; 500 cuts the answer off,
600 charges another amount, 700 declines, 800 never pays, 900 answers slowly, 404 is unknown to MTN; any other pays. A card is paid at
the link that :initiate answers. An agency that is told of a line with quantity 2 sends its receipt later, and with quantity 3 rejects the
notice after it took it; POST {"type", "object", "data"} to /simulate at its address, and it tells the rail that.

Walk it:  npm run demo -- --live

`);
}

const values = readOptions({ options: { help: { type: 'boolean', short: 'h', default: false } } });
if (values.help) process.stdout.write(HELP);
else await startSandbox();
