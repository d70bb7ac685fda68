import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_LINES } from '../../../../src/collection/reconciliation/bank/statement.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { FORMS } from '../../../../src/sandbox/demo/money/statements.ts';
import { BEARABLE_MS } from '../../../harness/chaos/worst/requests.ts';
import { measureHeldMiB } from '../../../harness/chaos/heap.ts';
import { createConfirmed, makeActor } from '../../../harness/flow.ts';
import { type StaffActor, makeStaffOf } from '../../../harness/people/staff.ts';
import { type Served, serve } from '../../../harness/processes.ts';
import { testRail } from '../../../harness/rail.ts';

const rail = testRail();
let officer: StaffActor;
let account: string;
const processes: Served[] = [];

const start = async () => {
  const env = { DATABASE_URL: rail.url, PORT: '0', JOBS: 'off', LOG_LEVEL: 'fatal' };
  processes.push(await serve('src/app/main.ts', env));
  return processes.at(-1)!;
};

beforeAll(async () => {
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
  const [row] = await rail.rows<{ account: string }>(
    sql`select collection_account as account from mda where name = 'URA'`,
  );
  account = row!.account;
});

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
});

const fileOf = (prefix: string, day: string) =>
  FORMS.csv.write({
    account,
    opening: 0,
    lines: Array.from({ length: MOST_LINES }, (_, nth) => ({
      day,
      amount: 1 + (nth % 900),
      text: 'Payout of a day',
      reference: `${prefix}-${nth}`,
    })),
  });

async function send(origin: string, body: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/agency/URA/bank-statements`, {
    method: 'POST',
    headers: { cookie: officer.cookie, 'content-type': 'text/csv' },
    body,
  });
  const { data } = (await answer.json()) as { data: readonly { outcome: string }[] };
  return `${answer.status} ${data[0]!.outcome}`;
}

const quantile = (durations: readonly number[], part: number) =>
  durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * part) - 1]!;

it('takes 100,000 lines in 30 s, in bounded memory, while payments go on', async () => {
  const { origin } = await start();
  const actor = await makeActor(rail);
  const pay = async (isOn: () => boolean, least: number) => {
    const durations: number[] = [];
    while (isOn() || durations.length < least) {
      const from = performance.now();
      await createConfirmed(rail, actor);
      durations.push(performance.now() - from);
      await setTimeout(durations.at(-1));
    }
    return durations;
  };
  await send(origin, fileOf('W', '2026-01-02'));
  const early = await pay(() => false, 150);
  const held = await measureHeldMiB();
  const file = fileOf('A', '2026-01-05');
  let running = true;
  const from = performance.now();
  const sending = send(rail.origin, file).finally(() => (running = false));
  const during = await pay(() => running, 1);
  expect(await sending).toBe('200 taken');
  const seconds = (performance.now() - from) / 1_000;
  const alone = [...early, ...(await pay(() => false, 150))];
  rail.logged.length = 0;
  const grown = (await measureHeldMiB()) - held;
  const [p50, p99] = [0.5, 0.99].map((part) => quantile(during, part) - quantile(alone, part)) as [number, number];
  process.stdout.write(
    `100,000 lines in ${seconds.toFixed(1)} s; ${during.length} payments meanwhile, each of 5 requests: p50 ${p50.toFixed(0)} ms more, p99 ${p99.toFixed(0)} ms more; ${grown.toFixed(1)} MiB more held\n`,
  );
  expect(seconds).toBeLessThan(30);
  // A payment is five requests, of which each may wait.
  expect(p50).toBeLessThan(5 * BEARABLE_MS);
  expect(grown).toBeLessThan(32);
});

it('takes nothing of a file at whose line 60,000 the process is killed, and all of it when it is sent again', async () => {
  // The database holds the process at this line.
  await rail.query(`
    create function hold_line() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(60000); return null; end $$`);
  await rail.query(`
    create trigger hold_line after insert on bank_line for each row when (new.idx = 60000) execute function hold_line()`);
  const body = fileOf('K', '2026-01-07');
  const first = await start();
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`select pg_advisory_xact_lock(60000)`);
    const broken = send(first.origin, body).catch(() => 'broken');
    const isHeld = () => rail.count(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`);
    await expect.poll(isHeld).toBe(1);
    await first.kill();
    expect(await broken).toBe('broken');
  });
  const taken = () => rail.count(sql`select 1 from bank_line where reference like 'K-%'`);
  expect(await taken()).toBe(0);
  const second = await start();
  expect(await send(second.origin, body)).toBe('200 taken');
  expect(await taken()).toBe(MOST_LINES);
  expect(await send(second.origin, body)).toBe('200 already');
});
