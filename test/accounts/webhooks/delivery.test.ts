import { Ajv2020 } from 'ajv/dist/2020.js';
import { spawnSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { timeNextTry } from '../../../src/kernel/retries.ts';
import { type Actor, createConfirmed, makeActor, createSent } from '../../harness/flow.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { TestRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { type Received, type Sink, openSink } from '../../harness/sink.ts';
import { timed } from '../../harness/run/moments.ts';
import { countStatements } from '../../harness/run/statements.ts';

let rail: TestRail;
let sink: Sink;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await openMailbox();
  sink = await openSink();
  rail = new TestRail({ JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: '1', SMTP_URL: mailbox.url });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await sink.close();
  await mailbox.close();
});
beforeEach(() => {
  sink.answer = (_message, res) => void res.end('ok');
});

async function listener(path = ''): Promise<Actor & { secret: string }> {
  const actor = await makeActor(rail);
  const { data } = await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: sink.url + path } });
  return { ...actor, secret: data.webhook_secret };
}

const about = (name: string) => sink.received.filter(({ json }) => json.data.object.name === name);
const pings = (path: string) => sink.received.filter((message) => message.path === `/hook${path}`);

async function deliveries(actor: Actor, query = ''): Promise<Record<string, unknown>[]> {
  return (await actor.ask(`/v1/me/webhook-deliveries${query}`)).data;
}

/** Lets everything that waits for its next try go now. */
function hurry(actor: Actor) {
  return rail.rows(
    sql`
      update webhook_queue set next_attempt_at = now()
      where delivery in (select name from webhook_delivery where integrator = ${actor.integrator})`,
  );
}

const openssl = spawnSync('openssl', ['version']).status === 0;

function signedBy(secret: string, body: string): string {
  const run = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-hex'], { input: body, encoding: 'utf8' });
  return run.stdout.trim().split(' ').at(-1)!;
}

const standard = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('a paid assessment', () => {
  it('is told to its integrator, in messages that fit the catalogue', async () => {
    const actor = await listener();
    const { assessment, intent } = await createConfirmed(rail, actor);
    // One more message for each of the two agencies.
    await expect.poll(() => about(intent).length + about(assessment).length).toBe(4);
    const types = (await rail.ask('/v1/events/types')).data as {
      type: string;
      schema: object;
      example: unknown;
      description: string;
    }[];
    expect(types.map(({ type }) => type)).toEqual([
      'agency_day.closed',
      'alert.raised',
      'assessment.bill_changed',
      'assessment.cancelled',
      'assessment.overdue',
      'assessment.paid',
      'assessment.propagated',
      'assessment.propagation_rejected',
      'assessment.propagation_reversed',
      'assessment.receipt_issued',
      'citizen.identity_changed',
      'fiscal_document.issued',
      'money_received.allocated',
      'money_received.booked',
      'notice.published',
      'notice.withdrawn',
      'payment_event.created',
      'payment_event.reversed',
      'payment_intent.confirmed',
      'payment_intent.expired',
      'payment_intent.failed',
      'receipt.issued',
      'receipt.voided',
      'refund.approved',
      'refund.declined',
      'refund.done',
      'refund.failed',
      'refund.requested',
      'webhook.test',
    ]);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { schema, example } of types) expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    for (const message of [...about(intent), ...about(assessment)]) {
      const { schema } = types.find(({ type }) => type === message.json.type)!;
      expect(ajv.validate(schema, message.json), ajv.errorsText()).toBe(true);
      expect(message.headers['content-type']).toBe('application/json');
      expect(message.headers['webhook-id']).toBe(message.json.id);
    }
    expect(about(intent)[0]!.json).toMatchObject({
      type: 'payment_intent.confirmed',
      data: { object: { status: 'Confirmed', assessment } },
    });
    expect((await rail.ask(`/v1/payment-intents/${intent}`, { key: actor.key })).data).toEqual({
      ...about(intent)[0]!.json.data.object,
      // Messages have what an account attaches where it has.
      reference: null,
      metadata: null,
    });
    const messages = about(assessment).map(({ json }) => json);
    expect(messages.map(({ type }) => type)).toEqual([
      'assessment.paid',
      'assessment.propagated',
      'assessment.propagated',
    ]);
    expect(messages.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(messages[2]!.data.object['propagated_to']).toEqual(['URA', 'URSB']);
    const { propagated_to: _, ...last } = messages[2]!.data.object;
    expect((await rail.ask(`/v1/assessments/${assessment}`, { key: actor.key })).data).toEqual({
      ...last,
      pending_approval: null,
      reference: null,
      metadata: null,
    });
    expect(await deliveries(actor, `?object=${intent}`)).toMatchObject([
      {
        name: expect.stringMatching(/^WHD-\d{4}-\d\d-\d{6,}$/),
        status: 'delivered',
        attempt_count: 1,
        last_http_status: 200,
        attempts: [{ http_status: 200, answer: 'ok', error: null }],
      },
    ]);
  });

  it('shows the integrator alone what its messages say', async () => {
    const actor = await listener('/said');
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/said').length).toBe(1);
    const [sent] = await deliveries(actor);
    const read = (credential: object) =>
      rail.ask('/graphql', {
        ...credential,
        body: { query: `{ node(id: "${String(sent!['name'])}") { ... on WebhookDelivery { id body } } }` },
      });
    expect((await read({ key: actor.key })).json.data.node.body).toEqual(pings('/said')[0]!.json);
    expect((await read({ key: (await makeActor(rail)).key })).json.data.node).toBeNull();
    const { cookie } = await makeStaff(rail, 'admin');
    const { data, errors } = (await read({ headers: { cookie } })).json;
    expect(data.node).toEqual({ id: sent!['name'], body: null });
    expect(errors).toMatchObject([{ path: ['node', 'body'] }]);
  });

  it('is told to nobody where there is no endpoint', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await expect.poll(() => rail.count(sql`select 1 from outbox_queue`)).toBe(0);
    expect(await deliveries(actor)).toEqual([]);
  });
});

