import { CLIENTS } from '../clients.ts';
import { type Run, type Side, compare, percentile } from '../measure.ts';
import type { Report } from '../report.ts';
import { Setting, issueKey } from '../setting.ts';
import { BareFlow } from './bare-flow.ts';
import { findSubject, flow } from './flow.ts';
import { waitUntilSettled } from './settle.ts';

const TARGET = { rate: 0.5 };

/** Whole flows over REST beside the rows that they leave behind, with the rail's jobs off and on. */
export async function measureFlows(report: Report, seconds: number): Promise<void> {
  report.begin('c. Whole flows: create, assess, intent, initiate, confirm');
  const setting = await Setting.open();
  try {
    const off = await openFlows(setting, 'off');
    const on = await openFlows(setting, 'on');
    // Its rows are no work for the jobs that the other side is measured with.
    const bare = new BareFlow(off.url, off.subject);
    setting.closeWith(() => bare.close());
    const peer: Side = {
      label: 'the same rows through bare pg',
      run: repeatedly(() => bare.once()),
      cpuMs: () => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    };
    const { databaseMs } = setting;
    await compare(report, { what: 'whole flow, jobs off', ours: off.side, peer, target: TARGET, seconds, databaseMs });
    await compare(report, { what: 'whole flow, jobs on', ours: on.side, peer, target: TARGET, seconds, databaseMs });
  } finally {
    await setting.close();
  }
}

/** A rail on a database of its own, as a side that makes whole flows. */
async function openFlows(setting: Setting, jobs: 'off' | 'on') {
  const env = { ...(await setting.database(`jobs_${jobs}`)), JOBS: jobs };
  const rail = await setting.serve('src/app/main.ts', env);
  const key = await issueKey(env);
  const client = setting.client(rail, key);
  const subject = await findSubject(client, key);
  const db = setting.pool(env);
  const side: Side = {
    label: `rail, jobs ${jobs}`,
    run: repeatedly(async () => void (await flow(client, subject))),
    cpuMs: rail.cpuMs,
    ...(jobs === 'on' && { settle: () => waitUntilSettled(db) }),
  };
  return { side, subject, url: env.DATABASE_URL };
}

/** Does something by so many clients at a time, again and again for so long. */
export function repeatedly(once: () => Promise<void>): (milliseconds: number) => Promise<Run> {
  return async (milliseconds) => {
    const until = performance.now() + milliseconds;
    const took: number[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
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
