import { expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const countFed = () => rail.count(sql`select from fact_change where kind in ('delivery', 'propagation')`);

/** Compares statistics of notifications since a day with plain counts. */
async function expectSame(key: string, when: string): Promise<void> {
  for (const from of ['2020-01-01', '2026-06-02']) {
    const { data } = await rail.ask(`/v1/oversight/statistics?from_date=${from}&to_date=2100-01-01`, { key });
    const [plain] = await rail.rows<Record<string, number>>(sql`
      select count(*) filter (where what = 'w' and status = 'delivered')::int as delivered,
        count(*) filter (where what = 'w' and status = 'pending')::int as pending,
        count(*) filter (where what = 'w' and status = 'dead')::int as dead,
        count(*) filter (where what = 'p' and status = 'done')::int as "propagationsDone",
        count(*) filter (where what = 'p' and status = 'pending')::int as "propagationsPending",
        count(*) filter (where what = 'p' and status in ('dead', 'rejected'))::int as "propagationsDead"
      from (
        select 'w' as what, status, created_at from webhook_delivery
        union all select 'p', status, created_at from propagation where kind = 'payment'
      ) n where created_at >= ${from}::date at time zone 'utc'`);
    const { delivered, pending, dead, propagationsDone, propagationsPending, propagationsDead } = plain!;
    expect(data.webhooks, `${when}, from ${from}`).toEqual({ delivered, pending, dead });
    expect(data.propagations, `${when}, from ${from}`).toEqual({
      done: propagationsDone,
      pending: propagationsPending,
      dead: propagationsDead,
    });
  }
}

it('statistics count notifications exactly, whatever becomes of them', async () => {
  const { plaintext: key } = await rail.key('oversight.read');
  const actor = await makeActor(rail);
  for (let flow = 0; flow < 3; flow++) await createConfirmed(rail, actor);
  await rail.rows(sql`
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, created_at)
    select 'WHD-2026-06-' || lpad((row_number() over (order by o.id))::text, 6, '0'), o.id, i.code, 'payment_intent.confirmed', 'OBJECT', 1, 'pending',
      timestamptz '2026-06-01 00:00Z' + (row_number() over (order by o.id) || ' hours')::interval * 9
    from (select id from outbox order by id limit 8) o cross join (select code from integrator limit 1) i`);
  await rail.rows(sql`
    insert into propagation (name, assessment, mda, kind, status, next_attempt_at, created_at)
    select 'PRP-' || name, assessment, mda, 'reversal', 'pending', now(), now() from propagation`);
  await expectSame(key, 'pending');
  const before = await countFed();
  await rail.rows(sql`
    update webhook_delivery set attempts = attempts + 1`);
  expect(await countFed()).toBe(before);
  await rail.rows(sql`
    update webhook_delivery set status = 'delivered', delivered_at = now() where name in (
      select name from webhook_delivery order by name limit 3)`);
  await rail.rows(sql`
    update webhook_delivery set status = 'dead' where name = (
      select max(name) from webhook_delivery)`);
  await rail.rows(sql`
    update propagation set status = 'rejected', next_attempt_at = null, done_at = null where name in (
      select name from propagation where kind = 'payment' order by name limit 1)`);
  await rail.rows(sql`
    delete from webhook_delivery where name = (select name from webhook_delivery where status = 'pending' limit 1)`);
  await expectSame(key, 'sent, given up, rejected and deleted');
});
