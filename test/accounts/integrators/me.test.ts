import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeAccount, signIn } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const change = (key: string, body: unknown, method = 'PATCH') => rail.ask('/v1/me', { key, body, method });

describe('GET /v1/me', () => {
  it('200: the profile with live counters, by key and by session alike', async () => {
    const account = await makeAccount(rail);
    const { key, integrator, email } = account;
    expect((await rail.ask('/v1/me', { key })).data).toEqual({
      name: integrator,
      code: integrator,
      display_name: 'Test Office',
      contact_email: email,
      organisation: 'Test Office',
      tier: 'sandbox',
      pricing_tier: 'free',
      allowed_channels: ['*'],
      allowed_agencies: ['*'],
      limit_per_minute: null,
      status: 'Active',
      email_verified: true,
      webhook_endpoint: null,
      webhook_status: 'none',
      webhook_disabled_at: null,
      webhook_disabled_reason: null,
      return_hosts: [],
      anticipated_volume_monthly: null,
      contact_phone: null,
      last_login_at: null,
      active_key_count: 1,
      total_key_count: 1,
      requests_last_7_days: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { data } = await rail.ask('/v1/me/keys', { key, body: { label: 'Second', scopes: ['citizens.read'] } });
    await rail.ask(`/v1/me/keys/${data.key.name}:rotate`, { key, body: {} });
    await rail.rail.audit.flush();
    await rail.rows(
      sql`insert into daily_usage (integrator, day, requests) values (${integrator}, (now() at time zone 'utc')::date - 6, 10), (${integrator}, (now() at time zone 'utc')::date - 7, 100)`,
    );
    const cookie = await signIn(rail, account);
    const counted = (await rail.ask('/v1/me', { headers: { cookie } })).data;
    expect(counted).toMatchObject({
      active_key_count: 2,
      total_key_count: 3,
      requests_last_7_days: 13,
      last_login_at: expect.any(String),
    });
    const byDay = async (days: number) => {
      const body = { query: `{ me { requestsByDay(days: ${days}) { day requests } } }` };
      return (await rail.ask('/graphql', { headers: { cookie }, body })).json;
    };
    const eight = (await byDay(8)).data.me.requestsByDay as { day: string; requests: number }[];
    expect(eight.slice(0, 3).map(({ requests }) => requests)).toEqual([100, 10, 0]);
    expect(eight.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), requests: expect.any(Number) });
    expect(eight).toHaveLength(8);
    expect((await byDay(367)).errors).toMatchObject([{ extensions: { code: 'validation_failed' } }]);
  });

  it('200: counts requests of programs alone, whatever page of the dashboard somebody looks at', async () => {
    const cookie = await signIn(rail, await makeAccount(rail));
    const count = async () => {
      await rail.rail.audit.flush();
      return (await rail.ask('/v1/me', { headers: { cookie } })).data.requests_last_7_days as number;
    };
    const before = await count();
    for (const page of ['/dashboard', '/dashboard/keys', '/dashboard/usage'])
      expect((await rail.ask(page, { headers: { cookie } })).status).toBe(200);
    await rail.ask('/v1/no-such-path', { headers: { cookie } });
    await rail.ask('/graphql', { headers: { cookie }, body: { query: '{ me { id } }' } });
    expect((await count()) - before).toBe(3);
    expect((await rail.ask('/v1/me/logs?endpoint=dashboard', { headers: { cookie } })).data).toHaveLength(3);
  });
});

