import { createHmac } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { issueKey } from '../../../src/accounts/integrators/issue-key.ts';
import { signAgencyToken } from '../../../src/platform/access/tokens/agency-token.ts';
import { ASSETS } from '../../../src/site/assets.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { makeAccount, signIn, signUp } from '../../harness/people/accounts.ts';
import { TestRail, testRail } from '../../harness/rail.ts';

const SECRET = 'a-secret-of-16-characters';
const tight = { DEV_REVEAL: 'on', RATE_LIMIT_KEY: '5', RATE_LIMIT_ADDRESS: '6', RATE_LIMIT_ANONYMOUS: '8' };

describe.each([
  ['in the process', {}],
  ['in PostgreSQL', { RATE_LIMIT_SHARED: '1' }],
])('limits that are counted %s', (_where, more) => {
  const rail = testRail({ ...tight, ...more, TRUST_PROXY: '1', WEBHOOK_SECRET_CARD: SECRET });
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('429 beyond so many requests of a key a minute, whatever it asks; others are not touched', async () => {
    const [mine, theirs] = [await rail.key('assessments.read'), await rail.key('assessments.read')];
    for (let left = 4; left >= 0; left--) {
      const answer = await rail.ask(left % 2 ? '/v1/assessments' : '/v1/mdas', { key: mine.plaintext });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=5;w=60');
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"key";r=${left};t=(60|5\\d)$`));
    }
    for (const path of ['/v1/assessments', '/v1/me', '/dashboard']) {
      const answer = await rail.ask(path, { key: mine.plaintext });
      expect(answer.status).toBe(429);
      expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    }
    const refused = await rail.ask('/graphql', {
      key: mine.plaintext,
      body: { query: '{ agencies { nodes { id } } }' },
    });
    expect(refused).toMatchObject({ status: 429, json: { errors: [{ extensions: { code: 'rate_limited' } }] } });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await rail.ask('/v1/assessments', { key: theirs.plaintext })).status).toBe(200);
    await rail.rail.audit.flush();
    expect(await rail.count(sql`select 1 from audit_log where http_status = 429 and key = ${mine.name}`)).toBe(4);
  });

  it('counts the keys and sessions of an integrator together: more of them are no more requests', async () => {
    const first = await rail.key('assessments.read');
    const second = await issueKey(rail.rail, { integrator: first.integrator }, ['assessments.read']);
    const statuses = [];
    for (const key of [first, second, first, second, first, second, first])
      statuses.push((await rail.ask('/v1/assessments', { key: key.plaintext })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('counts the tokens of a key of an agency together, and those of its other keys apart', async () => {
    const [mine, other] = [await makeAgency(rail), await makeAgency(rail)];
    const tokenOf = ({ mda, key: agencyKey }: typeof mine) =>
      signAgencyToken(rail.rail, { mda, agencyKey, scopes: ['catalogue.read'] });
    const statuses = [];
    for (const agency of [mine, mine, mine, mine, mine, mine, other])
      statuses.push((await rail.ask('/v1/integrations', { key: await tokenOf(agency) })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
  });

  it('counts an account against its own limit, else that of its pricing tier, from the next request on', async () => {
    const key = await rail.key('assessments.read');
    const set = (limit: number | null, tier: string) =>
      rail.rows(sql`
        update integrator set limit_per_minute = ${limit}, pricing_tier = ${tier}::pricing_tier
        where code = ${key.integrator}`);
    const ask = async () => {
      const { status, headers } = await rail.ask('/v1/me', { key: key.plaintext });
      return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';')[1]];
    };
    expect(await ask()).toEqual([200, '"key";q=5;w=60', 'r=4']);
    await set(null, 'standard');
    expect(await ask()).toEqual([200, '"key";q=1200;w=60', 'r=1198']);
    await set(7, 'premium');
    expect(await ask()).toEqual([200, '"key";q=7;w=60', 'r=4']);
    await set(3, 'premium');
    expect(await ask()).toEqual([429, '"key";q=3;w=60', 'r=0']);
    await set(null, 'premium');
    expect(await ask()).toEqual([200, '"key";q=6000;w=60', 'r=5995']);
  });

  it('429 beyond so many tries of an address at sign-up and sign-in, together; other addresses are not touched', async () => {
    const verify = (address: string) =>
      rail.ask('/v1/signup/verify', {
        body: { integrator_id: 'NOBODY-ABCDEF', otp: '123456' },
        headers: from(address),
      });
    const login = (address: string) => rail.ask('/v1/login/request', { body: {}, headers: from(address) });
    const statuses = [];
    for (let i = 0; i < 4; i++)
      statuses.push((await verify('203.0.113.7')).status, (await login('203.0.113.7')).status);
    expect(statuses).toEqual([404, 422, 404, 422, 404, 422, 429, 429]);
    const answer = await verify('203.0.113.7');
    expect(answer.headers.get('ratelimit-policy')).toBe('"address";q=6;w=60');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await verify('203.0.113.8')).status).toBe(404);
    for (let i = 0; i < 6; i++) await verify(`2001:db8:1:2::${i}`);
    expect((await verify('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await verify('2001:db8:1:3::1')).status).toBe(404);
  });

  it('counts looks at receipts and records apart: who checks many of them can still sign in', async () => {
    const headers = from('203.0.113.11');
    const body = { name: 'RCP-2026-11-000001', code: '7M3QX-0ZK9T' };
    const statuses = [];
    for (let i = 0; i < 7; i++) statuses.push((await rail.ask('/v1/receipts:verify', { body, headers })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const query = '{ node(id: "RCP-2026-11-000001") { id } }';
    expect((await rail.ask('/graphql', { body: { query }, headers })).json.errors).toMatchObject([
      { extensions: { code: 'rate_limited' } },
    ]);
    expect((await rail.ask('/v1/login/request', { body: {}, headers })).status).toBe(422);
  });

  it('429 for what one GraphQL operation asks too often', async () => {
    const ask = (i: number) => `v${i}: requestSignIn(email: "somebody-${i}@example.com") { message }`;
    const query = `mutation { ${Array.from({ length: 8 }, (_, i) => ask(i)).join(' ')} }`;
    const { json, headers } = await rail.ask('/graphql', { body: { query }, headers: from('203.0.113.9') });
    expect(json.errors).toMatchObject([{ path: ['v6'], extensions: { code: 'rate_limited' } }]);
    expect(headers.get('ratelimit-policy')).toBe('"address";q=6;w=60');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await rail.count(sql`select 1 from sign_in_quota`)).toBe(6);
  });

  it('429 beyond so many requests that an address sends without a credential, over REST, GraphQL and pages together', async () => {
    const headers = from('203.0.113.20');
    const catalogue = () => rail.ask('/v1/mdas?limit=1', { headers });
    const graphql = () => rail.ask('/graphql', { body: { query: '{ agencies(first: 1) { nodes { id } } }' }, headers });
    const page = () => rail.ask('/signin', { headers });
    for (let left = 7; left >= 0; left--) {
      const answer = await [catalogue, graphql, page][left % 3]!();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe('"anonymous";q=8;w=60');
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"anonymous";r=${left};t=(60|5\\d)$`));
    }
    for (const ask of [catalogue, graphql, page]) {
      const answer = await ask();
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await rail.ask('/v1/mdas', { headers: from('203.0.113.21') })).status).toBe(200);
    const { plaintext: key } = await rail.key('assessments.read');
    expect((await rail.ask('/v1/assessments', { key, headers })).status).toBe(200);
    expect((await rail.ask('/v1/login/request', { body: {}, headers })).status).toBe(422);
    for (const open of ['/healthz', '/readyz', '/metrics', '/v1/openapi.json', ASSETS.script]) {
      expect((await rail.ask(open, { headers })).status, open).toBe(200);
    }
  });

  it('429 beyond so many callbacks of an address that prove nothing; signed ones are not counted', async () => {
    const headers = from('203.0.113.30');
    const body = JSON.stringify({ event_id: 'limits', intent: 'PI-2026-000001', status: 'PENDING' });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const send = (given: object) => rail.ask('/v1/webhooks/card', { body, headers: { ...headers, ...given } });
    const statuses = [];
    for (let i = 0; i < 10; i++)
      statuses.push((await send(i % 2 ? {} : { 'x-service-signature': 'f'.repeat(64) })).status);
    expect(statuses).toEqual([401, 200, 401, 200, 401, 200, 401, 200, 429, 429]);
    expect(Number((await send({})).headers.get('retry-after'))).toBeGreaterThan(0);
    for (let i = 0; i < 10; i++) expect((await send({ 'x-service-signature': signature })).status).toBe(200);
  });

  it('counts a session like a key', async () => {
    const account = await makeAccount(rail);
    const cookie = await signIn(rail, account);
    const statuses = [];
    for (let i = 0; i < 7; i++) statuses.push((await rail.ask('/v1/me', { headers: { cookie } })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});

describe('an address', () => {
  const rail = testRail(tight);

  it('is what the connection says where no proxy is trusted', async () => {
    const statuses = [];
    for (let i = 0; i < 7; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      statuses.push((await rail.ask('/v1/login/request', { body: {}, headers })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 429]);
  });
});

describe('limits of two rails on one database', () => {
  it('are one where they are shared', async () => {
    const one = new TestRail({ ...tight, RATE_LIMIT_SHARED: '1' });
    await one.start();
    const two = new TestRail({ ...tight, RATE_LIMIT_SHARED: '1', DATABASE_URL: one.url });
    await two.start();
    try {
      const { plaintext: key } = await one.key('assessments.read');
      const statuses = [];
      for (let i = 0; i < 8; i++) statuses.push((await (i % 2 ? one : two).ask('/v1/assessments', { key })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      expect((await signUp(two)).status).toBe(200);
      // As of a machine whose clock is wrong.
      const late = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      expect((await two.ask('/v1/assessments', { key })).status).toBe(429);
      late.mockRestore();
      // As where the database's clock was set back by two hours.
      await one.rows(sql`update rate_limit set expire = expire + 7200000`);
      expect((await one.ask('/v1/assessments', { key })).headers.get('ratelimit')).toMatch(/r=4;t=(60|5\d)$/);
      await one.rows(sql`update rate_limit set expire = expire - 60000`);
      expect((await one.ask('/v1/assessments', { key })).headers.get('ratelimit')).toMatch(/r=4;t=(60|5\d)$/);
    } finally {
      await two.stop();
      await one.stop();
    }
  });
});
