import { deepStrictEqual } from 'node:assert/strict';
import { type Repeated, ask, repeat } from '../clients.ts';
import { fillPage } from '../flows/flow.ts';
import { waitUntilSettled } from '../flows/settle.ts';
import { type Side, compare } from '../measure.ts';
import { QUESTIONS, type Form, type Subject } from './questions.ts';
import type { Report } from '../report.ts';
import { type IssuedKey, Setting, issueKey } from '../setting.ts';
import { type Served, capture } from '../../harness/processes.ts';

const PEER = 'test/compat/peers/postgraphile.ts';
/** Payments of other integrators, over three years and sixty agencies. */
/** How many times as long as the peer's slowest hundredth the rail's may wait. */
const P99 = 1.5;
const HISTORY = ['seed:history', '--events', '30000'];

/** What the peer answers revenue from, as whoever uses it for figures would keep them: a row for each agency and month. */
const SUMS = `
  create table revenue_monthly as
  select date_trunc('month', occurred_at at time zone 'utc')::date as month, mda, currency,
    coalesce(sum(amount) filter (where kind = 'payment'), 0) as collected,
    coalesce(-sum(amount) filter (where kind = 'reversal'), 0) as reversed,
    count(*) filter (where kind = 'payment') as payments, count(*) filter (where kind = 'reversal') as reversals
  from payment_event group by 1, 2, 3;
  alter table revenue_monthly add primary key (month, mda, currency);
  analyze revenue_monthly`;

/** Questions over GraphQL beside PostGraphile's: both bare, and both with what goes around each request. */
export async function measureGraphql(report: Report, seconds: number): Promise<void> {
  report.begin('b. GraphQL');
  const setting = await Setting.open();
  try {
    const env = { ...(await setting.database('rail')), GRAPHILE_ENV: 'production' };
    const rail = await setting.serve('src/app/main.ts', env);
    await capture('src/app/cli/admin.ts', HISTORY, env);
    const key = await issueKey(env);
    const assessment = await fillPage(setting.client(rail, key), key);
    await settle(setting, env);
    await setting.pool(env).query(SUMS);
    const subject: Subject = { assessment, integrator: key.integrator };
    const pairs = [
      {
        how: 'bare',
        rail: await setting.serve('test/bench/graphql/bare.ts', {
          ...env,
          INTEGRATOR: key.integrator,
          SCOPES: key.scopes.join(','),
        }),
        peer: await setting.servePeer(PEER, env),
      },
      {
        how: 'with keys and audit',
        rail,
        peer: await setting.servePeer(PEER, { ...env, AROUND: 'yes' }),
      },
    ];
    for (const pair of pairs) {
      for (const { what, target, ours, theirs } of QUESTIONS) {
        const [railSide, peerSide] = await Promise.all([
          sideOf(pair.rail, key, ours, subject),
          sideOf(pair.peer, key, theirs, subject),
        ]);
        deepStrictEqual(railSide.means, peerSide.means, `The two sides answer "${what}" differently`);
        await compare(report, {
          what: `${what}, ${pair.how}`,
          ours: { ...railSide.side, label: 'rail' },
          peers: [{ ...peerSide.side, label: 'PostGraphile', bounds: { rate: target, p99: P99 } }],
          seconds,
          database: setting,
        });
      }
    }
  } finally {
    await setting.close();
  }
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
