import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decisionsOn } from '../../../src/collection/callbacks/decisions.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { always, commit } from '../../../src/platform/change/commit.ts';
import { TWO_LINES_TOTAL, createSent, makeActor } from '../../harness/flow.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const SECRET = 'the-secret-in-use-0001';
const rail = testRail({ WEBHOOK_SECRET_MTN_MOMO: SECRET });

async function tell(intent: string, eventId: string, signed: boolean): Promise<void> {
  const body = JSON.stringify({
    event_id: eventId,
    intent,
    status: 'SUCCESSFUL',
    amount: TWO_LINES_TOTAL,
    currency: 'UGX',
    txn_id: 'MP-1',
    settled_at: '2026-11-21T09:25:00Z',
  });
  const headers = signed ? { 'x-service-signature': createHmac('sha256', SECRET).update(body).digest('hex') } : {};
  expect((await rail.ask('/v1/webhooks/mtn_momo', { body, headers })).status).toBe(200);
}

const LIST = `query ($after: String, $signed: Boolean, $intent: ID, $provider: ID, $first: Int) {
  providerCallbacks(after: $after, signed: $signed, intent: $intent, provider: $provider, first: $first) {
    nodes { id provider signed event decision intentId objectId } pageInfo { hasNextPage endCursor } } }`;

describe('providerCallbacks', () => {
  it('lists what came, from whom, and what it led to, by what is asked of it; and each is found by its ID', async () => {
    const actor = await makeActor(rail);
    const [first, second] = [await createSent(rail, actor), await createSent(rail, actor)];
    const event = `${randomUUID()}:with colons`;
    await tell(first.intent, event, true);
    await tell(second.intent, 'evt-2', false);
    await tell(second.intent, 'evt-3', true);
    const manager = await makeStaff(rail, 'system_manager');
    const list = async (variables: object = {}) => {
      const { json } = await manager.post('/graphql', { query: LIST, variables });
      expect(json.errors).toBeUndefined();
      return json.data.providerCallbacks;
    };
    const whole = await list();
    expect(whole.nodes).toEqual([
      expect.objectContaining({ event: 'evt-3', signed: true, decision: 'already_final', intentId: second.intent }),
      expect.objectContaining({ event: 'evt-2', signed: false, decision: 'confirmed', intentId: second.intent }),
      {
        id: `mtn_momo:${event}`,
        provider: 'mtn_momo',
        signed: true,
        event,
        decision: 'confirmed',
        intentId: first.intent,
        objectId: null,
      },
    ]);
    const events = async (variables: object) =>
      (await list(variables)).nodes.map((one: { event: string }) => one.event);
    expect(await events({ intent: first.intent })).toEqual([event]);
    expect(await events({ signed: false })).toEqual(['evt-2']);
    expect(await events({ provider: 'mtn_momo' })).toHaveLength(3);
    expect(await events({ provider: 'card' })).toEqual([]);
    const page = await list({ first: 2 });
    expect(await events({ after: page.pageInfo.endCursor })).toEqual([event]);
    const ids = whole.nodes.map(({ id }: { id: string }) => id);
    const { json } = await manager.post('/graphql', {
      query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ProviderCallback { id event } } }',
      variables: { ids },
    });
    expect(json.data.nodes.map((one: { id: string }) => one.id)).toEqual(ids);
  });

  it('is for operators alone', async () => {
    for (const role of ['clerk', 'finance_officer', 'auditor'] as const) {
      const somebody = await makeStaff(rail, role);
      const { json } = await somebody.post('/graphql', { query: LIST });
      expect([role, json.errors[0].extensions.code]).toEqual([role, 'forbidden']);
    }
  });
});

it('of an event and bytes that were decided on apart, the decision on the event stands', async () => {
  const call = callOf(rail.rail, actAsSystem('job:test'), randomUUID());
  const on = (eventId: string, bytes: string) =>
    decisionsOn(call, { sender: 'mtn_momo', signed: true, eventId, body: Buffer.from(bytes), about: {} });
  for (const one of ['1', '2', '3'])
    await commit(call, {
      subject: null,
      guard: always,
      steps: [on(`event ${one}`, `bytes ${one}`).store(always, { decision: one, intent: null, object: null })],
    });
  for (const [event, bytes] of ['12', '21', '23', '32', '13', '31'])
    expect((await on(`event ${event}`, `bytes ${bytes}`).find())!.decision).toBe(event);
  expect((await on('event 4', 'bytes 2').find())!.decision).toBe('2');
});
