import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Cluster } from '../../../src/platform/database/cluster/cluster.ts';
import { capture, serve } from '../../harness/processes.ts';
import { type Client, httpClient } from '../clients.ts';
import { flow } from '../flows/flow.ts';
import { spread } from '../flows/subjects.ts';
import { makeEvents } from '../growth/history.ts';
import { type Operation, questionOf } from '../growth/questions.ts';
import { median, percentile } from '../measure.ts';
import type { Report } from '../report.ts';
import { drawQuestions } from './asked.ts';
import { measureCatchingUp } from './catching-up.ts';
import { measureCopy } from './copy.ts';
import { measurePayments } from './payments.ts';
import { measurePlain } from './plain.ts';

/** Up to so many events the shorter of two bounds holds. */
const MANY = 2_000_000;
const TARGETS = {
  operationMs: [30, 60],
  firstMs: 250,
  revenueMs: [10, 20],
  drawnMs: 400,
  lines: 4_500,
  tables: 10,
} as const;
const SAMPLES = 9;
const WARM_UP = 2;

/** Oversight of a long history: what is asked of it, what its copy costs, and what payments notice of it. */
export async function measureOversight(report: Report, cluster: Cluster, events: number): Promise<void> {
  const url = await makeEvents(cluster, events);
  report.begin(`Oversight over ${events.toLocaleString('en')} events`);
  measureSize(report);
  const dataDir = mkdtempSync(join(tmpdir(), 'rail-bench-oversight-'));
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', JOBS: 'on', LOG_LEVEL: 'error' };
  const scopes = 'citizens.read,assessments.write,payments.initiate,oversight.read,oversight.audit';
  const to = ['--organisation', 'Bench', '--email', `bench-${Date.now()}@example.com`, '--scopes', scopes, '--json'];
  const key = JSON.parse(await capture('src/app/cli/admin.ts', ['key:issue', ...to], env)) as {
    plaintext: string;
    integrator: string;
    name: string;
  };
  await measureCopy(report, url);
  const rail = await serve('src/app/main.ts', env);
  // Its own answers, and not what was computed for another a moment ago.
  const client = httpClient(rail.origin, key.plaintext, { headers: { 'cache-control': 'no-cache' } });
  const db = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await untilAnswered(client);
    const next = await spread(client, { ...key, scopes: [] }, db);
    const payments = { rail, key, client, next, db };
    const pay = () => flow(client, next());
    await measurePlain(report, client, url, events > MANY);
    await measureOperations(report, client, Number(events > MANY) as 0 | 1, pay);
    const heaviest = await measureDrawn(report, client, pay);
    await measureCatchingUp(report, payments);
    await measurePayments(report, payments, heaviest);
  } finally {
    await db.end();
    await client.close();
    await rail.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A process serves before it has filled its copy, and says so. */
async function untilAnswered(client: Client): Promise<void> {
  while (
    !(await client.get('/v1/oversight/figures').then(
      () => true,
      (error: unknown) => (String(error).includes(': 503 ') ? false : Promise.reject(error)),
    ))
  );
}

/** Makes a payment, so that a question is computed again: until something is written, an answer is remembered. */
type Pay = () => Promise<unknown>;

/** Times of a question, after a few rounds to warm up; each after a payment, where that is given. */
async function timesOf(client: Client, path: string, pay: Pay = async () => {}): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < WARM_UP + SAMPLES; turn++) {
    await pay();
    const from = performance.now();
    await client.get(path);
    if (turn >= WARM_UP) took.push(performance.now() - from);
  }
  return took;
}

async function measureOperations(report: Report, client: Client, size: 0 | 1, pay: Pay): Promise<void> {
  const day = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
  const [service] = ((await client.get('/v1/services?limit=1')) as { data: { name: string }[] }).data;
  const { data } = (await client.get('/graphql/operations')) as { data: Operation[] };
  const took: { name: string; first: number; p95: number; again: number }[] = [];
  for (const operation of data) {
    const path = questionOf(operation).path({ day, service: service!.name });
    const again = median(await timesOf(client, path));
    const times = await timesOf(client, path, pay);
    took.push({ name: operation.name, first: median(times), p95: percentile(times, 0.95), again });
  }
  const [slowest] = took.toSorted((one, other) => other.again - one.again);
  const slowestFirst = took.toSorted((one, other) => other.first - one.first);
  report.table(
    ['named operation of a year', 'p50 ms after a payment', 'p95 ms', 'p50 ms asked again'],
    slowestFirst.map(({ name, first, p95, again }) => [name, first, p95, again]),
  );
  report.judge({
    what: `the slowest of ${took.length} named operations after a payment, ${slowestFirst[0]!.name}, p50`,
    figure: slowestFirst[0]!.first,
    unit: 'ms',
    target: { atMost: TARGETS.firstMs },
  });
  report.judge({
    what: `the slowest of ${took.length} named operations asked again, ${slowest!.name}, p50`,
    figure: slowest!.again,
    unit: 'ms',
    target: { atMost: TARGETS.operationMs[size] },
  });
  report.judge({
    what: 'revenue by agency asked again, p50',
    figure: took.find(({ name }) => name === 'revenue-by-agency')!.again,
    unit: 'ms',
    target: { atMost: TARGETS.revenueMs[size] },
  });
}

/** Asks what nobody foresaw; the slowest few of it. */
async function measureDrawn(report: Report, client: Client, pay: Pay): Promise<string[]> {
  const { paths, refused } = await drawQuestions(client);
  const took: [path: string, p50: number][] = [];
  for (const path of paths) took.push([path, median(await timesOf(client, path, pay))]);
  const slowestFirst = took.toSorted(([, one], [, other]) => other - one);
  report.table(
    ['drawn questions, the slowest', 'p50 ms after a payment'],
    slowestFirst.slice(0, 5).map(([path, p50]) => [decodeURIComponent(path.split('?')[1]!), p50]),
  );
  report.judge({
    what: `${paths.length} drawn questions (${refused} others refused) after a payment, p95`,
    figure: percentile(
      took.map(([, p50]) => p50),
      0.95,
    ),
    unit: 'ms',
    target: { atMost: TARGETS.drawnMs },
  });
  return slowestFirst.slice(0, 3).map(([path]) => path);
}

/** Measures the size of the code and of its tables. */
function measureSize(report: Report): void {
  const files = globSync('src/oversight/**/*.ts').filter((path) => !path.includes('/seals/'));
  const lines = files.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
  const tables = readFileSync('prisma/schema/oversight.prisma', 'utf8').match(/^model /gm)?.length ?? 0;
  const what = 'src/oversight without seals';
  report.judge({ what, figure: lines, unit: 'lines of TypeScript', target: { atMost: TARGETS.lines } });
  report.judge({ what: 'oversight.prisma', figure: tables, unit: 'tables', target: { atMost: TARGETS.tables } });
}
