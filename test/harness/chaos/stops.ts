import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeActor, serviceNamed, someCitizen } from '../flow.ts';
import { type Served, serve } from '../processes.ts';
import { DROPPED, startProxy } from './proxy.ts';
import type { TestRail } from '../rail.ts';

interface Stops {
  readonly processes: number;
  /** Each process that was stopped is started again; without, there are at most as many stops as processes. */
  readonly again: boolean;
  /** True if there is to be one more stop after this many. */
  readonly more: (stops: number) => boolean;
  /** Requests a second, every fourth of them a write. */
  readonly rate: number;
  readonly drainSeconds: number;
  readonly random?: () => number;
  /** The environment of its processes; by default, what the rail needs. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly sent: number;
  /** Answers by status; for dropped requests, by how they were dropped. */
  readonly answers: Readonly<Record<string, number>>;
  /** Writes that were acknowledged. */
  readonly acknowledged: number;
  /** Those of them that the database does not have. */
  readonly missing: number;
  readonly stopMs: readonly number[];
  readonly seconds: number;
}

/** Requests under way at most: a machine that is slower than the rate is not to be flooded, which is another test. */
const MOST_UNDER_WAY = 64;

/** Stops processes in turns under a steady load through a proxy that keeps its connections. */
export async function stopUnderLoad(
  rail: TestRail,
  { processes: count, again, more, rate, drainSeconds, random = Math.random, env = { DATABASE_URL: rail.url } }: Stops,
): Promise<Outcome> {
  const start = () =>
    serve('src/app/main.ts', {
      ...env,
      PORT: '0',
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: String(drainSeconds),
    });
  const processes: Served[] = await Promise.all(Array.from({ length: count }, start));
  const proxy = await startProxy(processes.map(({ origin }) => origin));
  const { key } = await makeActor(rail);
  const body = { citizen: await someCitizen(rail), lines: [{ service: await serviceNamed(rail, 'URA-PAYE') }] };
  const answers: Record<string, number> = {};
  const acknowledged: string[] = [];

  const ask = async (write: boolean) => {
    const response = await fetch(proxy.origin + (write ? '/v1/assessments' : '/v1/citizens?limit=1'), {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(write && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const outcome = response.status === DROPPED ? text : String(response.status);
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    if (write && response.ok) acknowledged.push((JSON.parse(text) as { data: { name: string } }).data.name);
  };

  let open = 0;
  const underway: Promise<void>[] = [];
  const startedAt = performance.now();
  const due = () => ((performance.now() - startedAt) / 1_000) * rate;
  const ticker = setInterval(() => {
    while (open < MOST_UNDER_WAY && underway.length < due()) {
      open++;
      underway.push(ask(underway.length % 4 === 0).finally(() => open--));
    }
  }, 5);
  const stopMs: number[] = [];
  let seconds = 0;
  try {
    for (let round = 0; more(round); round++) {
      await sleep(300 + random() * 300);
      const at = round % processes.length;
      const before = performance.now();
      await processes[at]!.stop();
      stopMs.push(Math.round(performance.now() - before));
      if (!again) continue;
      const next = await start();
      processes[at] = next;
      proxy.upstreams[at] = next.origin;
    }
  } finally {
    seconds = (performance.now() - startedAt) / 1_000;
    clearInterval(ticker);
    await Promise.allSettled(underway);
    await proxy.close();
    await Promise.all(processes.map((one) => one.stop()));
  }
  // A request that no process answered at all is a failure of the test itself.
  await Promise.all(underway);
  const known = await rail.count(sql`select 1 from assessment where name = any (${acknowledged}::text[])`);
  return {
    sent: underway.length,
    answers,
    acknowledged: acknowledged.length,
    missing: acknowledged.length - known,
    stopMs,
    seconds,
  };
}
