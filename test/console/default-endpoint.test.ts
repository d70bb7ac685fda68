import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { collectInShift, openShift } from '../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { type Sink, openSink } from '../harness/sink.ts';

const rail = testRail({ JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' });

let admin: StaffActor;
let counters: Sink;
let office: Sink;

beforeAll(async () => {
  admin = await makeStaff(rail, 'admin');
  [counters, office] = await Promise.all([openSink(), openSink()]);
});
afterAll(() => Promise.all([counters.close(), office.close()]));

const PATH = '/v1/ops/default-endpoint';
const set = (body: object, who = admin, headers = {}) => who.ask(PATH, { method: 'PUT', body, headers });

describe('the default endpoint', () => {
  it('is none at first, to those who may see it', async () => {
    expect((await admin.ask(PATH)).data).toEqual({
      code: 'COUNTERS-OFFICE',
      url: null,
      status: 'none',
      disabled_at: null,
      disabled_reason: null,
      created_at: null,
      updated_at: null,
    });
    expect(await admin.post(`${PATH}:test`)).toMatchObject({ status: 422 });
    expect((await admin.post(`${PATH}:rotate-secret`)).json.error.details[0].code).toBe('no_webhook_endpoint');
    expect((await rail.ask(PATH)).status).toBe(401);
    expect((await (await makeStaff(rail, 'clerk')).ask(PATH)).status).toBe(403);
    expect((await set({ url: null }, await makeStaff(rail, 'oversight'))).status).toBe(403);
    for (const url of ['nothing', 'ftp://example.com', 5]) expect((await set({ url })).status).toBe(422);
    const [detail] = (await set({ url: 'nothing' })).json.error.details;
    expect(detail.path).toBe('url');
    expect((await set({})).status).toBe(422);
    // Documents made at counters belong to no single agency.
    const bound = await makeStaffOf(rail, ['URA'], 'admin');
    expect((await set({ url: counters.url }, bound)).status).toBe(403);
    expect(await rail.count(sql`select 1 from integrator where code = 'COUNTERS-OFFICE'`)).toBe(0);
  });

  it('hears of what staff made, sealed, and integrators of what is theirs alone', async () => {
    const answer = await set({ url: counters.url }, admin, { 'Idempotency-Key': 'first' });
    expect(answer.data).toMatchObject({
      url: counters.url,
      status: 'enabled',
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret } = answer.data;
    expect((await set({ url: counters.url }, admin, { 'Idempotency-Key': 'first' })).text).toBe(answer.text);
    expect((await set({ url: counters.url })).data).not.toHaveProperty('secret');
    const actor = await makeActor(rail);
    await actor.post('/v1/me', { webhook_endpoint: office.url });
    const theirs = await createConfirmed(rail, actor);
    const clerk = await makeStaff(rail, 'clerk');
    const made = await collectInShift(rail, clerk, await openShift(clerk));
    const typesOf = ({ received }: Sink, key: string, name: string) =>
      received
        .filter(({ json }) => json.data.object['assessment'] === name || json.data.object.name === name)
        .map(({ json }) => json.type)
        .filter((type) => type.startsWith(key));
    await expect.poll(() => typesOf(counters, '', made.assessment)).toContain('payment_event.created');
    await expect.poll(() => typesOf(office, 'payment_event', theirs.assessment)).toHaveLength(2);
    expect(typesOf(counters, '', made.assessment)).toEqual(
      expect.arrayContaining(['payment_intent.confirmed', 'assessment.paid', 'payment_event.created']),
    );
    expect(typesOf(counters, '', theirs.assessment)).toEqual([]);
    expect(typesOf(office, '', made.assessment)).toEqual([]);
    for (const { body, headers } of counters.received)
      expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    // With their seals, as the endpoint has them.
    const events = (await actor.ask(`/v1/payment-events?intent=${theirs.intent}`)).data as { name: string }[];
    const messages = office.received.filter(({ json }) => json.type === 'payment_event.created');
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(messages.map(({ json }) => json.data.object).toSorted(byName)).toEqual(events.toSorted(byName));
    // A reversal is an event of its own.
    await actor.post(`/v1/assessments/${theirs.assessment}:cancel`, { reason: 'Entered twice' });
    await expect
      .poll(() => office.received.filter(({ json }) => json.type === 'payment_event.reversed'))
      .toHaveLength(2);
    const [reversed] = office.received.filter(({ json }) => json.type === 'payment_event.reversed');
    expect(reversed!.json.data.object).toMatchObject({ kind: 'reversal', seal: { sequence: expect.any(Number) } });
    expect(reversed!.json.data.object['amount']).toBeLessThan(0);
  });

  it('is tested, and its messages are listed and sent again like any', async () => {
    expect((await admin.post(`${PATH}:test`)).data.message).toMatch(/test message/);
    await expect.poll(() => counters.received.map(({ json }) => json.type)).toContain('webhook.test');
    const list = async () =>
      (await admin.ask('/v1/ops/webhook-deliveries?integrator=COUNTERS-OFFICE&type=webhook.test')).data;
    await expect.poll(async () => (await list())[0]?.status).toBe('delivered');
    const [delivery] = await list();
    expect(delivery).toMatchObject({ integrator: 'COUNTERS-OFFICE', object: 'COUNTERS-OFFICE' });
    const again = await admin.post(`/v1/ops/webhook-deliveries/${delivery.name}:redeliver`, { reason: 'It was away' });
    expect(again.status).toBe(200);
    await expect.poll(() => counters.received.filter(({ json }) => json.type === 'webhook.test')).toHaveLength(2);
  });

  it('signs with the secret before as well once it is rotated, and is taken away again', async () => {
    const { data } = await admin.post(`${PATH}:rotate-secret`);
    expect(data).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous_valid_until: expect.any(String) });
    expect((await set({ url: null })).data).toMatchObject({ url: null, status: 'none' });
    expect((await set({ url: counters.url })).data).not.toHaveProperty('secret');
    await admin.post(`${PATH}:test`);
    await expect.poll(() => counters.received.at(-1)?.headers['x-service-signature-previous']).toBeDefined();
    const { body, headers } = counters.received.at(-1)!;
    expect(headers['x-service-signature']).toBe(createHmac('sha256', data.secret).update(body).digest('hex'));
  });

  it('is no account: not listed, and nobody signs in to it; each change is in the audit', async () => {
    expect((await admin.ask('/v1/ops/integrators?limit=200')).text).not.toContain('COUNTERS-OFFICE');
    const [account] = await rail.rows<{ email: string }>(
      sql`select contact_email as email from integrator where code = 'COUNTERS-OFFICE'`,
    );
    expect((await rail.ask('/v1/login/request', { body: { email: account!.email } })).status).toBe(422);
    const audit = (await admin.ask('/v1/ops/audit?subject=COUNTERS-OFFICE')).data as { action: string }[];
    expect(new Set(audit.map(({ action }) => action))).toEqual(
      new Set(['default_endpoint.set', 'default_endpoint.test', 'default_endpoint.rotate_secret']),
    );
  });
});
