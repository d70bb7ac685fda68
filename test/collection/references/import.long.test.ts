import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_ROWS } from '../../../src/collection/references/import/rows.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { measureLongestTurn } from '../../harness/chaos/held.ts';
import { measureHeldMiB } from '../../harness/chaos/heap.ts';
import { BEARABLE_MS } from '../../harness/chaos/worst/requests.ts';
import { createConfirmed, makeActor, serviceNamed } from '../../harness/flow.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type Served, serve } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let admin: StaffActor;
let processes: Served[];
let rest: string;

const start = () => serve('src/app/main.ts', { DATABASE_URL: rail.url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'error' });

beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
  processes = await Promise.all([start(), start()]);
  const [row] = await rail.rows<{ name: string }>(sql`select name from citizen order by name limit 1`);
  rest = `${row!.name},${await serviceNamed(rail, 'URA-PAYE')},30`;
});

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
});

const fileOf = (prefix: string) =>
  [
    'key,citizen,service,reference_days',
    ...Array.from({ length: MOST_ROWS }, (_, nth) => `${prefix}-${nth},${rest}`),
  ].join('\n');

/** Sends a file to a process; how many rows had each outcome. */
async function send(origin: string, body: string): Promise<Record<string, number>> {
  const answer = await fetch(`${origin}/v1/agency/URA/assessments:import`, {
    method: 'POST',
    headers: { cookie: admin.cookie, 'content-type': 'text/csv' },
    body,
  });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { outcome: string }[] };
  return Object.fromEntries(
    [...Map.groupBy(data, ({ outcome }) => outcome)].map(([outcome, of]) => [outcome, of.length]),
  );
}

const made = (prefix: string) =>
  rail.count(sql`
    select from assessment a join payment_reference r on r.assessment = a.name
    where a.source_mda = 'URA' and a.source_key like ${`${prefix}-%`}`);

const quantile = (durations: readonly number[], part: number) =>
  durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * part) - 1]!;

it('makes 10,000 assessments in a minute, while payments go on that take no more than twice as long', async () => {
  const actor = await makeActor(rail);
  const pay = async (while_: () => boolean, least: number) => {
    const durations: number[] = [];
    while (while_() || durations.length < least) {
      const from = performance.now();
      await createConfirmed(rail, actor);
      durations.push(performance.now() - from);
      await setTimeout(durations.at(-1));
    }
    return durations;
  };
  await Promise.all([pay(() => false, 50), send(rail.origin, fileOf('W'))]);
  const early = await pay(() => false, 200);
  const files = ['A', 'B', 'C'].map((prefix) => fileOf(prefix));
  const held = await measureHeldMiB();
  let running = true;
  const from = performance.now();
  const importing = (async () => {
    for (const file of files) expect(await send(rail.origin, file)).toEqual({ created: MOST_ROWS });
  })().finally(() => (running = false));
  const during = await pay(() => running, 1);
  await importing;
  const seconds = (performance.now() - from) / 1_000 / files.length;
  const alone = [...early, ...(await pay(() => false, 200))];
  const [p99, before] = [quantile(during, 0.99), quantile(alone, 0.99)];
  rail.logged.length = 0;
  const grown = (await measureHeldMiB()) - held;
  process.stdout.write(
    `10,000 rows in ${seconds.toFixed(1)} s; payments meanwhile: ${during.length}, p50 ${quantile(during, 0.5).toFixed(0)} ms of ${quantile(alone, 0.5).toFixed(0)}, p99 ${p99.toFixed(0)} ms of ${before.toFixed(0)}; ${grown.toFixed(1)} MiB more held\n`,
  );
  expect(seconds).toBeLessThan(60);
  expect(p99).toBeLessThan(2 * before);
  expect(grown).toBeLessThan(32);
});

it('holds nobody up for long', async () => {
  const file = fileOf('E');
  const longest = await measureLongestTurn(() => send(rail.origin, file));
  process.stdout.write(`the longest turn took ${longest.toFixed(0)} ms\n`);
  expect(longest).toBeLessThan(BEARABLE_MS);
});

it('makes nothing twice in two processes at once', async () => {
  const outcomes = await Promise.all(processes.map(({ origin }) => send(origin, fileOf('F'))));
  expect(outcomes.reduce((sum, { created = 0 }) => sum + created, 0)).toBe(MOST_ROWS);
  expect(await made('F')).toBe(MOST_ROWS);
});

it('has what broke off made by the next that sends it, and nothing twice', async () => {
  const [first, second] = processes as [Served, Served];
  const broken = send(first.origin, fileOf('D')).catch(() => null);
  await expect.poll(() => made('D')).toBeGreaterThan(5_000);
  await first.kill();
  expect(await broken).toBeNull();
  const before = await made('D');
  expect(before).toBeLessThan(MOST_ROWS);
  expect(await send(second.origin, fileOf('D'))).toEqual({ already: before, created: MOST_ROWS - before });
  expect(await made('D')).toBe(MOST_ROWS);
});
