import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();
describe('a credential', () => {
  const path = '/v1/assessments';

  it('is taken from either header', async () => {
    const { plaintext } = await rail.key('assessments.read');
    const bearer = `Bearer ${plaintext}`;
    expect((await rail.ask(path, { headers: { 'x-service-authorization': bearer } })).status).toBe(200);
    expect(
      (await rail.ask(path, { headers: { authorization: bearer, 'x-service-authorization': bearer } })).status,
    ).toBe(200);
    expect((await rail.ask(path, { headers: { authorization: `bearer ${plaintext}` } })).status).toBe(200);
  });

  it('401: two different ones, none that could be a key, an unknown one', async () => {
    const [a, b] = [await rail.key('assessments.read'), await rail.key('assessments.read')];
    const typo = `${a.plaintext.slice(0, -1)}${a.plaintext.endsWith('a') ? 'b' : 'a'}`;
    const cases: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${a.plaintext}`, 'x-service-authorization': `Bearer ${b.plaintext}` },
      { authorization: a.plaintext },
      { authorization: 'Basic dXNlcjpwYXNz' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${typo}` },
      { authorization: `Bearer ${a.plaintext} ${a.plaintext}` },
      { authorization: 'Bearer rail_sandbox_00000000000000000000000000000000000000' },
    ];
    for (const headers of cases) {
      const answer = await rail.ask(path, { headers });
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('401 from the very next request once it is revoked, out of its grace, or its integrator suspended; on public paths too', async () => {
    const ends = [
      (name: string) => sql`update api_key set status = 'revoked', revoked_at = now() where name = ${name}`,
      (name: string) =>
        sql`update api_key set status = 'rolling', expires_at = now() - interval '1 second' where name = ${name}`,
      (name: string) =>
        sql`update integrator set status = 'Suspended' where code = (select integrator from api_key where name = ${name})`,
    ];
    for (const end of ends) {
      const { plaintext, name } = await rail.key('assessments.read');
      expect((await rail.ask(path, { key: plaintext })).status).toBe(200);
      await rail.rows(end(name));
      expect((await rail.ask(path, { key: plaintext })).status).toBe(401);
      expect((await rail.ask('/v1/mdas', { key: plaintext })).status).toBe(401);
    }
  });

  it('works while it is rolling', async () => {
    const { plaintext, name } = await rail.key('assessments.read');
    await rail.rows(
      sql`update api_key set status = 'rolling', expires_at = now() + interval '1 hour' where name = ${name}`,
    );
    expect((await rail.ask(path, { key: plaintext })).status).toBe(200);
  });

  it('is kept as a hash alone', async () => {
    const { plaintext, name } = await rail.key('assessments.read');
    const [row] = await rail.rows<{ row: string }>(sql`select k::text as row from api_key k where name = ${name}`);
    expect(row!.row).not.toContain(plaintext.slice(13, 40));
    expect(row!.row).toContain(plaintext.slice(-4));
  });
});

describe('the audit log', () => {
  it('has a row a request, by status, with the route and never the address', async () => {
    const { plaintext, integrator, name } = await rail.key('assessments.write');
    const canary = 'CM99CANARY9999';
    await rail.ask(`/v1/assessments?citizen=${canary}`, { key: plaintext });
    await rail.ask(`/v1/citizens?nin=${canary}`, { key: plaintext });
    await rail.ask(`/v1/assessments/${canary}`, { key: plaintext });
    await rail.ask(`/v1/nowhere/${canary}`, { key: plaintext });
    await rail.ask('/v1/assessments', { key: plaintext, body: { citizen: canary, lines: [] } });
    await rail.rail.audit.flush();
    const rows = await rail.rows(sql`
      select http_status as status, endpoint, event, key from audit_log where integrator = ${integrator} order by ts,
        endpoint`);
    expect(rows).toEqual([
      { status: 200, endpoint: 'GET /v1/assessments', event: 'api.auth.granted', key: name },
      { status: 403, endpoint: 'GET /v1/citizens', event: 'api.auth.denied', key: name },
      { status: 404, endpoint: 'GET /v1/assessments/{name}', event: 'api.auth.granted', key: name },
      { status: 404, endpoint: 'GET (none)', event: 'api.auth.granted', key: name },
      { status: 422, endpoint: 'POST /v1/assessments', event: 'api.auth.granted', key: name },
    ]);
    const [usage] = await rail.rows<{ requests: number }>(
      sql`select requests from daily_usage where integrator = ${integrator}`,
    );
    expect(usage!.requests).toBe(5);
    expect(await rail.count(sql`select 1 from api_key where name = ${name} and last_used_at is not null`)).toBe(1);
    expect(await rail.count(sql`select 1 from audit_log a where a::text like ${`%${canary}%`}`)).toBe(0);
    expect(rail.logged.join('')).not.toContain(canary);
  });

  it('keeps the id of the request: the sane one of the caller, or a new one', async () => {
    const mine = await rail.ask('/v1/mdas', { headers: { 'x-request-id': 'my-request:1' } });
    expect(mine.headers.get('x-request-id')).toBe('my-request:1');
    const odd = await rail.ask('/v1/mdas', { headers: { 'x-request-id': 'no spaces <script>' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    await rail.rail.audit.flush();
    expect(await rail.count(sql`select 1 from audit_log where request_id = 'my-request:1'`)).toBe(1);
  });

  it('has the row of a change before its answer', async () => {
    const { plaintext } = await rail.key('citizens.write');
    const answer = await rail.ask('/v1/citizens/register', { key: plaintext, body: { nin: 'CM12345678AAAA' } });
    expect(
      await rail.count(sql`select 1 from audit_log where request_id = ${answer.headers.get('x-request-id')}`),
    ).toBe(1);
  });
});

describe('what is written down', () => {
  it('holds no NIN, name, phone number or key: neither the log nor the audit, trace, idempotency or callback rows', async () => {
    const { plaintext } = await rail.key('citizens.write', 'citizens.read', 'assessments.write', 'payments.initiate');
    const nin = 'ZZ77CANARY77';
    const person = { nin, full_name: 'Canary Kanarienvogel', phone: '+256799877665' };
    const post = (path: string, body: unknown = {}) => rail.ask(path, { key: plaintext, body });
    const citizen = (await post('/v1/citizens', person)).data.name;
    await rail.ask(`/v1/citizens?q=${nin}`, { key: plaintext });
    await rail.ask(`/v1/citizens/search?nin=${nin}`, { key: plaintext });
    await post('/v1/citizens', person);
    const [service] = (await rail.ask('/v1/services?code=URA-TCC')).data;
    const assessment = (await post('/v1/assessments', { citizen, lines: [{ service: service.name }] })).data.name;
    await post(`/v1/assessments/${assessment}:assess`);
    const intent = (await post('/v1/payment-intents', { assessment, channel: 'mtn_momo' })).data.name;
    await post(`/v1/payment-intents/${intent}:initiate`, { payer_msisdn: '+256799877001' });
    await post(`/v1/payment-intents/${intent}:confirm`);
    await rail.rail.audit.flush();
    const written = [rail.logged.join('')];
    for (const table of ['audit_log', 'trace_row', 'outbox', 'inbound_callback', 'anomaly', 'consent_event']) {
      const rows = await rail.query<{ row: string }>(`select t::text as row from ${table} t`);
      written.push(rows.map(({ row }) => row).join('\n'));
    }
    for (const canary of [nin, 'Kanarienvogel', '799877665', '256799877001', plaintext, plaintext.slice(20, 45)]) {
      for (const text of written) expect(text).not.toContain(canary);
    }
  });
});
