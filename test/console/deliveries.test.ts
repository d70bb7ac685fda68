import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { MOST_REDELIVERED } from '../../src/accounts/webhooks/redeliver.ts';
import { type Actor, makeActor } from '../harness/flow.ts';
import type { TestRail } from '../harness/rail.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import type { Sink } from '../harness/sink.ts';
import { railWithListeners } from './listening.ts';

let rail: TestRail;
let sink: Sink;
let admin: StaffActor;

const setting = railWithListeners();
const { listener } = setting;
beforeAll(() => {
  ({ rail, sink, admin } = setting);
});

/** Messages of one object that are dead, as after a day on which an endpoint was away. */
async function addDead({ integrator }: Actor, many: number): Promise<string[]> {
  const rows = await rail.rows<{ name: string }>(sql`
    with message as (
      insert into outbox (id, type, object, sequence, integrator, payload, created_at, relayed_at)
      select gen_random_uuid(), 'webhook.test', ${integrator}, n, ${integrator}, jsonb_build_object('n', n), now(), now()
      from generate_series(1, ${many}::int) n returning id, sequence
    )
    insert into webhook_delivery (name, message, integrator, type, object, sequence, status, attempts, created_at, updated_at)
    select 'WHD-2026-01-' || right(${integrator}, 6) || lpad(sequence::text, 6, '0'), id, ${integrator}, 'webhook.test',
      ${integrator}, sequence, 'dead', 8, now(), now()
    from message returning name`);
  return rows.map(({ name }) => name);
}

/** Operators' changes of a subject, without those of its owner. */
const audited = async (subject: string) =>
  (await admin.ask(`/v1/ops/audit?subject=${subject}`)).data.filter(
    ({ actor }: { actor: string }) => actor !== subject,
  );

describe('POST /v1/ops/webhook-deliveries/{name}:redeliver', () => {
  it('sends a message of any integrator again, with the reason in the audit', async () => {
    const actor = await listener('/one');
    await actor.post('/v1/me/webhook:test');
    const arrived = () => sink.received.filter(({ path }) => path === '/hook/one').length;
    await expect.poll(arrived).toBe(1);
    const find = async () =>
      (await admin.ask(`/v1/ops/webhook-deliveries?integrator=${actor.integrator}`)).data[0] as { name: string };
    await expect.poll(find).toMatchObject({ status: 'delivered' });
    const { name } = await find();
    const path = `/v1/ops/webhook-deliveries/${name}:redeliver`;
    expect((await admin.post(path, { reason: 'They lost it' })).data).toMatchObject({
      name,
      integrator: actor.integrator,
      status: 'pending',
    });
    await expect.poll(arrived).toBe(2);
    expect(await audited(name)).toMatchObject([
      { actor: admin.email, action: 'webhook.redeliver', before: { status: 'delivered' }, reason: 'They lost it' },
    ]);
  });

  it('refuses: 401, 403, 404, 422', async () => {
    const actor = await makeActor(rail);
    const [name] = await addDead(actor, 1);
    const path = `/v1/ops/webhook-deliveries/${name}:redeliver`;
    expect((await rail.ask(path, { method: 'POST', body: { reason: 'x' } })).status).toBe(401);
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.post(path, { reason: 'x' })).status).toBe(403);
    expect((await admin.post('/v1/ops/webhook-deliveries/WHD-2020-01-000001:redeliver', { reason: 'x' })).status).toBe(
      404,
    );
    expect((await admin.post(path, { reason: ' ' })).status).toBe(422);
    expect((await admin.post(path, { reason: 'x' })).json.error.details[0].code).toBe('no_webhook_endpoint');
  });
});

describe('POST /v1/ops/webhook-deliveries:redeliver', () => {
  const path = '/v1/ops/webhook-deliveries:redeliver';

  it('sends again what is dead since a moment, in the order of each object, once under a key', async () => {
    const actor = await listener('/many');
    await addDead(actor, 5);
    const body = { integrator: actor.integrator, since: '2026-01-01', reason: 'Their outage is over' };
    const headers = { 'Idempotency-Key': `again-${actor.integrator}` };
    const answer = await admin.post(path, body, headers);
    expect(answer.data).toEqual({ redelivered: 5, has_more: false });
    expect((await admin.post(path, body, headers)).data).toEqual(answer.data);
    const arrived = () =>
      sink.received.filter((message) => message.path === '/hook/many').map(({ json }) => json.sequence);
    await expect.poll(() => arrived().length).toBe(5);
    expect(arrived()).toEqual([1, 2, 3, 4, 5]);
    expect((await admin.post(path, body)).data).toEqual({ redelivered: 0, has_more: false });
    expect(await audited(actor.integrator)).toMatchObject([
      { action: 'webhook.redeliver_dead', after: { redelivered: 5 }, reason: 'Their outage is over' },
    ]);
  });

  it('takes a bounded number at a time, and leaves what is older', async () => {
    const actor = await listener('/bounded');
    await addDead(actor, MOST_REDELIVERED + 1);
    await rail.rows(sql`update integrator set status = 'Suspended' where code = ${actor.integrator}`);
    const again = async (since: string) =>
      (await admin.post(path, { integrator: actor.integrator, since, reason: 'x' })).data;
    expect(await again('2999-01-01')).toEqual({ redelivered: 0, has_more: false });
    expect(await again('2026-01-01')).toEqual({ redelivered: MOST_REDELIVERED, has_more: true });
    expect(await again('2026-01-01')).toEqual({ redelivered: 1, has_more: false });
  });

  it('refuses: 404, 422', async () => {
    const body = { integrator: 'NOBODY-ABCDEF', since: '2026-01-01', reason: 'x' };
    expect((await admin.post(path, body)).status).toBe(404);
    expect((await admin.post(path, { ...body, since: 'then' })).status).toBe(422);
    const { integrator } = await makeActor(rail);
    expect((await admin.post(path, { ...body, integrator })).json.error.details[0].code).toBe('no_webhook_endpoint');
  });
});
