import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { createAssessedFor, createConfirmed, makeActor, createPendingFor } from '../harness/flow.ts';
import { hold, startOutsideRail } from '../harness/outside.ts';
import { passTime } from '../harness/run/wait.ts';
import { LIVE } from '../harness/live.ts';
import { testRail } from '../harness/rail.ts';
import { openSink } from '../harness/sink.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { timed } from '../harness/run/moments.ts';

/** Pause of an endpoint that keeps failing. */
const REST_MS = 60_000;
const held = startOutsideRail(
  { JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' },
  { breaker_failures: 4, breaker_rest_ms: REST_MS, timeout_ms: 1_500 },
);
const { rail } = held;
const unconnected = testRail();
const live = testRail(LIVE);

const NIN = () => `CM${Math.random().toString(36).slice(2).toUpperCase().padEnd(11, '0').slice(0, 11)}A`;

describe('the national identity authority', () => {
  it('says who somebody is, and registers them', async () => {
    const actor = await makeActor(rail);
    const nin = NIN();
    const found = await actor.ask(`/v1/citizens/search?nin=${nin}`);
    expect(found.data).toMatchObject({
      source: 'nira',
      stub: false,
      citizen: { nin, full_name: `Person ${nin.slice(-5)}`, verified: true },
    });
    expect((await actor.post('/v1/citizens/register', { nin })).data).toMatchObject({
      created: true,
      source: 'nira',
      citizen: { verified: true },
    });
    expect((await actor.ask('/v1/citizens/search?nin=CM0000000000QX')).data).toEqual({
      source: 'not_found',
      stub: false,
      citizen: null,
    });
  });

  it('502 while it is down; unavailable to integrators while it is left alone', async () => {
    const actor = await makeActor(rail);
    const { plaintext: key } = await rail.key('catalogue.read');
    const identity = async () => (await rail.ask('/v1/integrations', { key })).data.UG.identity.status;
    expect(await identity()).toBe('sandbox');
    const { trouble } = held.outside.agencies['national identity authority']!;
    trouble.down = 'refusing';
    for (let i = 0; i < 2; i++) {
      expect(await actor.ask(`/v1/citizens/search?nin=${NIN()}`)).toMatchObject({
        status: 502,
        code: 'adapter_failed',
      });
    }
    expect(await identity()).toBe('unavailable');
    trouble.down = 'no';
    passTime(REST_MS);
    expect((await actor.ask(`/v1/citizens/search?nin=${NIN()}`)).status).toBe(200);
    expect(await identity()).toBe('sandbox');
    // Nobody in Kenya is connected.
    expect((await rail.ask('/v1/integrations', { key })).data.KE).toMatchObject({
      identity: { status: 'sandbox' },
      fiscal: { status: 'unavailable' },
    });
  });
});

describe.each([
  ['connected', () => held.rail],
  ['made up', () => unconnected],
] as const)('registries that are %s', (_which, of) => {
  it('GET /v1/work/taxpayers: 200, 404, 422', async () => {
    const clerk = await makeStaff(of(), 'clerk');
    expect((await clerk.ask('/v1/work/taxpayers?tin=1000000001')).data).toEqual({
      tin: '1000000001',
      full_name: expect.stringMatching(/\w/),
      status: 'active',
      organisation: null,
    });
    expect(await clerk.ask('/v1/work/taxpayers?tin=0000000000')).toMatchObject({ status: 404, code: 'not_found' });
    for (const tin of ['', 'x', '12 34', 'a'.repeat(21)])
      expect((await clerk.ask(`/v1/work/taxpayers?tin=${encodeURIComponent(tin)}`)).status, tin).toBe(422);
  });

  it('GET and POST /v1/work/businesses: 200, 422', async () => {
    const clerk = await makeStaff(of(), 'clerk');
    const { data } = await clerk.ask('/v1/work/businesses?name=nile');
    expect(data).toEqual([
      {
        registration_number: expect.stringMatching(/^\d{12}$/),
        business_name: expect.stringMatching(/\w/),
        status: 'active',
      },
    ]);
    expect((await clerk.ask('/v1/work/businesses?name=n')).status).toBe(422);
    const made = await clerk.post('/v1/work/businesses', { name: 'Lakeside Bakery', owner_nin: 'cm12345678901a' });
    expect(made.data).toEqual({
      registration_number: expect.stringMatching(/^\d{12}$/),
      business_name: 'Lakeside Bakery',
      status: 'registered',
    });
    expect((await clerk.post('/v1/work/businesses', { name: 'Lakeside Bakery', owner_nin: 'x' })).status).toBe(422);
    expect(await of().count(sql`select 1 from operator_audit where action = 'business.register'`)).toBe(1);
  });
});

describe('the business registry', () => {
  it('422 with its own words for what it refuses', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const refused = await clerk.post('/v1/work/businesses', { name: 'Taken Trading', owner_nin: 'CM12345678901A' });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'The business registry rejected the request: The name is taken',
    ]);
  });
});