describe.each(['PATCH', 'POST'])('%s /v1/me', (method) => {
  it('200: changes what is given, leaves the rest, and takes away what is null', async () => {
    const { key } = await makeAccount(rail);
    const all = {
      display_name: ' Office of Tests ',
      webhook_endpoint: 'https://example.com/hooks?x=1',
      anticipated_volume_monthly: 5000,
      contact_phone: '+256700000001',
    };
    expect((await change(key, all, method)).data).toMatchObject({ ...all, display_name: 'Office of Tests' });
    const { data } = await change(key, { webhook_endpoint: null, anticipated_volume_monthly: 0 }, method);
    expect(data).toMatchObject({
      webhook_endpoint: null,
      anticipated_volume_monthly: 0,
      contact_phone: '+256700000001',
      display_name: 'Office of Tests',
    });
    expect((await change(key, {}, method)).data).toEqual({ ...data, requests_last_7_days: expect.any(Number) });
  });

  it.each([
    ['contact_email', 'new@example.com'],
    ['status', 'Active'],
    ['tier', 'live'],
    ['pricing_tier', 'gold'],
    ['email_verified', true],
    ['code', 'ROOT-ABCDEF'],
    ['scopes', ['oversight.read']],
    ['name', 'X'],
    ['displayName', 'X'],
    ['constructor', { prototype: {} }],
    ['webhook_endpoint', 'nowhere'],
    ['webhook_endpoint', 'http://example.com'],
    ['webhook_endpoint', 'ftp://example.com'],
    ['webhook_endpoint', 'https://user:secret@example.com'],
    ['webhook_endpoint', 'https://127.0.0.1/x'],
    ['webhook_endpoint', 'https://0x7f000001/x'],
    ['webhook_endpoint', 'https://[::1]/x'],
    ['webhook_endpoint', 'https://169.254.169.254/latest'],
    ['webhook_endpoint', 'https://localhost'],
    ['webhook_endpoint', `https://example.com/${'x'.repeat(2048)}`],
    ['anticipated_volume_monthly', -1],
    ['anticipated_volume_monthly', 1.5],
    ['anticipated_volume_monthly', '5'],
    ['anticipated_volume_monthly', 1e12],
    ['contact_phone', '0700'],
    ['display_name', null],
    ['display_name', ''],
    ['display_name', 'a\0b'],
  ])('422: %s is %j; and changes nothing', async (name, value) => {
    const { key } = await makeAccount(rail);
    const before = (await rail.ask('/v1/me', { key })).data;
    const answer = await change(key, { contact_phone: '+256700000002', [name]: value }, method);
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details).toMatchObject([{ path: name }]);
    expect((await rail.ask('/v1/me', { key })).data).toMatchObject({
      ...before,
      requests_last_7_days: expect.any(Number),
    });
  });

  it('422: a prototype that is to be polluted', async () => {
    const { key } = await makeAccount(rail);
    const answer = await change(key, '{"__proto__": {"status": "Active"}, "display_name": "X"}', method);
    expect(answer).toMatchObject({
      status: 422,
      json: { error: { details: [{ path: '__proto__', message: 'cannot be set' }] } },
    });
    expect(({} as Record<string, unknown>)['status']).toBeUndefined();
  });
});

describe('the return hosts of an account', () => {
  it('are kept each once, replaced as a whole, and taken away by null', async () => {
    const { key } = await makeAccount(rail);
    const hosts = ['shop.example.com', 'xn--shp-sna.example.com'];
    expect((await change(key, { return_hosts: [...hosts, hosts[0]] })).data.return_hosts).toEqual(hosts);
    expect((await change(key, { display_name: 'Other' })).data.return_hosts).toEqual(hosts);
    expect((await change(key, { return_hosts: ['pay.example.org'] })).data.return_hosts).toEqual(['pay.example.org']);
    expect((await change(key, { return_hosts: null })).data.return_hosts).toEqual([]);
  });

  it.each([
    '*.example.com',
    'Shop.example.com',
    'shöp.example.com',
    'shop.example.com:443',
    'https://shop.example.com',
    'shop.example.com/',
    'shop.example.com.',
    'localhost',
    '203.0.113.7',
    '[2001:db8::1]',
    'a.0x7f',
    '-a.example.com',
    `${'a'.repeat(64)}.example.com`,
    '',
  ])('422: %j', async (host) => {
    const { key } = await makeAccount(rail);
    const answer = await change(key, { return_hosts: ['shop.example.com', host] });
    expect(answer).toMatchObject({ status: 422, json: { error: { details: [{ path: 'return_hosts[1]' }] } } });
    expect((await rail.ask('/v1/me', { key })).data.return_hosts).toEqual([]);
  });

  it('422: more than 20', async () => {
    const { key } = await makeAccount(rail);
    const many = Array.from({ length: 21 }, (_none, nth) => `shop-${nth}.example.com`);
    expect((await change(key, { return_hosts: many.slice(1) })).status).toBe(200);
    expect((await change(key, { return_hosts: many })).status).toBe(422);
  });
});

describe('a private webhook endpoint', () => {
  const open = testRail({ DEV_REVEAL: 'on', WEBHOOK_ALLOW_PRIVATE: '1' });

  it('200 on a sandbox that allows it', async () => {
    const { key } = await makeAccount(open);
    const body = { webhook_endpoint: 'http://127.0.0.1:9/hook' };
    expect((await open.ask('/v1/me', { key, body, method: 'PATCH' })).data).toMatchObject(body);
  });
});
