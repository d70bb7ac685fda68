import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from '../../src/platform/database/cluster/cluster.ts';
import { BareFlow, type FlowSubject } from './bare-flow.ts';
import { CLIENTS, type Client, type Side, compare, httpClient } from './measure.ts';
import { measureGrowth } from './growth/growth.ts';
import { measureOversight } from './oversight.ts';
import { Report } from './report.ts';
import { capture, serve } from '../harness/processes.ts';

const SCOPES = 'citizens.read,citizens.write,assessments.write,payments.initiate';

interface Named {
  readonly data: { readonly name: string };
}

async function flow(client: Client, { citizen, services }: FlowSubject): Promise<string> {
  const lines = services.map(({ name }) => ({ service: name }));
  const assessment = ((await client.post('/v1/assessments', { citizen, lines })) as Named).data.name;
  await client.post(`/v1/assessments/${assessment}:assess`);
  const intent = ((await client.post('/v1/payment-intents', { assessment, channel: 'mtn_momo' })) as Named).data.name;
  await client.post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256700123456' });
  await client.post(`/v1/payment-intents/${intent}:confirm`);
  return assessment;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    events: { type: 'string', default: '5000000' },
    assessments: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(
    'npm run bench -- [a] [b] [c] [--seconds 4] [--json FILE]\nnpm run bench -- oversight [--events 5000000] [--json FILE]\nnpm run bench -- growth [--assessments 1000000] [--keep DIR] [--only REGEX] [--json FILE]\n\nMeasures the rail against hand-written peers, in turns, and prints the ratios; or what oversight asks, on a made-up history; or how much longer lists, searches and figures take on a long history than on one of 3,000 assessments. --keep leaves the databases in a folder, and takes them from there the next time.\n',
  );
  process.exit();
}
const report = new Report();
const seconds = Number(values.seconds);
const wanted = (letter: string) => positionals.length === 0 || positionals.includes(letter);

// Making a history up is not what is measured.
const BULK = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_wal_size=4GB', 'shared_buffers=1GB'];

const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), 'rail-bench-'));
for (const [part, measure] of [
  ['oversight', (bulk: Cluster) => measureOversight(report, bulk, Number(values.events))],
  ['growth', (bulk: Cluster) => measureGrowth(report, bulk, Number(values.assessments), new RegExp(values.only))],
] as const) {
  if (!positionals.includes(part)) continue;
  const bulk = await startCluster({ dataDir, settings: BULK });
  try {
    await measure(bulk);
  } finally {
    await tidy(bulk);
  }
  process.exit(report.end(values.json) ? 0 : 1);
}
const cluster = await startCluster({ dataDir });
await cluster.ensureDatabase('rail');
// All sides have as many connections as there are clients.
const env = {
  DATABASE_URL: cluster.url('rail'),
  PORT: '0',
  DATABASE_POOL: String(CLIENTS),
  JOBS: 'off',
  LOG_LEVEL: 'info',
};
const rail = await serve('src/app/main.ts', env);
const issued = JSON.parse(
  await capture(
    'src/app/cli/admin.ts',
    ['key:issue', '--organisation', 'Bench', '--email', 'bench@example.com', '--scopes', SCOPES, '--json'],
    env,
  ),
) as { plaintext: string; integrator: string; name: string };
const byHand = await serve('test/bench/by-hand.ts', env);
const ours = httpClient(rail.origin, issued.plaintext);
const theirs = httpClient(byHand.origin, issued.plaintext);

const [citizen] = ((await ours.get('/v1/citizens?limit=1')) as { data: { name: string }[] }).data;
const catalogue = ((await ours.get('/v1/services?limit=500')) as { data: FlowSubject['services'] }).data;
const services = ['URA', 'URSB'].map((agency) => catalogue.find(({ mda }) => mda === agency)!);
const subject: FlowSubject = { citizen: citizen!.name, services, integrator: issued.integrator, key: issued.name };
const assessment = await flow(ours, subject);
const bare = new BareFlow(cluster.url('rail'), subject);

const read = (label: string, client: Client, cpuMs: () => number, path: string): Side => ({
  label,
  cpuMs,
  once: async () => void (await client.get(path)),
});
const same = async (path: string) => {
  const [a, b] = await Promise.all([ours.get(path), theirs.get(path)]);
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`The two sides answer ${path} differently`);
};

for (const [letter, path] of [
  ['a', `/v1/assessments/${assessment}`],
  ['b', '/v1/services?limit=100'],
] as const) {
  if (!wanted(letter)) continue;
  await same(path);
  report.begin(`${letter}. Reads over REST`);
  await compare(
    report,
    `GET ${path.replace(assessment, '{name}')}`,
    read('rail', ours, rail.cpuMs, path),
    read('Express and Prisma, by hand', theirs, byHand.cpuMs, path),
    0.85,
    seconds,
  );
}
const whole: Side = {
  label: 'rail, five requests over REST',
  cpuMs: rail.cpuMs,
  once: async () => void (await flow(ours, subject)),
};
const rows: Side = {
  label: 'the same rows through pg alone',
  cpuMs: () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  once: () => bare.once(),
};
if (wanted('c')) {
  report.begin('c. Whole flows: create, assess, intent, initiate, confirm');
  await compare(report, 'whole flow', whole, rows, 0.5, seconds);
}

await Promise.all([ours.close(), theirs.close(), bare.close()]);
await Promise.all([rail.stop(), byHand.stop()]);
await tidy(cluster);
process.exitCode = report.end(values.json) ? 0 : 1;

async function tidy(used: Cluster): Promise<void> {
  await used.release();
  if (values.keep) return;
  rmSync(used.directory, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
