import { CLIENTS } from '../clients.ts';
import { type Peer, type Run, type Side, compare, percentile } from '../measure.ts';
import type { Report } from '../report.ts';
import { Setting, issueKey } from '../setting.ts';
import { BareFlow, type Sending } from './bare-flow.ts';
import { flow, flowInThree } from './flow.ts';
import { measurePause } from './pause.ts';
import { waitUntilSettled } from './settle.ts';
import { spread } from './subjects.ts';
import { measureWal } from './wal.ts';

/** The least that flows over REST come to, of the rows alone as they were always sent. */
const LEAST = { five: 0.5, three: 0.6, jobsOn: 0.45 };
/** Includes what the other figures leave out: idempotency keys, and text messages to a phone. */
const LIBRARY = 'a payment by the client library, for a payer with a phone, jobs on';
/** Shorter rounds measure how connections and caches of PostgreSQL get warm. */
const LEAST_SECONDS = 8;

/**
 * Whole flows over REST beside the rows that they leave behind, with the rail's jobs off and on; what they write to
 * PostgreSQL's log; and what a payer waits for after a silence.
 */
export async function measureFlows(report: Report, seconds: number): Promise<void> {
  report.begin('c. Whole flows: create, assess, intent, initiate, confirm');
  const setting = await Setting.open();
  try {
    const off = await openFlows(setting, 'off');
    const on = await openFlows(setting, 'on');
    // Before the other database has anything for a vacuum to do: the log is that of all databases.
    const { settle } = on;
    await measureWal(report, on.db, { what: 'a payment, jobs on', once: on.once, settle, mostKb: 30 });
    await measureWal(report, on.db, { what: LIBRARY, once: on.onceByLibrary, settle, mostKb: 40 });
    // Their rows are no work for the jobs that the other side is measured with.
    const eachStatement = bareOf(setting, off, 'statement by statement');
    const eachStep = bareOf(setting, off, 'one statement a step');
    const against = async (what: string, ours: Side, rate: number, more: Peer[] = []) => {
      const peers = [{ ...eachStatement, bounds: { rate } }, { ...eachStep, bounds: {} }, ...more];
      await compare(report, { what, ours, peers, seconds: Math.max(seconds, LEAST_SECONDS), database: setting });
    };
    await against('whole flow, jobs off', off.side, LEAST.five);
    await against('whole flow in three requests, jobs off', off.inThree, LEAST.three);
    await against('whole flow, jobs on', on.side, LEAST.jobsOn, [{ ...on.byLibrary, bounds: {} }]);
    await measurePause(report, on.once);
  } finally {
    await setting.close();
  }
}

type Flows = Awaited<ReturnType<typeof openFlows>>;

/** The rows of a flow through `pg` alone, as a side. */
function bareOf(setting: Setting, { url, next }: Flows, sending: Sending): Side {
  const bare = new BareFlow(url, next, sending);
  setting.closeWith(() => bare.close());
  return {
    label: `the same rows through bare pg, ${sending}`,
    run: repeatedly(() => bare.once()),
    cpuMs: () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  };
}

/** A rail on a database of its own, as sides that make whole flows. */
async function openFlows(setting: Setting, jobs: 'off' | 'on') {
  const env = { ...(await setting.database(`jobs_${jobs}`)), JOBS: jobs };
  const rail = await setting.serve('src/app/main.ts', env);
  const key = await issueKey(env);
  const [client, library] = [setting.client(rail, key), setting.client(rail, key, { careful: true })];
  const db = setting.pool(env);
  const [next, nextWithPhone] = [await spread(client, key, db), await spread(client, key, db, 'with')];
  const once = async () => void (await flow(client, next()));
  const onceByLibrary = async () => void (await flow(library, nextWithPhone()));
  const settle = () => waitUntilSettled(db);
  const sideOf = (label: string, run: () => Promise<void>): Side => ({
    label,
    run: repeatedly(run),
    cpuMs: rail.cpuMs,
    ...(jobs === 'on' && { settle }),
  });
  const side = sideOf(`rail, jobs ${jobs}`, once);
  const inThree = sideOf(`rail, jobs ${jobs}, in three requests`, () => flowInThree(client, next()));
  const byLibrary = sideOf(LIBRARY, onceByLibrary);
  return { side, inThree, byLibrary, once, onceByLibrary, next, settle, db, url: env.DATABASE_URL };
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
    return { done: took.length, p50Ms: percentile(took, 0.5), p99Ms: percentile(took, 0.99) };
  };
}
