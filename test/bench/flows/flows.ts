import { CLIENTS } from '../clients.ts';
import { type Peer, type Run, type Side, compare, percentile } from '../measure.ts';
import type { Report } from '../report.ts';
import { Setting, issueKey } from '../setting.ts';
import { BareFlow, type Sending } from './bare-flow.ts';
import { flow, flowInThree } from './flow.ts';
import { waitUntilSettled } from './settle.ts';
import { spread } from './subjects.ts';
import { measureWal } from './wal.ts';

/** The least that flows over REST come to, of the rows alone as they were always sent. */
const LEAST = 0.45;

/**
 * Whole flows over REST beside the rows that they leave behind, with the rail's jobs off and on; and what they write to
 * PostgreSQL's log.
 */
export async function measureFlows(report: Report, seconds: number): Promise<void> {
  report.begin('c. Whole flows: create, assess, intent, initiate, confirm');
  const setting = await Setting.open();
  try {
    const off = await openFlows(setting, 'off');
    const on = await openFlows(setting, 'on');
    // Before the other database has anything for a vacuum to do: the log is that of all databases.
    await measureWal(report, on.db, { once: on.once, settle: () => waitUntilSettled(on.db) });
    // Their rows are no work for the jobs that the other side is measured with.
    const peers = [
      bareOf(setting, off, 'statement by statement', LEAST),
      bareOf(setting, off, 'one statement a step', undefined),
    ];
    const { databaseMs } = setting;
    await compare(report, { what: 'whole flow, jobs off', ours: off.side, peers, seconds, databaseMs });
    await compare(report, {
      what: 'whole flow in three requests, jobs off',
      ours: off.inThree,
      peers,
      seconds,
      databaseMs,
    });
    await compare(report, { what: 'whole flow, jobs on', ours: on.side, peers, seconds, databaseMs });
  } finally {
    await setting.close();
  }
}

type Flows = Awaited<ReturnType<typeof openFlows>>;

/** The rows of a flow through `pg` alone, as a side. */
function bareOf(setting: Setting, { url, next }: Flows, sending: Sending, rate: number | undefined): Peer {
  const bare = new BareFlow(url, next, sending);
  setting.closeWith(() => bare.close());
  return {
    label: `the same rows through bare pg, ${sending}`,
    run: repeatedly(() => bare.once()),
    cpuMs: () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    bounds: { ...(rate !== undefined && { rate }) },
  };
}

/** A rail on a database of its own, as a side that makes whole flows. */
async function openFlows(setting: Setting, jobs: 'off' | 'on') {
  const env = { ...(await setting.database(`jobs_${jobs}`)), JOBS: jobs };
  const rail = await setting.serve('src/app/main.ts', env);
  const key = await issueKey(env);
  const client = setting.client(rail, key);
  const db = setting.pool(env);
  const next = await spread(client, key, db);
  const once = async () => void (await flow(client, next()));
  const side: Side = {
    label: `rail, jobs ${jobs}`,
    run: repeatedly(once),
    cpuMs: rail.cpuMs,
    ...(jobs === 'on' && { settle: () => waitUntilSettled(db) }),
  };
  const inThree: Side = {
    ...side,
    label: `rail, jobs ${jobs}, in three requests`,
    run: repeatedly(() => flowInThree(client, next())),
  };
  return { side, inThree, once, next, db, url: env.DATABASE_URL };
}

/** Does something by so many clients at a time, again and again for so long. */
export function repeatedly(once: () => Promise<void>, clients = CLIENTS): (milliseconds: number) => Promise<Run> {
  return async (milliseconds) => {
    const until = performance.now() + milliseconds;
    const took: number[] = [];
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (performance.now() < until) {
          const from = performance.now();
          await once();
          took.push(performance.now() - from);
        }
      }),
    );
    return { done: took.length, p99Ms: percentile(took, 0.99) };
  };
}
