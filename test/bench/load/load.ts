import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Unexpected } from '../clients.ts';
import { repeatedly } from '../flows/flows.ts';
import { flow } from '../flows/flow.ts';
import { waitUntilSettled } from '../flows/settle.ts';
import { type FlowSubject, findSubjects, spread } from '../flows/subjects.ts';
import { median, percentile } from '../measure.ts';
import type { Cell, Report } from '../report.ts';
import { type IssuedKey, Setting, issueKey } from '../setting.ts';
import type { Served } from '../../harness/processes.ts';
import { type Seen, runOpenLoop } from './open-loop.ts';
import { measureRest } from './rest.ts';
import { measureStart } from './start.ts';

/** Limits at twice the load that can be served, for answered requests, refused ones, and a load balancer. */
const TARGETS = { timesSlower: 3, shedMs: 50, readyMs: 100 };
const WARMTH_MS = 8_000;
const SATURATION_MS = 6_000;
/** For how long more is asked. */
const SECONDS = 8;
/** Time after the last request until memory is measured again. */
const AFTER_MS = 10_000;
const ROUNDS = 3;

/** As the rail is shipped, but for the minute's limits of one caller, who is everybody here. */
const SHIPPED = { JOBS: 'on', DATABASE_POOL: '', MAX_IN_FLIGHT: '' };

const HEADER = ['', 'begun', 'whole', 'p50 ms', 'p99 ms', 'shed', 'p99 ms', 'other', 'readyz p99 ms', 'not ready'];

interface Target {
  readonly key: IssuedKey;
  /** The subject of the next flow. */
  next(): FlowSubject;
}

/** Measures how callers fare if more requests come than can be served; and the idle use of a rail. */
export async function measureLoad(report: Report): Promise<void> {
  report.begin('e. Load: an open loop of whole flows, jobs on');
  const setting = await Setting.open({ settings: ['shared_preload_libraries=pg_stat_statements'] });
  try {
    const env = { ...(await setting.database('rail')), ...SHIPPED };
    const rail = await setting.serve('src/app/main.ts', env);
    const key = await issueKey(env);
    const client = patient(setting.client(rail, key));
    const db = setting.pool(env);
    const target: Target = { key, next: await spread(client, key, db) };

    const before = rail.memoryMiB();
    await repeatedly(() => runOnce(client, target.next()))(WARMTH_MS);
    await setting.analyze();
    const one = await findSaturation([client], target.next);
    const memory = watchMemory(rail);
    const seen = new Map<number, Seen>();
    for (const share of [0.5, 1, 2]) {
      await waitUntilSettled(db);
      seen.set(share, await load([rail], target, one * share));
    }
    const during = memory.most();
    await sleep(AFTER_MS);
    const after = rail.memoryMiB();
    await waitUntilSettled(db);
    report.table(
      HEADER,
      [...seen].map(([share, what]) => rowOf(`${share * 100} % of ${one.toFixed(0)} flows a second`, what)),
    );
    report.table(
      ['memory, MiB', 'before', 'most, during', `${AFTER_MS / 1_000} s after`],
      [['', before, during, after]],
    );
    judge(report, seen.get(0.5)!, seen.get(2)!);
    report.table(['flows, closed loop', 'a second'], await compareAgencies(client, key));

    const second = await setting.serve('src/app/main.ts', env);
    const clients = [client, patient(setting.client(second, key))];
    await repeatedly(() => runOnce(clients[1]!, target.next()))(WARMTH_MS);
    const two = await findSaturation(clients, target.next);
    await waitUntilSettled(db);
    const both = await load([rail, second], target, two * 2);
    await second.stop();

    report.table(HEADER, [rowOf(`two processes, 200 % of ${two.toFixed(0)} a second`, both)]);
    await waitUntilSettled(db);
    await measureRest(report, rail, db, setting);
  } finally {
    await setting.close();
  }
  await measureStart(report);
}