describe('POST /v1/ops/agency-endpoints/{id}:probe', () => {
  it('really calls each endpoint of the registry, in its own way of showing who calls', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { data: rows } = await admin.ask('/v1/ops/agency-endpoints');
    expect(rows).toHaveLength(10);
    for (const { id } of rows as { id: string }[]) {
      const { answer: probed, expectTaken } = await timed(rail, () =>
        admin.post(`/v1/ops/agency-endpoints/${id}:probe`),
      );
      expect([id, probed.data.last_probe_status]).toEqual([id, 'ok']);
      expect(probed.data.last_probe_ms).toBeGreaterThanOrEqual(0);
      expectTaken(probed.data.last_probe_at);
    }
    expect(new Set((rows as { auth_mode: string }[]).map(({ auth_mode }) => auth_mode))).toEqual(
      new Set(['OAuth2', 'mTLS', 'API Key']),
    );
    const { data } = await admin.ask('/v1/ops/agency-endpoints');
    expect(data.find(({ id }: { id: string }) => id === 'tax-payment')).toMatchObject({
      method: 'POST',
      path: '/v2/tax/payment',
      agency_kind: 'tax authority',
      version: 'v2.0',
      auth_mode: 'mTLS',
      base_url: expect.stringMatching(/^https:/),
    });
    expect(await rail.count(sql`select 1 from operator_audit where action = 'agency_endpoint.probe'`)).toBe(10);
    expect(held.outside.agencies['tax authority']!.notices.size).toBe(0);
  });

  it('says what is wrong with one that fails', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { trouble } = held.outside.agencies['health ministry']!;
    trouble.down = 'refusing';
    expect((await admin.post('/v1/ops/agency-endpoints/facilities-search:probe')).data.last_probe_status).toBe(
      'failed (503)',
    );
    trouble.down = 'no';
    const { letGo } = hold(trouble);
    expect((await admin.post('/v1/ops/agency-endpoints/facilities-search:probe')).data.last_probe_status).toMatch(
      /^(timeout|unavailable)$/,
    );
    letGo();
  });

  it('404: no such endpoint; 422: nobody is connected', async () => {
    const admin = await makeStaff(rail, 'admin');
    expect((await admin.post('/v1/ops/agency-endpoints/nothing:probe')).status).toBe(404);
    const another = await makeStaff(live, 'admin');
    const { status, json } = await another.post('/v1/ops/agency-endpoints/tin-verify:probe');
    expect([status, json.error.message]).toEqual([422, 'No tax authority is connected; name one in CONNECTIONS']);
  });

  it('200: a sandbox as it is installed answers for the agencies that it makes up', async () => {
    const admin = await makeStaff(unconnected, 'admin');
    for (const { id } of (await admin.ask('/v1/ops/agency-endpoints')).data) {
      const { data } = await admin.post(`/v1/ops/agency-endpoints/${id}:probe`);
      expect([id, data.last_probe_status, data.last_probe_at]).toEqual([id, 'ok', expect.any(String)]);
    }
  });
});

describe('a business registry that is made up', () => {
  it('finds what is asked for by name, under one number however it is found', async () => {
    const clerk = await makeStaff(unconnected, 'clerk');
    const search = async (name: string) =>
      (await clerk.ask(`/v1/work/businesses?name=${encodeURIComponent(name)}`)).data;
    const [found] = await search('Acme');
    expect(found).toMatchObject({
      business_name: expect.stringMatching(/^Acme \w+/),
      registration_number: expect.stringMatching(/^\d{12}$/),
    });
    expect(await search('Acme')).toEqual([found]);
    expect(await search(found.business_name)).toEqual([found]);
    const made = (
      await clerk.post('/v1/work/businesses', { name: 'Lakeside Bakery Limited', owner_nin: 'CM12345678901A' })
    ).data;
    expect(await search('Lakeside Bakery Limited')).toMatchObject([{ registration_number: made.registration_number }]);
  });
});

describe('mTLS', () => {
  it('lets nobody in without a certificate of the right authority', async () => {
    const { mtls } = held.outside.connections.agencies['tax authority'] as unknown as { mtls: { url: string } };
    const { ca, client, stranger } = held.outside.certificates;
    const attempt = (identity: object) =>
      new Promise<number | string>((done) => {
        const req = request(`${mtls.url}/v2/tax/payment`, { method: 'POST', ca, ...identity }, (res) =>
          done(res.statusCode!),
        );
        req.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
        req.end();
      });
    expect(await attempt(client)).toBe(422);
    expect(await attempt({})).not.toBe(422);
    expect(await attempt(stranger)).not.toBe(422);
  });
});

