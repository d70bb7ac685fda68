import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createPending, createSent, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ JOBS: 'on' });
const live = testRail(LIVE);

const act = (actor: Actor, intent: string, outcome: string) =>
  actor.post(`/v1/sandbox/payment-intents/${intent}:${outcome}`);
const anomaliesOf = async (subject: string) =>
  (await rail.rows<{ kind: string }>(sql`select kind from anomaly where subject = ${subject} order by kind`)).map(
    ({ kind }) => kind,
  );
const eventsOf = (intent: string) => rail.rows(sql`select name from payment_event where intent = ${intent}`);

describe('what can be made to happen to a payment of a sandbox', () => {
  it.each([
    ['succeed', 'Confirmed', [], 2],
    ['fail', 'Failed', [], 0],
    ['expire', 'Expired', [], 0],
    ['duplicate', 'Confirmed', [], 2],
    ['late', 'Confirmed', ['late_collection'], 2],
    ['other_amount', 'Sent', ['amount_mismatch'], 0],
  ])(':%s leads to %s', async (outcome, status, anomalies, events) => {
    const actor = await makeActor(rail);
    const { intent, assessment } = await createSent(rail, actor, '+256700123000');
    expect((await act(actor, intent, outcome)).data).toMatchObject({ name: intent, status });
    expect(await anomaliesOf(intent)).toEqual(anomalies);
    expect(await eventsOf(intent)).toHaveLength(events);
    const paid = (await actor.ask(`/v1/assessments/${assessment}`)).data.status;
    expect(paid).toBe(events > 0 ? 'Paid' : 'Assessed');
  });

  it(':succeed initiates a Pending intent first', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    expect((await act(actor, intent, 'succeed')).data.status).toBe('Confirmed');
  });

  it(':duplicate has its repetition answered by the stored decision', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createSent(rail, actor, '+256700123000');
    await act(actor, intent, 'duplicate');
    const decisions = await rail.rows(sql`select decision from inbound_callback where intent = ${intent}`);
    expect(decisions).toEqual([{ decision: 'confirmed' }]);
  });

  it(':lose_answer leaves it Pending, and enquiries find it complete', async () => {
    const actor = await makeActor(rail);
    const { intent } = await createPending(rail, actor);
    const { data } = await act(actor, intent, 'lose_answer');
    expect(data).toMatchObject({ status: 'Pending', aggregator_reference: expect.any(String) });
    rail.advance(120 / 3_600);
    await expect.poll(async () => (await actor.ask(`/v1/payment-intents/${intent}`)).data.status).toBe('Confirmed');
  });

  it('is for the account alone, and for what can still change', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    const { intent } = await createSent(rail, actor);
    expect((await act(other, intent, 'succeed')).status).toBe(404);
    await act(actor, intent, 'succeed');
    expect(await act(actor, intent, 'expire')).toMatchObject({ status: 422 });
    expect((await act(actor, intent, 'succeed')).data.status).toBe('Confirmed');
    expect((await rail.ask(`/v1/sandbox/payment-intents/${intent}:succeed`, { method: 'POST' })).status).toBe(401);
  });
});

describe('the agencies of a sandbox', () => {
  const noticesOf = (assessment: string) =>
    rail.rows<{ mda: string; status: string; attempts: number }>(
      sql`select mda, status, attempts from propagation where assessment = ${assessment} order by mda`,
    );
  const set = (actor: Actor, action: string) => actor.post(`/v1/sandbox/agencies/URA:${action}`);
  const pay = async (actor: Actor) => {
    const { intent, assessment } = await createSent(rail, actor);
    await act(actor, intent, 'succeed');
    return assessment;
  };

  it('are down for the account that says so, and for nobody else, until they are up', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    expect((await set(actor, 'down')).data).toEqual({ name: 'URA' });
    const [mine, theirs] = [await pay(actor), await pay(other)];
    const noticed = (assessment: string) => expect.poll(() => noticesOf(assessment));
    await noticed(mine).toMatchObject([{ status: 'pending', attempts: 1 }, { status: 'done' }]);
    await noticed(theirs).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    await set(actor, 'up');
    const { data } = await actor.post('/v1/sandbox/clock:advance', { seconds: 3_600 });
    expect(data.notices).toBe(1);
    await noticed(mine).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  it('refuse one notice, and accept it when it is sent again', async () => {
    const actor = await makeActor(rail);
    await set(actor, 'reject_next');
    const assessment = await pay(actor);
    const first = async () => (await noticesOf(assessment))[0];
    await expect.poll(first).toMatchObject({ mda: 'URA', status: 'pending', attempts: 1 });
    await actor.post('/v1/sandbox/clock:advance', { seconds: 3_600 });
    await expect.poll(first).toMatchObject({ mda: 'URA', status: 'done' });
    expect(await set(actor, 'melt')).toMatchObject({ status: 404 });
    expect((await actor.post('/v1/sandbox/agencies/NONE:down')).status).toBe(404);
  });
});

describe('the clock of an account of a sandbox', () => {
  it('moves what waits for that account, and nothing of others', async () => {
    const [actor, other] = [await makeActor(rail), await makeActor(rail)];
    const [{ intent }, { intent: theirs }] = [
      await createSent(rail, actor, '+256700123000'),
      await createSent(rail, other, '+256700123000'),
    ];
    const answer = await actor.post('/v1/sandbox/clock:advance', { seconds: 25 * 3_600 });
    expect(answer.data).toMatchObject({ seconds: 90_000, payment_intents: 1 });
    expect((await actor.ask(`/v1/payment-intents/${intent}`)).data.status).toBe('Expired');
    expect((await other.ask(`/v1/payment-intents/${theirs}`)).data.status).toBe('Sent');
  });

  it('takes a moment, too', async () => {
    const actor = await makeActor(rail);
    const to = new Date(rail.rail.now().getTime() + 60_000).toISOString();
    const { seconds } = (await actor.post('/v1/sandbox/clock:advance', { to })).data;
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['both', { seconds: 1, to: '2030-01-01' }],
    ['the past', { to: '2020-01-01T00:00:00Z' }],
    ['no time', { seconds: 0 }],
    ['more than 10 years', { seconds: 2 ** 31 - 1 }],
    ['a day beyond 10 years', { to: '2040-01-01T00:00:00Z' }],
  ])('422: %s', async (_what, body) => {
    const answer = await (await makeActor(rail)).post('/v1/sandbox/clock:advance', body);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('a live rail', () => {
  it.each([
    ['/v1/sandbox/payment-intents/PI-2026-11-000001:succeed', {}],
    ['/v1/sandbox/agencies/URA:down', {}],
    ['/v1/sandbox/clock:advance', { seconds: 60 }],
  ])('404: %s', async (path, body) => {
    const { plaintext: key } = await live.key('payments.initiate');
    const answer = await live.ask(path, { key, body });
    expect(answer).toMatchObject({ status: 404, json: { error: { details: [{ code: 'sandbox_only' }] } } });
  });
});
