import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Actor, createAssessedFor, createConfirmed, createPendingFor, makeActor } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { type Answer, type Ask, TestRail } from '../../harness/rail.ts';
import { type Received, type Sink, openSink } from '../../harness/sink.ts';

let rail: TestRail;
let sink: Sink;

beforeAll(async () => {
  sink = await openSink();
  rail = new TestRail({ JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: '1' });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await sink.close();
});
beforeEach(() => {
  sink.answer = (_message, res) => void res.end('ok');
});

const MINE = '/v1/me/webhook-endpoints';
/** Somebody who has endpoints at a path. */
interface Owner {
  readonly base: string;
  ask(path: string, options?: Ask): Promise<Answer>;
}

let paths = 0;

/** An endpoint of the sink with a path of its own, where what it gets is found. */
async function createAt(owner: Owner, more: object = {}) {
  const path = `/hook/${++paths}`;
  const { status, data, text } = await owner.ask(owner.base, {
    body: { url: sink.url.replace('/hook', path), ...more },
  });
  expect(status, text).toBe(200);
  const got = () => sink.received.filter((message) => message.path === path);
  return { name: data.name as string, secret: data.secret as string, url: data.url as string, got };
}

/** A key that manages its account. */
async function makeOwner(): Promise<Actor & Owner> {
  return { ...(await makeActor(rail, { managesAccount: true })), base: MINE };
}

const typesOf = (messages: readonly Received[]) => messages.map(({ json }) => json.type).toSorted();
const patch = (owner: Owner, name: string, body: object) =>
  owner.ask(`${owner.base}/${name}`, { method: 'PATCH', body });
const act = (owner: Owner, name: string, action: string, body: object = {}) =>
  owner.ask(`${owner.base}/${name}:${action}`, { body });
const deliveriesTo = (endpoint: string) =>
  rail.rows<{ status: string; type: string }>(
    sql`select status, type from webhook_delivery where endpoint = ${endpoint} order by name`,
  );

/** Resolves once a statement about a table waits for a lock. */
const someoneWaits = (table: string) =>
  expect
    .poll(() =>
      rail.count(sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${table}%`}`),
    )
    .toBe(1);

const OF_A_PAYMENT = [
  'assessment.paid',
  'assessment.propagated',
  'assessment.propagated',
  'payment_event.created',
  'payment_event.created',
  'payment_intent.confirmed',
  'receipt.issued',
];

