import { describe, expect, it } from 'vitest';
import { makeWebhookAgent } from '../../../src/accounts/webhooks/guard.ts';
import { purgeDeliveries, relay } from '../../../src/accounts/webhooks/relay.ts';
import { claimDueMessages, deliverMessage } from '../../../src/accounts/webhooks/send.ts';
import { type Database, type Sql, sql } from '../../../src/platform/database/sql.ts';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { makeActor } from '../../harness/flow.ts';
import { giveEndpoint } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';
import { openSink } from '../../harness/sink.ts';

const rail = testRail();

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

function rowsReadOf(table: string, plan: Plan): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsReadOf(table, part), 0);
}

/** Counts the deliveries that one round of the sender reads. */
async function countRead(): Promise<number> {
  let read = 0;
  const explain = async (query: Sql) => {
    const [row] = await rail.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`explain (analyze, format json) ${query}`);
    read += rowsReadOf('webhook_queue', row!['QUERY PLAN'][0].Plan);
    return [];
  };
  const db = { rows: explain, row: async () => null } satisfies Database;
  await claimDueMessages({ ...rail.rail, db }, { healthy: 100, failing: 10, slow: [] });
  return read;
}

describe('a round of the sender', () => {
  it('books a try of the process that has the claim, and none of one that lost it', async () => {
    const sink = await openSink();
    const agent = await makeWebhookAgent({ allowPrivate: true, ports: [] });
    const actor = await makeActor(rail);
    await giveEndpoint(rail, sql`code = ${actor.integrator}`, sink.url);
    await actor.post('/v1/me/webhook:test');
    await relay(rail.rail);
    const claim = () => claimDueMessages(rail.rail, { healthy: 1, failing: 1, slow: [] });
    const [slow] = await claim();
    expect(await claim()).toEqual([]);
    await rail.rows(sql`update webhook_queue set claimed_until = now() - interval '1 second'`);
    const [other] = await claim();
    expect(other!.name).toBe(slow!.name);
    const booked = async () => [
      await rail.count(sql`select from webhook_attempt where delivery = ${slow!.name}`),
      await rail.count(sql`select from webhook_queue where delivery = ${slow!.name}`),
      await rail.count(sql`select from webhook_delivery where name = ${slow!.name} and status = 'delivered'`),
    ];
    await deliverMessage(rail.rail, agent, slow!);
    expect(await booked()).toEqual([0, 1, 0]);
    await deliverMessage(rail.rail, agent, other!);
    expect(await booked()).toEqual([1, 0, 1]);
    expect(sink.received).toHaveLength(2);
    await agent.close();
    await sink.close();
  });

  it('reads as few deliveries of an endpoint that does not respond, however many wait for it', async () => {
    const actor = await makeActor(rail);
    await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: 'https://example.com/hook' } });
    const [endpoint] = (await actor.ask('/v1/me/webhook-endpoints')).data as { name: string }[];
    await rail.rows(sql`update webhook_endpoint set failing_since = now() where name = ${endpoint!.name}`);
    const addWaiting = async (from: number, to: number) => {
      await rail.rows(sql`
        with message as (
          insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
          select gen_random_uuid(), 'intent.sent', 'PI-' || n, 1, ${actor.integrator}, '{}', now(), now()
          from generate_series(${from}::int, ${to}::int) n returning id, object
        ), delivery as (
          insert into webhook_delivery (name, message, endpoint, integrator, type, object, sequence, status, created_at)
          select 'WHD-' || object, id, ${endpoint!.name}, ${actor.integrator}, 'intent.sent', object, 1, 'pending', now()
          from message returning name, endpoint, object, sequence
        )
        insert into webhook_queue (delivery, endpoint, object, sequence, next_attempt_at)
        select name, endpoint, object, sequence, now() - interval '1 minute' from delivery`);
      await rail.rows(sql`analyze webhook_delivery, webhook_queue`);
    };
    await addWaiting(1, 3_000);
    const few = await countRead();
    expect(few).toBeGreaterThan(0);
    await addWaiting(3_001, 12_000);
    expect(await countRead()).toBeLessThan(2 * few);
  });
});

describe('deliveries', () => {
  it('are kept for 90 days after they ended, with their attempts, and then no longer sent again', async () => {
    const actor = await makeActor(rail);
    await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: 'https://example.com/hook' } });
    const [endpoint] = (await actor.ask('/v1/me/webhook-endpoints')).data as { name: string }[];
    // By days since each was created, since it ended, and since its attempt.
    const all = [
      ['WHD-2020-01-000001', 'delivered', 200, 130, 130],
      ['WHD-2020-01-000002', 'dead', 100, 91, null],
      ['WHD-2020-01-000003', 'delivered', 200, 89, 89],
      ['WHD-2020-01-000004', 'pending', 200, 200, 200],
      ['WHD-2020-01-000005', 'dead', 200, 100, 1],
    ] as const;
    for (const days of [1, 89, 130, 200])
      await rail.rows(sql`select ensure_month('webhook_attempt', now() - ${days} * interval '1 day')`);
    for (const [name, status, created, ended, tried] of all) {
      const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
      await rail.rows(sql`
        with message as (
          insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
          select gen_random_uuid(), 'payment_intent.confirmed', ${name}, 1, ${actor.integrator}, '{}', now(), now() returning id
        )
        insert into webhook_delivery (name, message, endpoint, integrator, type, object, sequence, status,
          created_at, updated_at, delivered_at)
        select ${name}, id, ${endpoint!.name}, ${actor.integrator}, 'payment_intent.confirmed', ${name}, 1, ${status},
          ${ago(created)}, ${ago(ended)},
          case ${status} when 'delivered' then ${ago(ended)}::timestamptz end
        from message`);
      if (tried !== null)
        await rail.rows(sql`
          insert into webhook_attempt (delivery, at, endpoint, duration_ms) values (${name}, ${ago(tried)}, 'x', 1)`);
    }
    expect(await purgeDeliveries(rail.rail)).toBe(2);
    expect(await purgeDeliveries(rail.rail)).toBe(0);
    const left = await actor.ask('/v1/me/webhook-deliveries');
    expect(left.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      [3, 4, 5].map((n) => all[n - 1]![0]),
    );
    const attempts = sql`select delivery from webhook_attempt where delivery like 'WHD-2020-%' order by id`;
    expect(await rail.rows(attempts)).toEqual([{ delivery: all[2][0] }, { delivery: all[4][0] }]);
    const [gone, kept] = await Promise.all(
      [0, 2].map((index) => actor.post(`/v1/me/webhook-deliveries/${all[index]![0]}:redeliver`)),
    );
    expect([gone!.status, gone!.text]).toEqual([404, expect.stringContaining('ended more than 90 days ago')]);
    expect(kept!.status).toBe(200);
  });
});