/** A client that asks again where it was turned away, as whoever saturates a rail may be. */
function patient(client: Client): Client {
  const post: Client['post'] = async (path, body) => {
    try {
      return await client.post(path, body);
    } catch (error) {
      if (!(error instanceof Unexpected) || error.status !== 503) throw error;
      return post(path, body);
    }
  };
  return { ...client, post };
}

async function runOnce(client: Client, subject: FlowSubject): Promise<void> {
  await flow(client, subject);
}

/** Flows a second where a few clients each wait for their last answer. */
async function findSaturation(clients: readonly Client[], next: () => FlowSubject): Promise<number> {
  const from = performance.now();
  let turn = 0;
  const { done } = await repeatedly(() => runOnce(clients[turn++ % clients.length]!, next()))(SATURATION_MS);
  return done / ((performance.now() - from) / 1_000);
}

function load(rails: readonly Served[], { key, next }: Target, perSecond: number): Promise<Seen> {
  const origins = rails.map(({ origin }) => origin);
  return runOpenLoop({ origins, key: key.plaintext, next, perSecond, seconds: SECONDS });
}

function rowOf(what: string, { flows, accepted, shed, failed, ready, notReady }: Seen): Cell[] {
  const others = [...failed].map(([status, count]) => `${count} × ${status}`).join(', ');
  return [
    what,
    flows.begun,
    flows.whole,
    percentile(accepted, 0.5),
    percentile(accepted, 0.99),
    shed.length,
    shed.length > 0 ? percentile(shed, 0.99) : null,
    others || 'none',
    percentile(ready, 0.99),
    notReady.length,
  ];
}

function judge(report: Report, half: Seen, twice: Seen): void {
  const slower = percentile(twice.accepted, 0.99) / percentile(half.accepted, 0.99);
  report.judge({
    what: 'twice saturation: p99 of the accepted ÷ p99 at 50 %',
    figure: slower,
    unit: '×',
    target: { atMost: TARGETS.timesSlower },
  });
  report.judge({
    what: 'twice saturation: p99 of the shed',
    figure: twice.shed.length > 0 ? percentile(twice.shed, 0.99) : 0,
    unit: 'ms',
    // A rail that refuses nothing must serve everything.
    target: {
      words: `at most ${TARGETS.shedMs}`,
      met: twice.shed.length > 0 ? percentile(twice.shed, 0.99) <= TARGETS.shedMs : slower <= TARGETS.timesSlower,
    },
  });
  report.judge({
    what: 'twice saturation: p99 of /readyz',
    figure: percentile([...twice.ready, ...twice.notReady], 0.99),
    unit: 'ms',
    target: { atMost: TARGETS.readyMs },
  });
}

/** Flows that all pay one agency beside flows that pay each another, in turns. */
async function compareAgencies(client: Client, key: IssuedKey): Promise<Cell[][]> {
  const subjects = await findSubjects(client, key);
  const busy = subjects.find(({ services }) => services[0]?.mda === 'URA')!;
  const rates: Record<'busy' | 'spread', number[]> = { busy: [], spread: [] };
  let turn = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['busy', 'spread'] as const) {
      const from = performance.now();
      const next = () => (side === 'busy' ? busy : subjects[turn++ % subjects.length]!);
      const { done } = await repeatedly(() => runOnce(client, next()))(SATURATION_MS / 2);
      rates[side].push(done / ((performance.now() - from) / 1_000));
    }
  }
  return [
    ['all pay one agency', median(rates.busy)],
    [`they pay ${subjects.length} agencies by turns`, median(rates.spread)],
  ];
}

/** Looks at the memory of a process four times a second. */
function watchMemory(rail: Served): { most(): number } {
  let most = rail.memoryMiB();
  const timer = setInterval(() => (most = Math.max(most, rail.memoryMiB())), 250);
  return {
    most: () => {
      clearInterval(timer);
      return most;
    },
  };
}