describe('a signature', () => {
  it.skipIf(!openssl)('is that of openssl, and of Standard Webhooks', async () => {
    const actor = await listener('/signed');
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/signed').length).toBe(1);
    const [message] = pings('/signed');
    expect(actor.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(message!.headers['x-service-signature']).toBe(signedBy(actor.secret, message!.body));
    expect(standard(actor.secret, message!)).toEqual(message!.json);
    expect(() => standard(actor.secret, { ...message!, body: `${message!.body} ` })).toThrow();
    expect(message!.headers['x-service-signature-previous']).toBeUndefined();
  });

  it.skipIf(!openssl)('is made with the secret before as well, for 24 hours', async () => {
    const actor = await listener('/rotated');
    const rotated = await timed(rail, () => actor.post('/v1/me/webhook-secret:rotate'));
    const { data } = rotated.answer;
    expect(data.secret).not.toBe(actor.secret);
    rotated.expectTaken(data.previous_valid_until, DAY_MS);
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/rotated').length).toBe(1);
    const [message] = pings('/rotated');
    expect(message!.headers['x-service-signature']).toBe(signedBy(data.secret, message!.body));
    expect(message!.headers['x-service-signature-previous']).toBe(signedBy(actor.secret, message!.body));
    for (const secret of [data.secret, actor.secret]) expect(standard(secret, message!)).toEqual(message!.json);
    await rail.rows(
      sql`update webhook_endpoint set previous_until = now() where integrator = ${actor.integrator} and is_default`,
    );
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/rotated').length).toBe(2);
    expect(pings('/rotated')[1]!.headers['x-service-signature-previous']).toBeUndefined();
    expect(() => standard(actor.secret, pings('/rotated')[1]!)).toThrow();
    const rows = await rail.rows<{ row: string }>(
      sql`select encode(secret, 'escape') as row from webhook_endpoint where integrator = ${actor.integrator} and is_default`,
    );
    expect(rows[0]!.row).not.toContain(data.secret.slice(6, 30));
  });
});

describe('the first secret', () => {
  const save = (actor: Actor, headers: Record<string, string> = {}) =>
    actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: `${sink.url}/first` }, headers });

  it.skipIf(!openssl)(
    'is shown when an endpoint is first set, once, and is what messages are signed with',
    async () => {
      const actor = await makeActor(rail);
      expect(
        (await actor.ask('/v1/me', { method: 'PATCH', body: { display_name: 'No endpoint yet' } })).data,
      ).not.toHaveProperty('webhook_secret');
      const { webhook_secret: secret, ...profile } = (await save(actor)).data;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(profile.webhook_status).toBe('enabled');
      expect((await save(actor)).data).not.toHaveProperty('webhook_secret');
      expect((await actor.ask('/v1/me')).data).not.toHaveProperty('webhook_secret');
      const before = pings('/first').length;
      await actor.post('/v1/me/webhook:test');
      await expect.poll(() => pings('/first').length).toBe(before + 1);
      const message = pings('/first').at(-1)!;
      expect(message.headers['x-service-signature']).toBe(signedBy(secret, message.body));
    },
  );

  it('is the same where the request is repeated under its key, answered before or not', async () => {
    const actor = await makeActor(rail);
    const headers = { 'idempotency-key': 'first-endpoint' };
    const first = await save(actor, headers);
    expect((await save(actor, headers)).data).toEqual(first.data);
    const lost = sql`idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute' where principal like ${`%${actor.integrator}%`}`;
    await rail.rows(sql`update ${lost}`);
    await rail.rows(
      sql`update webhook_endpoint set secret_at = secret_at - interval '1 minute' where integrator = ${actor.integrator} and is_default`,
    );
    const again = await save(actor, headers);
    expect([again.status, again.data.webhook_secret]).toEqual([200, first.data.webhook_secret]);
    // Another request of the same kind set nothing, and is shown nothing.
    expect((await save(actor, { 'idempotency-key': 'another' })).data).not.toHaveProperty('webhook_secret');
  });

  it('is one, however many set an endpoint at once', async () => {
    const actor = await makeActor(rail);
    const answers = await Promise.all(Array.from({ length: 5 }, () => save(actor)));
    expect(answers.filter(({ data }) => data.webhook_secret !== undefined)).toHaveLength(1);
  });
});

