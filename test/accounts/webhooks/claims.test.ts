import { describe, expect, it } from 'vitest';
import { claimDueMessages } from '../../../src/accounts/webhooks/send.ts';
import { type Database, type Sql, sql } from '../../../src/platform/database/sql.ts';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

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

/** How many deliveries one round of the sender reads. */
async function countRead(): Promise<number> {
  let read = 0;
  const explain = async (query: Sql) => {
    const [row] = await rail.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`explain (analyze, format json) ${query}`);
    read += rowsReadOf('webhook_delivery', row!['QUERY PLAN'][0].Plan);
    return [];
  };
  const db = { rows: explain, row: async () => null } satisfies Database;
  await claimDueMessages({ ...rail.rail, db }, { healthy: 100, failing: 10, slow: [] });
  return read;
}

describe('a round of the sender', () => {
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
        )
        insert into webhook_delivery (name, message, endpoint, integrator, type, object, sequence, status, next_attempt_at, created_at)
        select 'WHD-' || object, id, ${endpoint!.name}, ${actor.integrator}, 'intent.sent', object, 1, 'pending', now() - interval '1 minute', now()
        from message`);
      await rail.rows(sql`analyze webhook_delivery`);
    };
    await addWaiting(1, 3_000);
    const few = await countRead();
    expect(few).toBeGreaterThan(0);
    await addWaiting(3_001, 12_000);
    expect(await countRead()).toBeLessThan(2 * few);
  });
});
