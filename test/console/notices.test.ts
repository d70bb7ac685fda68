import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
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

const publish = (body: object = {}) =>
  admin.post('/v1/ops/notices', { title: 'Maintenance', body: 'On Sunday.', ...body });
const amend = (name: string, body: object) => admin.ask(`/v1/ops/notices/${name}`, { method: 'PATCH', body });
const withdraw = (name: string, body: object = { reason: 'A mistake' }) =>
  admin.post(`/v1/ops/notices/${name}:withdraw`, body);
const shown = async (query = '') =>
  (await rail.ask(`/v1/notices${query}`)).data.map(({ name }: { name: string }) => name) as string[];
const audited = async (subject: string) => (await admin.ask(`/v1/ops/audit?subject=${subject}`)).data;

describe('a service notice', () => {
  it('is published, amended and withdrawn, with what operators did in their audit', async () => {
    const { data } = await publish({ channels: ['mtn_momo'], agencies: ['URA'], severity: 'warning' });
    expect(data).toMatchObject({ channels: ['mtn_momo'], agencies: ['URA'], status: 'in_effect', withdrawn_at: null });
    const { name } = data;
    expect(await shown()).toContain(name);
    const amended = await amend(name, { body: 'On Monday.', ends_at: '2099-01-01', agencies: [], reason: 'Put off' });
    expect(amended.data).toMatchObject({ title: 'Maintenance', body: 'On Monday.', agencies: [] });
    expect((await amend(name, { ends_at: null })).data.ends_at).toBeNull();
    expect((await amend(name, {})).status).toBe(200);
    expect((await withdraw(name)).data).toMatchObject({ status: 'withdrawn', withdrawn_at: expect.any(String) });
    expect((await withdraw(name)).status).toBe(200);
    expect(await shown()).not.toContain(name);
    expect((await amend(name, { body: 'x' })).json.error.details[0].code).toBe('notice_withdrawn');
    expect((await audited(name)).map(({ action, reason }: Record<string, unknown>) => [action, reason])).toEqual([
      ['notice.withdraw', 'A mistake'],
      ['notice.amend', null],
      ['notice.amend', 'Put off'],
      ['notice.publish', null],
    ]);
  });

  it('is for rooms of the site, of which integrators are told where theirs is one', async () => {
    const one = await listener('/rooms');
    const about = (name: string) =>
      sink.received
        .filter(({ path, json }) => path === '/hook/rooms' && json.data.object.name === name)
        .map(({ json }) => json.data.object.rooms);
    const inside = (await publish({ rooms: ['supervision', 'counter', 'counter'] })).data;
    expect(inside.rooms).toEqual(['counter', 'supervision']);
    const { name } = (await publish({ rooms: ['dashboard'] })).data;
    expect((await amend(name, { rooms: ['counter'] })).data.rooms).toEqual(['counter']);
    await amend(name, { title: 'Of counters alone' });
    expect((await amend(inside.name, { rooms: [] })).data.rooms).toEqual([]);
    await expect.poll(() => [about(name), about(inside.name)]).toEqual([[['dashboard'], ['counter']], [[]]]);
    expect((await one.ask('/v1/me/webhook-deliveries?limit=200')).data.length).toBe(3);
    expect((await publish({ rooms: ['kitchen'] })).status).toBe(422);
  });

  it('is scheduled, and begins and ends by itself', async () => {
    const { name, status } = (await publish({ starts_at: '2098-01-01T00:00:00Z' })).data;
    expect(status).toBe('scheduled');
    expect(await shown()).toContain(name);
    expect(await shown('?in_effect=true')).not.toContain(name);
    const listed = async (wanted: string) =>
      (await admin.ask(`/v1/ops/notices?status=${wanted}`)).data.map((notice: { name: string }) => notice.name);
    expect(await listed('scheduled')).toContain(name);
    await amend(name, { starts_at: '2020-01-01T00:00:00Z' });
    expect(await shown('?in_effect=true')).toContain(name);
    await amend(name, { ends_at: '2020-01-02T00:00:00Z' });
    expect(await shown()).not.toContain(name);
    expect(await listed('over')).toContain(name);
  });

  it('is told to every Active integrator with an endpoint, in the order of its changes', async () => {
    const [one, other] = [await listener('/one'), await listener('/other')];
    const suspended = await listener('/suspended');
    await rail.rows(sql`update integrator set status = 'Suspended' where code = ${suspended.integrator}`);
    const { name } = (await publish({ title: 'Told' })).data;
    await amend(name, { title: 'Told anew' });
    await withdraw(name);
    const about = (path: string) =>
      sink.received.filter((message) => message.path === path && message.json.data.object.name === name);
    for (const path of ['/hook/one', '/hook/other']) {
      await expect.poll(() => about(path).length).toBe(3);
      const messages = about(path).map(({ json }) => [json.type, json.data.object.title]);
      expect(messages).toEqual([
        ['notice.published', 'Told'],
        ['notice.published', 'Told anew'],
        ['notice.withdrawn', 'Told anew'],
      ]);
      const sequences = about(path).map(({ json }) => json.sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    }
    expect(about('/hook/suspended')).toEqual([]);
    for (const actor of [one, other])
      expect((await actor.ask('/v1/me/webhook-deliveries?type=notice.withdrawn')).data).toMatchObject([
        { object: name },
      ]);
  });

  it('is published once under a key', async () => {
    const headers = { 'Idempotency-Key': 'one-notice' };
    const body = { title: 'Once', body: 'Only.' };
    const { data } = await admin.post('/v1/ops/notices', body, headers);
    expect((await admin.post('/v1/ops/notices', body, headers)).data).toEqual(data);
    const path = `/v1/ops/notices/${data.name}:withdraw`;
    const reason = { reason: 'Over' };
    const first = await admin.post(path, reason, { 'Idempotency-Key': 'one-withdrawal' });
    expect((await admin.post(path, reason, { 'Idempotency-Key': 'one-withdrawal' })).data).toEqual(first.data);
  });

  it('refuses: 401, 403, 404, 422', async () => {
    const { name } = (await publish()).data;
    const clerk = await makeStaff(rail, 'clerk');
    for (const [path, method, body] of [
      ['/v1/ops/notices', 'GET', undefined],
      [`/v1/ops/notices/${name}`, 'PATCH', { title: 'x' }],
      [`/v1/ops/notices/${name}:withdraw`, 'POST', { reason: 'x' }],
    ] as const) {
      expect((await rail.ask(path, { method, body })).status).toBe(401);
      expect((await clerk.ask(path, { method, body })).status).toBe(403);
    }
    expect((await amend('NOTICE-2020-001', { title: 'x' })).status).toBe(404);
    expect((await withdraw('NOTICE-2020-001')).status).toBe(404);
    expect((await withdraw(name, {})).status).toBe(422);
    for (const body of [
      { title: ' ' },
      { agencies: ['NOBODY'] },
      { channels: ['barter'] },
      { starts_at: '2020-01-02T00:00:00Z', ends_at: '2020-01-01T00:00:00Z' },
    ]) {
      expect((await amend(name, body)).status).toBe(422);
      expect((await publish(body)).status).toBe(422);
    }
  });
});

describe('the banner', () => {
  it('shows what is in effect on every page, from the next request on, and what it says as text', async () => {
    const { name } = (await publish({ title: 'Slow <today>', severity: 'critical' })).data;
    for (const path of ['/signin', '/terms', '/docs/anomalies', '/docs/api', '/signin/expired']) {
      const { text } = await rail.ask(path);
      expect(text, path).toContain('Slow &lt;today&gt;');
      expect(text, path).toContain('class="notice banner bad"');
    }
    const before = (await rail.ask('/terms')).headers.get('etag')!;
    await withdraw(name);
    const after = await rail.ask('/terms', { headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    expect(after.text).not.toContain('Slow');
  });
});
