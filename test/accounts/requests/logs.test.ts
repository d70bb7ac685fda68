import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeAccount, signIn } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

interface Entry {
  readonly ts: string;
  readonly http_status: number;
  readonly endpoint: string;
  readonly event: string;
  readonly request_id: string;
  readonly key: string | null;
}

async function busyAccount() {
  const account = await makeAccount(rail);
  const { key } = account;
  const ask = async (path: string, options: object = {}) => rail.ask(path, { key, ...options });
  await ask('/v1/citizens?limit=1');
  await ask('/v1/assessments/ASMT-2026-11-000001');
  await ask('/v1/citizens', { body: {} });
  await ask('/v1/assessments', { body: {} });
  await rail.rail.audit.flush();
  const logs = async (query = ''): Promise<Entry[]> => {
    const answer = await ask(`/v1/me/logs${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.data;
  };
  return { account, ask, logs };
}

describe('GET /v1/me/logs', () => {
  it('200: each request of the account, newest first, as it was answered', async () => {
    const { account, logs } = await busyAccount();
    const entries = await logs();
    expect(entries.map(({ http_status, endpoint, event, key }) => [http_status, endpoint, event, key])).toEqual([
      [422, 'POST /v1/assessments', 'api.auth.granted', account.keyName],
      [403, 'POST /v1/citizens', 'api.auth.denied', account.keyName],
      [404, 'GET /v1/assessments/{name}', 'api.auth.granted', account.keyName],
      [200, 'GET /v1/citizens', 'api.auth.granted', account.keyName],
    ]);
    expect(Object.keys(entries[0]!)).toEqual(['ts', 'http_status', 'endpoint', 'event', 'request_id', 'key']);
  });

  it('200: filtered by endpoint, event and status, alone and together', async () => {
    const { logs } = await busyAccount();
    expect(await logs('?endpoint=CITIZENS')).toHaveLength(2);
    expect(await logs('?endpoint=%7Bname%7D')).toHaveLength(1);
    expect(await logs('?endpoint=%25')).toHaveLength(0);
    expect(await logs('?endpoint=_')).toHaveLength(0);
    expect(await logs('?event=api.auth.denied')).toMatchObject([{ http_status: 403 }]);
    expect(await logs('?event=api.handler.error')).toHaveLength(0);
    expect((await logs('?min_status=404')).filter(({ endpoint }) => !endpoint.includes('logs'))).toMatchObject([
      { http_status: 422 },
      { http_status: 404 },
    ]);
    expect(await logs('?endpoint=citizens&min_status=400&event=api.auth.denied')).toHaveLength(1);
  });

  it('200: by session, whose requests carry no key; a failure of the rail as such', async () => {
    const { account } = await busyAccount();
    const cookie = await signIn(rail, account);
    await rail.ask('/v1/me', { headers: { cookie } });
    await rail.rail.audit.flush();
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, actor)
      values (gen_random_uuid(), now(), 'failed-1', 500, 'GET /v1/x', 'api.handler.error', ${account.integrator},
        ${account.integrator})`);
    const { data } = await rail.ask('/v1/me/logs?limit=2', { headers: { cookie } });
    expect(data).toMatchObject([
      { event: 'api.handler.error', http_status: 500 },
      { endpoint: 'GET /v1/me', key: null },
    ]);
  });

  it('200: also what was tried with a key that no longer holds, which is told nothing of it, and is no use of the key', async () => {
    const account = await makeAccount(rail);
    const narrow = async () =>
      (await rail.ask('/v1/me/keys', { key: account.key, body: { label: 'x', scopes: ['citizens.read'] } })).data;
    const [revoked, expired] = [await narrow(), await narrow()];
    await rail.ask(`/v1/me/keys/${revoked.key.name}:revoke`, { key: account.key, body: { reason: 'Leaked' } });
    await rail.rows(
      sql`update api_key set status = 'rolling', expires_at = now() - interval '1 ms' where name = ${expired.key.name}`,
    );
    const unknown = (await rail.ask('/v1/citizens', { key: `${revoked.plaintext.slice(0, -1)}!` })).text;
    for (const { plaintext } of [revoked, expired]) {
      expect((await rail.ask('/v1/citizens?limit=1', { key: plaintext })).text).toBe(unknown);
      expect((await rail.ask('/graphql', { key: plaintext, body: { query: '{ me { id } }' } })).status).toBe(401);
    }
    await rail.rail.audit.flush();
    const { data } = await rail.ask('/v1/me/logs?event=api.auth.denied', { key: account.key });
    // Those of the same millisecond stand in any order.
    expect(data.map(({ http_status, endpoint, key }: Entry) => `${http_status} ${endpoint} ${key}`).toSorted()).toEqual(
      [expired, revoked]
        .flatMap(({ key }) => ['POST /graphql', 'GET /v1/citizens'].map((endpoint) => `401 ${endpoint} ${key.name}`))
        .toSorted(),
    );
    expect(
      await rail.count(
        sql`select 1 from api_key where name in (${revoked.key.name}, ${expired.key.name}) and last_used_at is not null`,
      ),
    ).toBe(0);
  });

  it('200: page by page without a gap or a repetition, rows of one moment among them', async () => {
    const account = await makeAccount(rail);
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, actor)
      select gen_random_uuid(), date_trunc('day', now()) + (n / 3) * interval '1 second', 'r' || n, 200,
        'GET /v1/paged', 'api.auth.granted', ${account.integrator}, 'x'
      from generate_series(1, 25) n`);
    const seen: string[] = [];
    for (let path: string | undefined = '/v1/me/logs?endpoint=paged&limit=4'; path;) {
      const answer = await rail.ask(path, { key: account.key });
      seen.push(...answer.data.map(({ request_id }: Entry) => request_id));
      path = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    const skipped = await rail.ask('/v1/me/logs?endpoint=paged&start=20&limit=10', { key: account.key });
    expect(skipped.data.map(({ request_id }: Entry) => request_id)).toEqual(seen.slice(20));
  });

  it('shows nobody else’s, and nothing older than 90 days', async () => {
    const [mine, theirs] = [await busyAccount(), await busyAccount()];
    await rail.rows(sql`select ensure_audit_partition(now() - interval '91 days')`);
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, actor)
      values (gen_random_uuid(), now() - interval '91 days', 'old', 200, 'GET /v1/old', 'api.auth.granted',
        ${mine.account.integrator}, 'x')`);
    const entries = await mine.logs('?limit=200');
    expect(entries.filter(({ endpoint }) => endpoint === 'GET /v1/old')).toEqual([]);
    const ids = new Set((await theirs.logs('?limit=200')).map(({ request_id }) => request_id));
    expect(entries.filter(({ request_id }) => ids.has(request_id))).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'start=-1',
    'min_status=x',
    'min_status=1.5',
    'event=other',
    'after=x',
    'endpoint=%00',
  ])('422: %s', async (query) => {
    const { key } = await makeAccount(rail);
    const answer = await rail.ask(`/v1/me/logs?${query}`, { key });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.json.error.details[0].path).toBe(query.split('=')[0]);
  });
});
