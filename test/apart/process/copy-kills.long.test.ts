import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { Payer, type Shop } from '../../harness/people/payer.ts';
import { OwnPostgres } from '../../harness/postgres.ts';
import { type Served, capture, serve } from '../../harness/processes.ts';

/** Questions that are answered in all; between them something is killed now and then. */
const MOMENTS = 200;
const KILLED_EVERY = 12;
const PROCESSES = 2;
const PAYERS = 4;
/** Longest time from the recorded moment of a commit until others see it. */
const BLUR_MS = 500;

const data = mkdtempSync(join(tmpdir(), 'copy-kills-'));
let postgres: OwnPostgres;
let starts: (() => Promise<Served>)[];
let processes: Served[];
let shop: Shop;

beforeAll(async () => {
  postgres = await OwnPostgres.start(['track_commit_timestamp=on']);
  const env = { DATABASE_URL: postgres.url, SECRET_KEY: 'k'.repeat(40), LOG_LEVEL: 'fatal' };
  const ports = await Promise.all(Array.from({ length: PROCESSES }, () => findFreePort()));
  // One that is started again has its address and its copy of facts.
  starts = ports.map(
    (port) => () => serve('src/app/main.ts', { ...env, PORT: String(port), DATA_DIR: join(data, String(port)) }),
  );
  processes = [];
  for (const start of starts) processes.push(await start());
  const scopes = 'citizens.read,assessments.write,payments.initiate,oversight.read';
  const who = ['--organisation', 'Office', '--email', 'office@example.com'];
  const issued = await capture('src/app/cli/admin.ts', ['key:issue', ...who, '--scopes', scopes, '--json'], {
    ...env,
    DATA_DIR: data,
  });
  const [citizen] = await postgres.query<{ name: string }>('select name from citizen order by name limit 1');
  const services = await postgres.query<{ name: string }>(
    `select name from service where code in ('URA-PAYE', 'URSB-COMPANY') order by name`,
  );
  shop = {
    origins: processes.map(({ origin }) => origin),
    key: (JSON.parse(issued) as { plaintext: string }).plaintext,
    citizen: citizen!.name,
    services: services.map(({ name }) => name),
  };
}, 300_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill()));
  await postgres.remove();
  rmSync(data, { recursive: true, force: true });
});

interface Sums {
  readonly count: number;
  readonly collected: number;
}

/** The sums that a process answers with, and their moment; null if it is down or has no database. */
async function ask(origin: string): Promise<(Sums & { asOf: Date }) | null> {
  const headers = { authorization: `Bearer ${shop.key}` };
  const answer = await fetch(`${origin}/v1/oversight/revenue?group_by=mda`, { headers }).catch(() => null);
  if (!answer || answer.status === 503) return null;
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  const { data: rows } = JSON.parse(text) as { data: Sums[] };
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    collected: rows.reduce((sum, { collected }) => sum + collected, 0),
    asOf: new Date(answer.headers.get('as-of')!),
  };
}

/** In plain SQL: how many events had been committed by a moment. */
async function countAt(moment: number): Promise<number> {
  const [row] = await postgres.query<{ count: number }>(
    'select count(*)::int as count from payment_event where pg_xact_commit_timestamp(xmin) <= $1',
    [new Date(moment)],
  );
  return row!.count;
}

/** In plain SQL: what the first so many events to be committed paid. */
async function sumOfFirst(count: number): Promise<number> {
  const [row] = await postgres.query<{ sum: number }>(
    `select coalesce(sum(amount), 0)::float8 as sum
     from (select amount from payment_event order by pg_xact_commit_timestamp(xmin), name limit $1) e`,
    [count],
  );
  return row!.sum;
}

/** Kills a process, or PostgreSQL, and starts it again after a while. */
async function killOne(turn: number): Promise<void> {
  const victim = turn % (PROCESSES + 1);
  if (victim === PROCESSES) {
    await postgres.kill();
    await sleep(Math.random() * 500);
    await postgres.startAgain();
    return;
  }
  await processes[victim]!.kill();
  await sleep(Math.random() * 500);
  processes[victim] = await starts[victim]!();
}

it(`answers at ${MOMENTS} moments what plain SQL says of them, while processes and PostgreSQL are killed`, async () => {
  const payers = Array.from({ length: PAYERS }, () => new Payer(shop));
  let over = false;
  const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
  let [answered, turn] = [0, 0];
  const seen = new Set<number>();
  while (answered < MOMENTS) {
    await sleep(Math.random() * 300);
    if (answered >= (turn + 1) * KILLED_EVERY) {
      // Asked while that happens, too.
      const [found] = await Promise.all([ask(shop.origins[turn % PROCESSES]!), killOne(turn++)]);
      if (found) await check(found);
    }
    const found = await ask(shop.origins[answered % PROCESSES]!);
    if (found) await check(found);
  }
  over = true;
  await paying;
  expect(turn).toBeGreaterThan(PROCESSES);
  // Answers were of many moments, and nothing was lost or counted twice.
  expect(seen.size).toBeGreaterThan(MOMENTS / 10);
  expect(payers.flatMap(({ wrong }) => wrong)).toEqual([]);
  const count = await countAt(Date.now() + 60_000);
  expect(count).toBeGreaterThanOrEqual(2 * payers.flatMap(({ acknowledged }) => acknowledged.confirm).length);
  const collected = await sumOfFirst(count);
  for (const origin of shop.origins) await expect.poll(() => ask(origin)).toMatchObject({ count, collected });

  /** All that had been committed by the moment that it names, nothing that had not by now, and whole payments. */
  async function check({ count: counted, collected: amount, asOf }: Sums & { asOf: Date }): Promise<void> {
    const now = Date.now();
    expect(counted, asOf.toISOString()).toBeGreaterThanOrEqual(await countAt(asOf.getTime() - BLUR_MS));
    expect(counted, asOf.toISOString()).toBeLessThanOrEqual(await countAt(now + BLUR_MS));
    expect(amount, asOf.toISOString()).toBe(await sumOfFirst(counted));
    expect(counted % 2).toBe(0);
    seen.add(counted);
    answered++;
  }
});