describe('webhook endpoints of an account', () => {
  it('each get what they ask for, by type, by a beginning of types, and by agency', async () => {
    const owner = await makeOwner();
    const all = await createAt(owner);
    const intents = await createAt(owner, { types: ['payment_intent.*', 'assessment.paid'] });
    const ura = await createAt(owner, { types: ['payment_event.created'], agencies: ['URA'] });
    await createConfirmed(rail, owner);
    await expect.poll(() => typesOf(all.got())).toEqual(OF_A_PAYMENT);
    await expect.poll(() => typesOf(intents.got())).toEqual(['assessment.paid', 'payment_intent.confirmed']);
    await expect.poll(() => typesOf(ura.got())).toEqual(['payment_event.created']);
    expect(ura.got()[0]!.json.data.object['mda']).toBe('URA');
    for (const { body, headers } of all.got()) new Webhook(all.secret).verify(body, headers as Record<string, string>);
  });

  it('are listed, changed, and removed, after which what waits is dead', async () => {
    const owner = await makeOwner();
    const { name, url } = await createAt(owner, { label: 'Cash desk' });
    const shown = { name, label: 'Cash desk', url, types: [], agencies: [], default: false, status: 'enabled' };
    expect((await owner.ask(MINE)).data).toMatchObject([shown]);
    expect((await owner.ask(`${MINE}/${name}`)).data).not.toHaveProperty('secret');
    expect((await patch(owner, name, { types: ['assessment.*'], label: 'Two' })).data).toMatchObject({
      ...shown,
      types: ['assessment.*'],
      label: 'Two',
    });
    await rail.rows(
      sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'kept_failing' where name = ${name}`,
    );
    await createConfirmed(rail, owner);
    await expect.poll(async () => (await deliveriesTo(name)).length).toBe(3);
    expect((await owner.ask(`${MINE}/${name}`, { method: 'DELETE' })).status).toBe(200);
    expect((await deliveriesTo(name)).map(({ status }) => status)).toEqual(['dead', 'dead', 'dead']);
    expect((await owner.ask(MINE)).data).toEqual([]);
    for (const answer of [await owner.ask(`${MINE}/${name}`), await patch(owner, name, { label: 'x' })])
      expect(answer).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('get nothing again once they were removed or disabled, by any verb', async () => {
    const owner = await makeOwner();
    const admin = await makeStaff(rail, 'admin');
    const [kept, off, gone] = [await createAt(owner), await createAt(owner), await createAt(owner)];
    for (const { name, got } of [kept, off, gone]) {
      await act(owner, name, 'test');
      await expect.poll(async () => [got().length, (await deliveriesTo(name))[0]?.status]).toEqual([1, 'delivered']);
    }
    await rail.rows(
      sql`update webhook_delivery set status = 'dead', delivered_at = null where endpoint = any(${[off.name, gone.name]})`,
    );
    await rail.rows(
      sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'kept_failing' where name = ${off.name}`,
    );
    expect((await owner.ask(`${MINE}/${gone.name}`, { method: 'DELETE' })).status).toBe(200);
    const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const again = (path: string, body: object) => owner.ask(`/v1/me/webhook-deliveries${path}`, { body });
    expect((await again(':redeliver', { from, to })).data).toEqual({ redelivered: 0 });
    expect((await again(':redeliver', { from, to, dead_only: false })).data).toEqual({ redelivered: 1 });
    const query = `mutation { operatorRedeliverWebhooks(integrator: "${owner.integrator}", since: "${from}", reason: "Up") { redelivered hasMore left } }`;
    const { data } = (await admin.post('/graphql', { query }, { origin: rail.origin })).json;
    expect(data.operatorRedeliverWebhooks).toEqual({ redelivered: 0, hasMore: false, left: 1 });
    for (const { name } of [off, gone]) {
      const [dead] = await rail.rows<{ name: string }>(sql`select name from webhook_delivery where endpoint = ${name}`);
      expect((await again(`/${dead!.name}:redeliver`, {})).status).toBe(422);
      const reason = { reason: 'Up again' };
      expect((await admin.post(`/v1/ops/webhook-deliveries/${dead!.name}:redeliver`, reason)).status).toBe(422);
      expect(await deliveriesTo(name)).toMatchObject([{ status: 'dead' }]);
    }
    const counted = (await admin.post('/graphql', { query: '{ deadWebhookDeliveries { integratorId count } }' })).json;
    expect(counted.data.deadWebhookDeliveries).toContainEqual({ integratorId: owner.integrator, count: 1 });
  });

  it('get nothing that is handed on while they are removed', async () => {
    const owner = await makeOwner();
    const { name } = await createAt(owner);
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`update webhook_endpoint set url = null, place = null where name = ${name} returning 1`);
      await createConfirmed(rail, owner);
      await someoneWaits('webhook_delivery');
    });
    await expect.poll(() => rail.count(sql`select 1 from outbox_queue`)).toBe(0);
    expect(await deliveriesTo(name)).toEqual([]);
  });

  it('give up what is sent again while they are removed', async () => {
    const owner = await makeOwner();
    const { name, got } = await createAt(owner);
    await act(owner, name, 'test');
    await expect.poll(async () => [got().length, (await deliveriesTo(name))[0]?.status]).toEqual([1, 'delivered']);
    let removal: Promise<Answer>;
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`select 1 from webhook_endpoint where name = ${name} for key share`);
      removal = owner.ask(`${MINE}/${name}`, { method: 'DELETE' });
      await someoneWaits('webhook_endpoint');
      await db.rows(
        sql`
          with waiting as (
            update webhook_delivery set status = 'pending', delivered_at = null where endpoint = ${name} returning *
          )
          insert into webhook_queue (delivery, endpoint, object, sequence, next_attempt_at)
          select name, endpoint, object, sequence, now() + interval '1 hour' from waiting returning 1`,
      );
    });
    expect((await removal!).status).toBe(200);
    expect(await deliveriesTo(name)).toMatchObject([{ status: 'dead' }]);
  });

  it('get what concerns their agencies, and not what an account calls by their names', async () => {
    const owner = await makeOwner();
    const [all, city] = [await createAt(owner), await createAt(owner, { agencies: ['KCCA'] })];
    const { assessment } = await createAssessedFor(rail, owner, 'URA-PAYE', { metadata: { mda: 'KCCA' } });
    const metadata = { mda: 'KCCA', agencies: 'KCCA' };
    const { data } = await owner.post('/v1/payment-intents', { assessment, channel: 'cash', metadata });
    await owner.post(`/v1/payment-intents/${data.name}:initiate`);
    expect((await owner.post(`/v1/payment-intents/${data.name}:confirm`)).status).toBe(200);
    await createAssessedFor(rail, owner, 'KCCA-TRADELIC').then(async (other) => {
      const intent = await createPendingFor(owner, other.assessment, 'cash');
      await owner.post(`/v1/payment-intents/${intent}:initiate`);
      await owner.post(`/v1/payment-intents/${intent}:confirm`);
    });
    await expect.poll(() => all.got().length).toBe(10);
    await expect.poll(() => city.got().length).toBe(5);
    for (const { body } of city.got()) expect(body).not.toContain(assessment);
  });

  it('get the messages of an object in its order, if the clocks of processes differ, behind any backlog', async () => {
    const owner = await makeOwner();
    const { got } = await createAt(owner);
    // The process that made the second change is two hours behind; 600 others wait in between.
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, integrator, payload, created_at)
      select gen_random_uuid(), 'assessment.paid', object, sequence, integrator, '{"lines": []}', at
      from (
        values ('ASMT-2020-01-000001', 1, ${owner.integrator}, now() + interval '1 hour'),
          ('ASMT-2020-01-000001', 2, ${owner.integrator}, now() - interval '1 hour')
        union all select 'ASMT-2020-02-' || n, 1, null, now() from generate_series(100001, 100600) n
      ) w (object, sequence, integrator, at)`);
    await expect.poll(() => got().map(({ json }) => json.sequence)).toEqual([1, 2]);
    const logged = await rail.rows<{ sequence: number }>(sql`
      select o.sequence from event_log l join outbox o on o.id = l.message where o.object = 'ASMT-2020-01-000001'
      order by l.position`);
    expect(logged.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('have the one of the profile among them, called default, which is changed in both places', async () => {
    const owner = await makeOwner();
    const set = (url: string | null) => owner.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: url } });
    expect((await set(`${sink.url}/a`)).status).toBe(200);
    const [{ updated_at: _, ...first }] = (await owner.ask(MINE)).data as [{ name: string; updated_at: string }];
    expect(first).toMatchObject({ label: 'default', default: true, url: `${sink.url}/a` });
    await patch(owner, first.name, { url: `${sink.url}/b`, types: ['assessment.*'] });
    expect((await owner.ask('/v1/me')).data).toMatchObject({ webhook_endpoint: `${sink.url}/b` });
    await owner.ask(`${MINE}/${first.name}`, { method: 'DELETE' });
    expect((await owner.ask('/v1/me')).data).toMatchObject({ webhook_endpoint: null, webhook_status: 'none' });
    await set(`${sink.url}/c`);
    expect((await owner.ask(MINE)).data).toMatchObject([{ ...first, url: `${sink.url}/c`, types: ['assessment.*'] }]);
  });

  it('sign with a secret of their own, and with the one before for a day', async () => {
    const owner = await makeOwner();
    const { name, secret, got } = await createAt(owner);
    const { data } = await act(owner, name, 'rotate-secret');
    expect(data.secret).not.toBe(secret);
    await act(owner, name, 'test');
    await expect.poll(() => got().length).toBe(1);
    const { body, headers } = got()[0]!;
    for (const each of [secret, data.secret as string])
      new Webhook(each).verify(body, headers as Record<string, string>);
    expect(JSON.parse(body)).toMatchObject({
      type: 'webhook.test',
      test: true,
      data: { object: { message: 'This is a test.' } },
    });
  });

  it('are tested with the example of any type, which says that it is a test', async () => {
    const owner = await makeOwner();
    const [one, other] = [await createAt(owner, { types: ['assessment.paid'] }), await createAt(owner)];
    expect((await act(owner, one.name, 'test', { type: 'payment_intent.confirmed' })).status).toBe(200);
    await expect.poll(() => one.got().length).toBe(1);
    expect(one.got()[0]!.json).toMatchObject({ type: 'payment_intent.confirmed', test: true });
    expect(other.got()).toEqual([]);
    expect(await act(owner, one.name, 'test', { type: 'payment_intent.*' })).toMatchObject({ status: 422 });
  });

  it('are enabled again, and get what waited', async () => {
    const owner = await makeOwner();
    const { name, got } = await createAt(owner, { types: ['assessment.paid'] });
    sink.answer = (message, res) => void res.writeHead(message.path === got.name ? 200 : 410).end();
    await createConfirmed(rail, owner);
    await expect.poll(async () => (await owner.ask(`${MINE}/${name}`)).data.status).toBe('disabled');
    expect((await owner.ask(`${MINE}/${name}`)).data).toMatchObject({ disabled_reason: 'answered_gone' });
    expect(await act(owner, name, 'test')).toMatchObject({
      status: 422,
      json: { error: { details: [{ code: 'webhook_disabled' }] } },
    });
    sink.answer = (_message, res) => void res.end('ok');
    expect((await act(owner, name, 'enable')).data).toMatchObject({ status: 'enabled', disabled_at: null });
    await rail.rows(sql`update webhook_queue set next_attempt_at = now() where endpoint = ${name}`);
    await expect.poll(async () => (await deliveriesTo(name)).map(({ status }) => status)).toEqual(['delivered']);
  });

  it('do not delay one another: one that fails keeps its order, and the others are prompt', async () => {
    const owner = await makeOwner();
    const dead = await createAt(owner);
    const prompt = await Promise.all([1, 2, 3].map(() => createAt(owner)));
    const failing = new URL(dead.url).pathname;
    sink.answer = (message, res) => void res.writeHead(message.path === failing ? 500 : 200).end();
    for (let payment = 0; payment < 3; payment++) await createConfirmed(rail, owner);
    for (const { got } of prompt) await expect.poll(() => got().length).toBe(21);
    for (const { got } of prompt) {
      const ofObject = Map.groupBy(got(), ({ json }) => json.data.object.name);
      for (const messages of ofObject.values()) {
        const sequences = messages.map(({ json }) => json.sequence);
        expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
      }
    }
    const [row] = await rail.rows<{ delivered: number }>(
      sql`select count(*)::int as delivered from webhook_delivery where endpoint = ${dead.name} and status = 'delivered'`,
    );
    expect(row!.delivered).toBe(0);
  });

  it('are at most ten, however many ask at once', async () => {
    const owner = await makeOwner();
    await owner.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: sink.url } });
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => owner.ask(MINE, { body: { url: `${sink.url}/many` } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ code: 'too_many_endpoints' }] } } });
    const [first] = (await owner.ask(MINE)).data.slice(1) as { name: string }[];
    await owner.ask(`${MINE}/${first!.name}`, { method: 'DELETE' });
    expect((await owner.ask(MINE, { body: { url: `${sink.url}/many` } })).status).toBe(200);
  });

  it('are the account’s alone: another cannot see, change or test them, nor can a key that manages nothing', async () => {
    const { name } = await createAt(await makeOwner());
    const other = await makeOwner();
    for (const answer of [
      await other.ask(`${MINE}/${name}`),
      await patch(other, name, {}),
      await act(other, name, 'test'),
    ])
      expect(answer).toMatchObject({ status: 404 });
    const plain = await makeActor(rail, { managesAccount: false });
    expect(await plain.ask(MINE, { body: { url: sink.url } })).toMatchObject({ status: 403 });
    expect(await plain.ask(MINE)).toMatchObject({ status: 200, data: [] });
  });

  it.each<[string, object, string]>([
    ['no address', {}, 'url'],
    ['a fragment', { url: 'https://example.com/a#b' }, 'url'],
    ['a user', { url: 'https://a:b@example.com' }, 'url'],
    ['an unknown type', { url: 'https://example.com', types: ['payment.made'] }, 'types[0]'],
    ['the beginning of no type', { url: 'https://example.com', types: ['assessment.paid', 'pay.*'] }, 'types[1]'],
    ['all types by a star', { url: 'https://example.com', types: ['*'] }, 'types[0]'],
    ['an unknown agency', { url: 'https://example.com', agencies: ['NONE'] }, 'agencies'],
  ])('422: %s', async (_what, body, path) => {
    const answer = await (await makeOwner()).ask(MINE, { body });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path }] } } });
  });
});

describe('webhook endpoints of an agency', () => {
  const asAgency = async (mda: string): Promise<Owner> => {
    const agency = await makeAgency(rail, mda, ['webhooks.manage']);
    const key = await agency.token();
    return { base: `/v1/agency/${mda}/webhook-endpoints`, ask: (path, options) => rail.ask(path, { key, ...options }) };
  };

  it('get the payment events of the agency from any account, and nothing of other agencies', async () => {
    const [ura, ursb] = [await asAgency('URA'), await asAgency('URSB')];
    const [one, other] = [await createAt(ura), await createAt(ursb, { types: ['payment_event.*'] })];
    // An account that listens to nothing.
    await createConfirmed(rail, await makeActor(rail));
    for (const [mda, { got, secret }] of [
      ['URA', one],
      ['URSB', other],
    ] as const) {
      await expect.poll(() => typesOf(got())).toEqual(['payment_event.created']);
      const { body, headers, json } = got()[0]!;
      expect(json.data.object['mda']).toBe(mda);
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
    for (const { name } of [one, other])
      await rail.rows(sql`update webhook_endpoint set url = null, place = null where name = ${name}`);
  });

  it('are for a token with webhooks.manage, under the agency’s own code', async () => {
    const ura = await asAgency('URA');
    expect((await ura.ask('/v1/agency/KCCA/webhook-endpoints')).status).toBe(404);
    const reader = await (await makeAgency(rail, 'URA', ['payments.read'])).token();
    expect((await rail.ask(ura.base, { key: reader })).status).toBe(403);
    expect((await rail.ask(ura.base)).status).toBe(401);
    expect((await ura.ask('/v1/me/webhook-endpoints')).data).toEqual((await ura.ask(ura.base)).data);
  });

  it('wait while the agency is closed', async () => {
    const owner = await asAgency('KCCA');
    const { name, got } = await createAt(owner);
    const setStatus = (status: string) =>
      rail.rows(sql`update mda set status = ${status}::mda_status where name = 'KCCA'`);
    await setStatus('Inactive');
    await rail.rows(sql`
      insert into outbox (id, type, object, sequence, agency, payload, created_at)
      values (gen_random_uuid(), 'payment_event.created', ${`PEV-${name}`}, 1, 'KCCA', '{"name": "x", "mda": "KCCA"}', now())`);
    const admin = await makeStaff(rail, 'admin');
    const seen = async () =>
      (
        await admin.ask('/graphql', {
          body: {
            query: `{ node(id: "${name}") { ... on WebhookEndpoint { deliveries { nodes { status onHold } } } } }`,
          },
        })
      ).json.data.node.deliveries.nodes as unknown[];
    await expect.poll(seen).toEqual([{ status: 'pending', onHold: 'agency_inactive' }]);
    expect(got()).toEqual([]);
    await setStatus('Active');
    await expect.poll(() => got().length).toBe(1);
  });
});

describe('webhook endpoints of operators', () => {
  it('get messages of no account, as well as the default endpoint', async () => {
    const admin = await makeStaff(rail, 'admin');
    const owner: Owner = { base: '/v1/ops/webhook-endpoints', ask: admin.ask };
    const { name, got } = await createAt(owner, { types: ['notice.*', 'webhook.test'] });
    expect((await act(owner, name, 'test')).status).toBe(200);
    await expect.poll(() => typesOf(got())).toEqual(['webhook.test']);
    const oversight = await makeStaff(rail, 'oversight');
    expect((await oversight.ask(owner.base)).data).toMatchObject([{ name }]);
    expect((await oversight.ask(owner.base, { body: { url: sink.url } })).status).toBe(403);
    expect((await (await makeStaff(rail, 'clerk')).ask(owner.base)).status).toBe(403);
    const audit = await rail.rows(sql`select action from operator_audit where subject = ${name} order by id`);
    expect(audit).toEqual([{ action: 'webhook_endpoint.create' }, { action: 'webhook_endpoint.test' }]);
  });
});