describe('a rotation whose process died between the commit and the answer', () => {
  it.skipIf(!openssl)(
    'shows a secret that signs when it is asked for again, beside the one that the receiver has',
    async () => {
      const actor = await listener('/rotated-again');
      const headers = { 'idempotency-key': 'rotate-secret' };
      const lost = await actor.post('/v1/me/webhook-secret:rotate', {}, headers);
      await rail.rows(sql`
      update idempotency set body = null, http_status = null, created_at = created_at - interval '1 minute'
      where principal = ${`key:${actor.integrator}`}`);
      const { status, data } = await actor.post('/v1/me/webhook-secret:rotate', {}, headers);
      expect(status).toBe(200);
      expect(data.previous_valid_until).toBe(lost.data.previous_valid_until);
      await actor.post('/v1/me/webhook:test');
      await expect.poll(() => pings('/rotated-again').length).toBe(1);
      const [message] = pings('/rotated-again');
      expect(message!.headers['x-service-signature']).toBe(signedBy(data.secret, message!.body));
      expect(message!.headers['x-service-signature-previous']).toBe(signedBy(actor.secret, message!.body));
    },
  );
});

describe('what an endpoint answers', () => {
  it.each<[string, string, Record<string, string | number>, string | Buffer]>([
    ['packed with gzip', '{"received":true}', { 'content-encoding': 'gzip' }, gzipSync('{"received":true}')],
    ['packed with Brotli', '{"received":true}', { 'content-encoding': 'br' }, brotliCompressSync('{"received":true}')],
    ['in a charset', 'reçu', { 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('reçu', 'latin1')],
    ['in UTF-8', 'reçu', { 'content-type': 'text/plain' }, 'reçu'],
    ['in bytes', '4 bytes of image/png', { 'content-type': 'image/png' }, Buffer.from([0x89, 0xff, 0xfe, 0])],
    [
      'in a charset that nobody knows',
      '2 bytes of text/plain; charset=klingon',
      { 'content-type': 'text/plain; charset=klingon' },
      'ok',
    ],
  ])('is shown as it reads: %s', async (_how, answer, headers, body) => {
    sink.answer = (_message, res) => void res.writeHead(200, headers).end(body);
    const actor = await listener();
    await actor.post('/v1/me/webhook:test');
    await expect
      .poll(async () => (await deliveries(actor))[0])
      .toMatchObject({ status: 'delivered', attempts: [{ answer }] });
  });

  it('counts by its status, even where its body breaks off', async () => {
    sink.answer = (_message, res) => {
      res.writeHead(200, { 'content-length': 100 });
      res.write('ok', () => res.destroy());
    };
    const actor = await listener();
    await actor.post('/v1/me/webhook:test');
    await expect
      .poll(async () => (await deliveries(actor))[0])
      .toMatchObject({ status: 'delivered', attempts: [{ http_status: 200, answer: null, error: null }] });
  });
});

describe('an endpoint that fails', () => {
  it('is tried again by the schedule, at most 8 times, and then on request', async () => {
    const actor = await listener('/failing');
    sink.answer = ({ path }, res) => void res.writeHead(path === '/hook/failing' ? 500 : 200).end('x'.repeat(5_000));
    await actor.post('/v1/me/webhook:test');
    for (let tries = 1; tries <= 8; tries++) {
      await expect.poll(() => pings('/failing').length).toBe(tries);
      await expect
        .poll(async () => (await deliveries(actor))[0])
        .toMatchObject({ status: tries < 8 ? 'pending' : 'dead', attempt_count: tries });
      await hurry(actor);
    }
    const [dead] = await deliveries(actor, '?status=dead');
    expect(dead).toMatchObject({ next_attempt_at: null, last_http_status: 500 });
    expect((dead!['attempts'] as { answer: string }[]).map(({ answer }) => answer.length)).toEqual(
      Array(8).fill(1_024),
    );
    expect(new Set(pings('/failing').map(({ body }) => body)).size).toBe(1);
    sink.answer = (_message, res) => void res.end();
    expect((await actor.post(`/v1/me/webhook-deliveries/${String(dead!['name'])}:redeliver`)).data).toMatchObject({
      status: 'pending',
      attempt_count: 0,
    });
    await expect
      .poll(async () => (await deliveries(actor))[0])
      .toMatchObject({ status: 'delivered', attempt_count: 1 });
    const other = await makeActor(rail);
    expect((await other.post(`/v1/me/webhook-deliveries/${String(dead!['name'])}:redeliver`)).status).toBe(404);
  });

  it('has its messages of a span of time sent again', async () => {
    const from = rail.rail.now().toISOString();
    const actor = await listener('/span');
    await actor.post('/v1/me/webhook:test');
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/span').length).toBe(2);
    await expect.poll(async () => (await deliveries(actor, '?status=delivered')).length).toBe(2);
    const span = { from, to: rail.rail.now().toISOString() };
    expect((await actor.post('/v1/me/webhook-deliveries:redeliver', span)).data).toEqual({ redelivered: 0 });
    expect((await actor.post('/v1/me/webhook-deliveries:redeliver', { ...span, dead_only: false })).data).toEqual({
      redelivered: 2,
    });
    await expect.poll(() => pings('/span').length).toBe(4);
    for (const body of [{}, { from: span.to, to: span.from }, { from: '2020-01-01T00:00:00Z', to: span.to }]) {
      expect((await actor.post('/v1/me/webhook-deliveries:redeliver', body)).status).toBe(422);
    }
  });

  it('holds up the later messages of an object, and no others', async () => {
    const actor = await listener('/ordered');
    let broken = true;
    sink.answer = ({ json }, res) => void res.writeHead(broken && json.type === 'assessment.paid' ? 503 : 200).end();
    const { assessment, intent } = await createConfirmed(rail, actor);
    await expect.poll(() => about(assessment).length).toBe(1);
    await actor.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Order' });
    await expect.poll(() => about(intent).length).toBe(1);
    const { assessment: another } = await createConfirmed(rail, actor);
    await expect.poll(() => about(another).length).toBe(1);
    expect(about(assessment).map(({ json }) => json.type)).toEqual(['assessment.paid']);
    broken = false;
    await hurry(actor);
    const ordered = () => about(assessment).filter(({ json }) => !json.type.startsWith('assessment.propagat'));
    await expect
      .poll(() => ordered().map(({ json }) => json.type))
      .toEqual(['assessment.paid', 'assessment.paid', 'assessment.cancelled']);
    const [first, , last] = ordered();
    expect(last!.json.sequence).toBeGreaterThan(first!.json.sequence);
  });

  it('is switched off at once by 410, and after 5 days of nothing but failures, with mail; and on again with PATCH', async () => {
    const from = rail.rail.now();
    const actor = await listener('/gone');
    const [row] = await rail.rows<{ email: string }>(
      sql`select contact_email as email from integrator where code = ${actor.integrator}`,
    );
    sink.answer = ({ path }, res) => void res.writeHead(path === '/hook/gone' ? 410 : 200).end();
    await actor.post('/v1/me/webhook:test');
    // The first one told of the endpoint that was set.
    const letter = await mailbox.letterTo(row!.email, 1);
    expect(letter.subject).toBe('Your webhook endpoint was disabled');
    expect(letter.text).toContain('410 Gone');
    const off = {
      webhook_endpoint: `${sink.url}/gone`,
      webhook_status: 'disabled',
      webhook_disabled_reason: 'answered_gone',
    };
    const { data: me } = await actor.ask('/v1/me');
    expect(me).toMatchObject(off);
    expect(Date.parse(me.webhook_disabled_at)).toBeGreaterThanOrEqual(from.getTime());
    expect((await (await makeStaff(rail, 'admin')).ask(`/v1/ops/integrators/${actor.integrator}`)).data).toMatchObject(
      off,
    );
    const [waiting] = await deliveries(actor);
    expect(waiting).toMatchObject({
      status: 'pending',
      next_attempt_at: null,
      on_hold: 'endpoint_disabled',
      attempt_count: 1,
    });
    const span = { from: from.toISOString(), to: rail.rail.now().toISOString() };
    for (const [path, body] of [
      ['/v1/me/webhook:test', {}],
      [`/v1/me/webhook-deliveries/${String(waiting!['name'])}:redeliver`, {}],
      ['/v1/me/webhook-deliveries:redeliver', span],
    ] as const) {
      const refused = await actor.post(path, body);
      expect([refused.status, refused.json.error.details], path).toMatchObject([422, [{ code: 'webhook_disabled' }]]);
      expect(refused.json.error.message).toContain('410 Gone');
    }
    await hurry(actor);
    const looks = countStatements(rail.rail.background.db, 'from outbox_queue');
    const look = () => {
      rail.rail.work.note();
      return looks();
    };
    await expect.poll(look).toBeGreaterThan(1);
    expect(pings('/gone')).toHaveLength(1);
    sink.answer = ({ path }, res) => void res.writeHead(path === '/hook/gone' ? 500 : 200).end();
    const on = await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: `${sink.url}/gone` } });
    expect(on.data).toMatchObject({
      webhook_status: 'enabled',
      webhook_disabled_at: null,
      webhook_disabled_reason: null,
    });
    // It was shown when the endpoint was first set.
    expect(on.data).not.toHaveProperty('webhook_secret');
    await expect.poll(() => pings('/gone').length).toBeGreaterThan(1);
    await rail.rows(
      sql`update webhook_endpoint set failing_since = now() - interval '5 days 1 minute' where integrator = ${actor.integrator} and is_default`,
    );
    await hurry(actor);
    expect((await mailbox.letterTo(row!.email, 2)).text).toContain('all attempts failed for 5 days');
    expect(
      await rail.count(
        sql`select 1 from webhook_endpoint where integrator = ${actor.integrator} and is_default and disabled_at is not null`,
      ),
    ).toBe(1);
    sink.answer = (_message, res) => void res.end();
    await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: `${sink.url}/gone` } });
    await hurry(actor);
    await expect.poll(async () => (await deliveries(actor, '?status=pending')).length).toBe(0);
  });

  it('by redirecting, or by an answer that does not end', async () => {
    const actor = await listener('/odd');
    sink.answer = (_message, res) => void res.writeHead(302, { location: `${sink.url}/elsewhere` }).end();
    await actor.post('/v1/me/webhook:test');
    await expect
      .poll(async () => (await deliveries(actor))[0])
      .toMatchObject({ status: 'pending', last_http_status: 302 });
    expect(pings('/elsewhere')).toEqual([]);
    const endless = await listener('/endless');
    sink.answer = (_message, res) => {
      const write = () => void (res.destroyed || res.write('x'.repeat(16_384), write));
      write();
    };
    await endless.post('/v1/me/webhook:test');
    await expect.poll(async () => (await deliveries(endless))[0]).toMatchObject({ status: 'delivered' });
  });
});

