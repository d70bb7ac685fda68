import { expect, it } from 'vitest';
import { metricsOf } from '../../src/app/probes.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { createAssessed, createPendingFor, makeActor } from '../harness/flow.ts';
import { initiate, planNext, startOutsideRail } from '../harness/outside.ts';

const held = startOutsideRail();
const { rail } = held;

/** The metrics of a process, by their names and labels. */
async function read(): Promise<Readonly<Record<string, number>>> {
  const lines = (await metricsOf(rail.rail).metrics()).split('\n').filter((line) => /^\w/.test(line));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

it('counts calls to providers by channel and what came of them', async () => {
  const actor = await makeActor(rail);
  const collect = async () => {
    const intent = await createPendingFor(actor, await createAssessed(rail, actor));
    await initiate(actor, intent);
    return intent;
  };
  planNext(held.outside, 'mtn_momo', { callback: 'lost', settleMs: 0 });
  const paid = await collect();
  await actor.post(`/v1/payment-intents/${paid}:confirm`);
  held.outside.mtn.trouble.down = 'refusing';
  try {
    await collect();
  } finally {
    held.outside.mtn.trouble.down = 'no';
  }
  const metrics = await read();
  const calls = (operation: string, outcome: string) =>
    metrics[
      `provider_call_duration_seconds_count{connection="mtn_momo",channel="mtn_momo",operation="${operation}",outcome="${outcome}"}`
    ];
  expect(calls('initiate', 'accepted')).toBe(1);
  expect(calls('verify', 'successful')).toBe(1);
  expect(calls('initiate', 'failed')).toBe(1);
  expect(calls('verify', 'declined')).toBeUndefined();
});

it('says how far the copy of facts is behind', async () => {
  const asOf = await rail.rail.analytics.asOf();
  const behind = () => (rail.rail.now().getTime() - asOf.getTime()) / 1_000;
  for (const hours of [0, 1]) {
    rail.advance(hours);
    const least = behind();
    const shown = (await read())['facts_behind_seconds']!;
    expect([shown >= least - 1, shown <= behind() + 1, hours]).toEqual([true, true, hours]);
  }
});

it('counts the payments of the last day by status', async () => {
  const before = await read();
  const of = (metrics: Readonly<Record<string, number>>, status: string) =>
    metrics[`payment_intents{status="${status}"}`]!;
  expect(of(before, 'Confirmed')).toBeGreaterThan(0);
  expect(of(before, 'Expired')).toBe(0);
  await rail.rows(sql`update payment_intent set status = 'Expired' where status <> 'Confirmed'`);
  const after = await read();
  expect([of(after, 'Expired'), of(after, 'Pending')]).toEqual([of(before, 'Pending') + of(before, 'Sent'), 0]);
  expect(of(after, 'Confirmed')).toBe(of(before, 'Confirmed'));
  rail.advance(25);
  expect(of(await read(), 'Confirmed')).toBe(0);
});

it('counts connections to the database by pool, and who had to wait for one', async () => {
  const waits = 'database_pool_waits_total{pool="requests"}';
  const before = (await read())[waits]!;
  const most = rail.rail.config.databasePool;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const asked = Array.from({ length: most + 2 }, () => rail.rail.transaction(() => released));
  await expect.poll(async () => (await read())['database_pool_waiting{pool="requests"}']).toBe(2);
  const during = await read();
  expect(during[waits]! - before).toBe(2);
  release();
  await Promise.all(asked);
  const after = await read();
  expect(after['database_pool_waiting{pool="requests"}']).toBe(0);
  const connections = (state: string) => after[`database_pool_connections{pool="requests",state="${state}"}`];
  expect([connections('idle'), connections('used')]).toEqual([most, 0]);
});

it('says how long the event loop was held up', async () => {
  expect(await read()).toHaveProperty('nodejs_eventloop_lag_p99_seconds');
});
