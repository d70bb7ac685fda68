import { setTimeout as sleep } from 'node:timers/promises';
import { flow } from '../flows/flow.ts';
import { repeatedly } from '../flows/flows.ts';
import { waitUntilSettled } from '../flows/settle.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { percentile } from '../measure.ts';
import type { Report } from '../report.ts';
import type { Payments } from './payments.ts';

const TARGETS = { waitMs: 100, ageS: 1 };
const SECONDS = 30;
/** For how long the rail's own rate is measured, in milliseconds. */
const FULL_MS = 8_000;
/** Pause between two questions, in milliseconds. */
const REST_MS = 50;
const QUESTION = { query: '{ oversight { asOf } }' };

/** Measures how long a question waits for the copy of facts while payments come at half of the rail's own rate. */
export async function measureCatchingUp(report: Report, { rail, key, client, next, db }: Payments): Promise<void> {
  const { done } = await repeatedly(async () => void (await flow(client, next())))(FULL_MS);
  const perSecond = Math.round((done / FULL_MS) * 500);
  await waitUntilSettled(db);
  const [took, ages]: [number[], number[]] = [[], []];
  const over = new AbortController();
  const asking = (async () => {
    while (!over.signal.aborted) {
      const from = performance.now();
      const { data } = (await client.post('/graphql', QUESTION)) as { data: { oversight: { asOf: string } } };
      took.push(performance.now() - from);
      ages.push((Date.now() - Date.parse(data.oversight.asOf)) / 1_000);
      await sleep(REST_MS);
    }
  })();
  const load = { origins: [rail.origin], key: key.plaintext, next, perSecond, seconds: SECONDS };
  const { flows } = await runOpenLoop(load).finally(() => over.abort());
  await asking;
  report.table(
    [`caught up under ${perSecond} payments a second, ms`, 'p50', 'p95', 'p99', 'oldest answer s', 'paid a second'],
    [
      [
        `${took.length} times`,
        ...[0.5, 0.95, 0.99].map((share) => percentile(took, share)),
        Math.max(...ages),
        flows.whole / SECONDS,
      ],
    ],
  );
  report.judge({
    what: "caught up under payments at half of the rail's rate, p99",
    figure: percentile(took, 0.99),
    unit: 'ms',
    target: { atMost: TARGETS.waitMs },
  });
  report.judge({
    what: 'the oldest of these answers',
    figure: Math.max(...ages),
    unit: 's',
    target: { atMost: TARGETS.ageS },
  });
}
