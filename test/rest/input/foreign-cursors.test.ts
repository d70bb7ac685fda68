import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Actor, createConfirmed, makeActor } from '../../harness/flow.ts';
import { openShift } from '../../harness/people/counter.ts';
import { testRail } from '../../harness/rail.ts';
import { sql } from '../../../src/platform/database/sql.ts';

const rail = testRail();

/** An integrator with a row in each list. */
async function filled(): Promise<Actor> {
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  await openShift(actor);
  const name = `WHD-2026-01-${String(randomInt(1e6)).padStart(6, '0')}`;
  await rail.rows(sql`
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, created_at)
    select ${name}, o.id, ${actor.integrator}, 'webhook.test', 'x', 1, 'dead', now() from outbox o
    where not exists (select from webhook_delivery d where d.message = o.id) limit 1`);
  return actor;
}

const LISTS = [
  '/v1/assessments',
  '/v1/payment-events',
  '/v1/payment-intents',
  '/v1/counter-shifts',
  '/v1/me/keys',
  '/v1/me/webhook-deliveries',
];

describe('after', () => {
  it('of what the caller cannot see is as if there were no such row, on every list of their own', async () => {
    const [one, other] = [await filled(), await filled()];
    for (const list of LISTS) {
      const [theirs] = (await other.ask(list)).data;
      const own = (await one.ask(list)).data;
      expect(own.length, list).toBeGreaterThan(0);
      const foreign = await one.ask(`${list}?after=${theirs.name}`);
      const nobodys = await one.ask(`${list}?after=${String(theirs.name).replace(/\d{4}$/, '9999')}`);
      expect([foreign.status, foreign.text], list).toEqual([422, nobodys.text]);
      expect((await one.ask(`${list}?after=${own.at(-1).name}`)).data, list).toEqual([]);
    }
  });

  it('goes on from a row that no longer has what is asked for', async () => {
    const actor = await filled();
    const { data: before } = await actor.ask('/v1/assessments?status=Paid');
    expect((await actor.ask(`/v1/assessments?status=Draft&after=${before[0].name}`)).status).toBe(200);
  });
});
