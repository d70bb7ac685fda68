import { deepStrictEqual } from 'node:assert/strict';
import { type Client, type Repeated, ask, repeat } from '../clients.ts';
import { fillPage } from '../flows/flow.ts';
import { waitUntilSettled } from '../flows/settle.ts';
import { type Side, compare, median } from '../measure.ts';
import { QUESTIONS, REVENUE, type Form, type Subject } from './questions.ts';
import type { Report } from '../report.ts';
import { type IssuedKey, Setting, issueKey } from '../setting.ts';
import { type Served, capture } from '../../harness/processes.ts';

/** Most that the rail may take: its slowest hundredth and its CPU time as multiples of PostGraphile's. */
const BOUNDS = { p99: 1.5, cpu: 1 };
/** Payments of other integrators, over three years and sixty agencies. */
const HISTORY = ['seed:history', '--events', '30000'];
/** `yes` if Prisma's adapter is to prepare its statements, which is not its default; or empty. */
const PREPARED = process.env['PREPARED'] ?? '';
/** Milliseconds that revenue by agency may take a single caller, and the number of samples. */
const REVENUE_MS = 30;
const REVENUE_TIMES = 50;

/**
 * Questions over GraphQL beside PostGraphile's, and beside Yoga, Pothos and Prisma's client as their guides say: all
 * bare, and all with what goes around each request.
 */
export async function measureGraphql(report: Report, seconds: number): Promise<void> {
  report.begin('b. GraphQL');
  const setting = await Setting.open();
  try {
    const env = { ...(await setting.database('rail')), GRAPHILE_ENV: 'production' };
    const rail = await setting.serve('src/app/main.ts', env);
    await capture('src/app/cli/admin.ts', HISTORY, env);
    const key = await issueKey(env);
    const client = setting.client(rail, key);
    const subject: Subject = { assessment: await fillPage(client, key), integrator: key.integrator };
    await settle(setting, env);
    const asked = { ...env, INTEGRATOR: key.integrator, SCOPES: key.scopes.join(',') };
    const ways = [
      { how: 'bare', server: await setting.serve('test/bench/graphql/bare.ts', asked), peers: asked },
      { how: 'with keys and audit', server: rail, peers: { ...env, AROUND: 'yes' } },
    ];
    for (const { how, server, peers } of ways) {
      const postgraphile = await setting.servePeer('test/compat/peers/postgraphile.ts', peers);
      const prisma = await setting.servePeer('test/compat/prisma/server.ts', { ...peers, PREPARED });
      for (const { what, least, ...forms } of QUESTIONS) {
        const ours = await sideOf(server, key, forms.ours, subject);
        const theirs = await sideOf(postgraphile, key, forms.postgraphile, subject);
        const usual = await sideOf(prisma, key, forms.ours, subject);
        for (const { means } of [theirs, usual])
          deepStrictEqual(ours.means, means, `The sides answer "${what}" differently`);
        await compare(report, {
          what: `${what}, ${how}`,
          ours: { ...ours.side, label: 'rail' },
          peers: [
            { ...theirs.side, label: 'PostGraphile', bounds: { rate: least.postgraphile, ...BOUNDS } },
            { ...usual.side, label: 'Yoga, Pothos and Prisma', bounds: { rate: least.prisma } },
          ],
          seconds,
          database: setting,
        });
      }
    }
    await measureRevenue(report, client);
  } finally {
    await setting.close();
  }
}

/** Measures how long a single caller waits for revenue by agency. */
async function measureRevenue(report: Report, client: Client): Promise<void> {
  const took: number[] = [];
  while (took.length < REVENUE_TIMES) {
    const from = performance.now();
    await client.post('/graphql', { query: REVENUE });
    took.push(performance.now() - from);
  }
  report.judge({ what: 'revenue by agency, p50', figure: median(took), unit: 'ms', target: { atMost: REVENUE_MS } });
}

/** Lets a rail with its jobs on work off what was paid, and ends it. */
async function settle(setting: Setting, env: Readonly<Record<string, string>>): Promise<void> {
  const worker = await setting.serve('src/app/main.ts', { ...env, JOBS: 'on' });
  await waitUntilSettled(setting.pool(env));
  await worker.stop();
}

/** A question to one side again and again, and what its answer means. */
async function sideOf(
  { origin, cpuMs }: Served,
  { plaintext }: IssuedKey,
  { query, variables, meaning }: Form,
  subject: Subject,
) {
  const request: Repeated = {
    url: `${origin}/graphql`,
    headers: {
      authorization: `Bearer ${plaintext}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ query, variables: variables(subject) }),
  };
  const { bytes } = await ask(request);
  const { data, errors } = JSON.parse(bytes) as { data: unknown; errors?: unknown };
  if (errors) throw new Error(`${request.url}: ${bytes}`);
  const side: Omit<Side, 'label'> = { run: (milliseconds) => repeat(request, bytes, milliseconds), cpuMs };
  return { side, means: meaning(data) };
}