describe('a paid assessment', () => {
  const rows = async (assessment: string) => {
    const admin = await makeStaff(rail, 'admin');
    return (await admin.ask(`/v1/ops/propagations?assessment=${assessment}`)).data as {
      mda: string;
      status: string;
      receipt: string;
      attempts: number;
      name: string;
    }[];
  };

  /** Pays without an aggregator: what is looked at here is what follows. */
  async function paid(code: string) {
    const actor = await makeActor(rail);
    const { assessment } = await createAssessedFor(rail, actor, code);
    const intent = await createPendingFor(actor, assessment, 'cash');
    await actor.post(`/v1/payment-intents/${intent}:initiate`);
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    return { actor, assessment, intent };
  }

  it('is told to the tax authority over mTLS, and that to the integrator', async () => {
    const sink = await openSink();
    const actor = await makeActor(rail);
    await actor.post('/v1/me', { webhook_endpoint: sink.url });
    const { assessment, amount } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const intent = await createPendingFor(actor, assessment, 'cash');
    await actor.post(`/v1/payment-intents/${intent}:initiate`);
    await actor.post(`/v1/payment-intents/${intent}:confirm`);
    const { notices } = held.outside.agencies['tax authority']!;
    await expect
      .poll(() => notices.get(`${assessment}:URA`)?.notice)
      .toMatchObject({ assessment, mda: 'URA', amount, currency: 'UGX' });
    await expect.poll(() => sink.received.map(({ json }) => json.type)).toContain('assessment.propagated');
    const message = sink.received.find(({ json }) => json.type === 'assessment.propagated')!;
    expect(message.json.data.object).toMatchObject({ name: assessment, status: 'Paid', propagated_to: ['URA'] });
    const { receipt } = notices.get(`${assessment}:URA`)!;
    expect(await rows(assessment)).toMatchObject([{ mda: 'URA', status: 'done', receipt, attempts: 1 }]);
    const { timeline } = (await actor.ask(`/v1/payment-intents/${intent}/trace`)).data;
    expect(timeline.at(-1)).toMatchObject({
      actor: 'job:propagate',
      summary: 'URA was told of the payment',
      detail: { mda: 'URA', receipt },
    });
    await sink.close();
  });

  it('is told to every other agency that has a system, by its own credentials, and to none that has not', async () => {
    const { assessment } = await paid('KCCA-TRADELIC');
    await expect.poll(() => held.outside.agencies['city authority']!.notices.has(`${assessment}:KCCA`)).toBe(true);
    const without = await paid('MOWT-PSV');
    expect(await rows(without.assessment)).toEqual([]);
    await createConfirmed(unconnected, await makeActor(unconnected));
    expect(await unconnected.count(sql`select 1 from propagation where status = 'pending'`)).toBe(2);
  });

  it('is told again until the agency takes it; what is dead can be told anew', async () => {
    const { trouble, notices } = held.outside.agencies['social security fund']!;
    trouble.down = 'refusing';
    const { assessment } = await paid('NSSF-CONTRIB');
    await expect.poll(async () => (await rows(assessment))[0]!.attempts).toBe(1);
    const { name } = (await rows(assessment))[0]!;
    expect(name).toBe(`${assessment}.NSSF`);
    const admin = await makeStaff(rail, 'admin');
    expect((await admin.post(`/v1/ops/propagations/${name}:retry`)).status).toBe(422);
    await rail.rows(sql`update propagation set status = 'dead', next_attempt_at = null where name = ${name}`);
    trouble.down = 'no';
    passTime(REST_MS);
    expect((await admin.post(`/v1/ops/propagations/${name}:retry`)).data).toMatchObject({
      status: 'pending',
      attempts: 0,
    });
    await expect.poll(() => notices.has(`${assessment}:NSSF`)).toBe(true);
    await expect.poll(async () => (await rows(assessment))[0]!.status).toBe('done');
    expect((await admin.post('/v1/ops/propagations/nothing:retry')).status).toBe(404);
  });

  it('is told once where the process died after it was told: the agency knows it again', async () => {
    const { assessment } = await paid('URA-TCC');
    const { notices } = held.outside.agencies['tax authority']!;
    await expect.poll(async () => (await rows(assessment))[0]!.status).toBe('done');
    const { receipt } = notices.get(`${assessment}:URA`)!;
    await rail.rows(
      sql`update propagation set status = 'pending', done_at = null, next_attempt_at = now(), attempts = 0, receipt = null where name = ${`${assessment}.URA`}`,
    );
    await expect.poll(async () => (await rows(assessment))[0]).toMatchObject({ status: 'done', receipt });
  });
});
