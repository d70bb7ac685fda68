import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { accessOf } from '../../../src/graphql/plugins/access.ts';
import { schema } from '../../../src/app/schema.ts';
import { loadEndpoints } from '../../../rest/load.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { endpoints } = loadEndpoints(schema);

type Credential = Readonly<Record<string, string>>;

const bearer = (key: string): Credential => ({ authorization: `Bearer ${key}` });

/** Credentials that hold nothing, by what was done to them. */
const dead: Record<string, Credential> = {};
let mine: Account;
let theirs: Account;
let cookie: string;

beforeAll(async () => {
  [mine, theirs] = [await makeAccount(rail), await makeAccount(rail)];
  cookie = await signIn(rail, mine);
  const suspended = await makeAccount(rail);
  const suspendedCookie = await signIn(rail, suspended);
  await rail.rows(sql`update integrator set status = 'Suspended' where code = ${suspended.integrator}`);
  const revoked = await makeAccount(rail);
  await rail.ask(`/v1/me/keys/${revoked.keyName}:revoke`, { key: revoked.key, body: { reason: 'Test' } });
  const rolled = await makeAccount(rail);
  await rail.rows(
    sql`update api_key set status = 'rolling', expires_at = now() - interval '1 ms' where name = ${rolled.keyName}`,
  );
  const expired = await signIn(rail, await makeAccount(rail));
  await rail.rows(sql`update session set expires_at = now() where created_at = (select max(created_at) from session)`);
  const ended = await signIn(rail, await makeAccount(rail));
  await rail.ask('/v1/logout', { method: 'POST', headers: { cookie: ended } });
  Object.assign(dead, {
    'no credential': {},
    'a key of a suspended integrator': bearer(suspended.key),
    'a session of a suspended integrator': { cookie: suspendedCookie },
    'a revoked key': bearer(revoked.key),
    'a key past its grace': bearer(rolled.key),
    'an expired session': { cookie: expired },
    'an ended session': { cookie: ended },
    'a made-up session': { cookie: `service_session=${'A'.repeat(43)}` },
    'a key as a cookie': { cookie: `service_session=${mine.key}` },
    'a session as a key': bearer(cookie.split('=')[1]!),
  });
});

function ask(endpoint: (typeof endpoints)[number], headers: Credential, name = theirs.keyName) {
  const path = endpoint.path.replace('{provider}', 'card').replace('{name}', name);
  return rail.ask(path, {
    method: endpoint.method,
    headers,
    ...(endpoint.method === 'GET'
      ? {}
      : { body: endpoint.method === 'PATCH' ? { label: 'x' } : { reason: 'x', label: 'x' } }),
  });
}

/** True if the credential is refused by every endpoint, as a dead key is. */
const isKey = (credential: Credential) => 'authorization' in credential;

describe('each endpoint × each credential that holds nothing', () => {
  for (const endpoint of endpoints) {
    it(`${endpoint.method} ${endpoint.path}`, async () => {
      const { need } = accessOf(endpoint.field);
      const tries = Object.entries(dead).map(async ([what, credential]) => {
        const answer = await ask(endpoint, credential);
        if (need || isKey(credential)) expect(answer, what).toMatchObject({ status: 401, code: 'unauthenticated' });
        else expect([401, 403], what).not.toContain(answer.status);
      });
      await Promise.all(tries);
    });
  }
});

describe('an integrator at what is another’s', () => {
  for (const endpoint of endpoints.filter(
    ({ path, field }) => path.includes('{name}') && accessOf(field).need?.startsWith('account'),
  )) {
    it(`${endpoint.method} ${endpoint.path}: 404, by key and by session`, async () => {
      for (const credential of [bearer(mine.key), { cookie }]) {
        expect(await ask(endpoint, credential)).toMatchObject({ status: 404, code: 'not_found' });
      }
    });
  }
});

describe('a session', () => {
  it('opens the account alone: elsewhere it is no key', async () => {
    for (const endpoint of endpoints) {
      const { need } = accessOf(endpoint.field);
      const answer = await ask(endpoint, { cookie }, 'KEY-2020-000001');
      if (need && !need.startsWith('account'))
        expect(answer, endpoint.path).toMatchObject({ status: 401, code: 'unauthenticated' });
      else if (endpoint.name === 'LogOut') cookie = await again();
      else expect([401, 403], endpoint.path).not.toContain(answer.status);
    }
  });

  async function again(): Promise<string> {
    await rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);
    return signIn(rail, mine);
  }

  it('changes nothing for a page of another origin, and all for one of this', async () => {
    const hostile: Credential[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: rail.origin.replace('127.0.0.1', 'localhost') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: rail.origin },
    ];
    const change = (headers: Credential) =>
      rail.ask('/v1/me', { method: 'PATCH', body: { display_name: 'Changed' }, headers: { cookie, ...headers } });
    const byGraphql = (headers: Credential) =>
      rail.ask('/graphql', {
        body: { query: 'mutation { updateMe(displayName: "Changed") { id } }' },
        headers: { cookie, ...headers },
      });
    for (const headers of hostile) {
      expect(await change(headers)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect((await byGraphql(headers)).json.errors).toMatchObject([{ extensions: { code: 'unauthenticated' } }]);
    }
    expect((await rail.ask('/v1/me', { headers: { cookie } })).data.display_name).toBe('Test Office');
    // A request that only reads is allowed from any origin. Without CORS headers, the other origin cannot see the
    // answer.
    const read = await rail.ask('/v1/me', { headers: { cookie, origin: 'https://evil.example' } });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    for (const headers of [{}, { origin: rail.origin }, { 'sec-fetch-site': 'same-origin' }])
      expect((await change(headers)).status).toBe(200);
    expect((await byGraphql({ origin: rail.origin })).json.data).toEqual({ updateMe: { id: mine.integrator } });
  });

  it('gives way to a key that is sent with it', async () => {
    const headers = { cookie, ...bearer(theirs.key) };
    expect((await rail.ask('/v1/me', { headers })).data.code).toBe(theirs.integrator);
    expect((await rail.ask('/v1/me', { headers: { cookie, ...bearer('rail_sandbox_x') } })).status).toBe(401);
  });
});

describe('credentials that arrive at the same moment', () => {
  it('are each taken for what they are', async () => {
    const [mineSent, theirsSent, none] = [bearer(mine.key), bearer(theirs.key), dead['a revoked key']!];
    const sent = Array.from({ length: 8 }, () => [mineSent, none, theirsSent, dead['a key past its grace']!]).flat();
    const answers = await Promise.all(sent.map((headers) => rail.ask('/v1/me', { headers })));
    const each = answers.map(({ status, json }) => json.data?.code ?? status);
    expect(each).toEqual(Array.from({ length: 8 }, () => [mine.integrator, 401, theirs.integrator, 401]).flat());
  });
});