describe('what else is told', () => {
  it('failure, expiry and cancellation', async () => {
    const actor = await listener();
    const failing = await createSent(rail, actor, '+256700123001');
    await actor.post(`/v1/payment-intents/${failing.intent}:confirm`);
    await expect.poll(() => about(failing.intent).map(({ json }) => json.type)).toEqual(['payment_intent.failed']);
    await actor.post(`/v1/assessments/${failing.assessment}:cancel`);
    await expect.poll(() => about(failing.assessment).map(({ json }) => json.type)).toEqual(['assessment.cancelled']);
    const late = await createSent(rail, actor, '+256700123000');
    await rail.rows(sql`update payment_intent set expires_at = now() where name = ${late.intent}`);
    await rail.rows(sql`select graphile_worker.add_job('expire_intents')`);
    await expect.poll(() => about(late.intent).map(({ json }) => json.type)).toEqual(['payment_intent.expired']);
  });

  it('422: a test without an endpoint, and a message whose endpoint was taken away is on hold', async () => {
    const refused = await (await makeActor(rail)).post('/v1/me/webhook:test');
    expect([refused.status, refused.json.error.details]).toMatchObject([422, [{ code: 'no_webhook_endpoint' }]]);
    const actor = await listener('/taken-away');
    sink.answer = (_message, res) => void res.writeHead(503).end();
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/taken-away').length).toBe(1);
    await expect.poll(async () => (await deliveries(actor))[0]).toMatchObject({ on_hold: null, attempt_count: 1 });
    expect((await deliveries(actor))[0]!['next_attempt_at']).not.toBeNull();
    const { data } = await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: null } });
    expect(data).toMatchObject({ webhook_status: 'none', webhook_disabled_reason: null });
    expect((await deliveries(actor))[0]).toMatchObject({
      status: 'pending',
      on_hold: 'no_endpoint',
      next_attempt_at: null,
    });
  });

  it('is seen by operators for all integrators', async () => {
    const actor = await listener('/seen');
    await actor.post('/v1/me/webhook:test');
    await expect.poll(() => pings('/seen').length).toBe(1);
    const reader = await makeStaff(rail, 'oversight');
    expect((await reader.ask(`/v1/ops/webhook-deliveries?integrator=${actor.integrator}`)).data).toMatchObject([
      { integrator: actor.integrator, type: 'webhook.test' },
    ]);
  });
});

describe('the schedule', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, give or take 20 %', () => {
    const at = new Date(0);
    const seconds = (chance: number) =>
      Array.from({ length: 8 }, (_, i) => timeNextTry(i + 1, at, chance)?.getTime()).map((ms) =>
        ms === undefined ? null : ms / 1_000,
      );
    expect(seconds(0.5)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, null]);
    expect(seconds(0)[0]).toBe(4);
    expect(seconds(1)[1]).toBe(360);
  });
});
