import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { timed } from '../../harness/run/moments.ts';

const rail = testRail();
const browser = testBrowser();

const ISSUE = `mutation ($origins: [String!]!, $operations: [String!], $agencies: [String!], $days: Int! = 90) {
  issueBrowserKey(label: "Dashboard", origins: $origins, operations: $operations, agencies: $agencies, days: $days) {
    plaintext key { id scopes origins operations agencies status expiresAt managesAccount }
  }
}`;
const ORIGIN = 'https://dashboard.example.org';
const NET = '{ oversight { figures(by: [agency]) { nodes { key { agencyId } revenue { net } } } } }';

let manager: string;

beforeAll(async () => {
  manager = (await rail.keyGranted({ managesAccount: true }, 'oversight.read')).plaintext;
  await createConfirmed(rail, await makeActor(rail));
});

const issue = async (variables: object, key = manager) =>
  (await rail.ask('/graphql', { key, body: { query: ISSUE, variables } })).json;
const issued = async (variables: object = { origins: [ORIGIN] }) => {
  const { data, errors } = await issue(variables);
  expect(errors).toBeUndefined();
  return data.issueBrowserKey as { plaintext: string; key: { id: string } };
};
const query = (key: string, text: string, headers: Readonly<Record<string, string>> = { origin: ORIGIN }) =>
  rail.ask(`/graphql?query=${encodeURIComponent(text)}`, { key, headers });
const codesOf = ({ errors }: { errors?: { extensions: { code: string; details?: { code: string }[] } }[] }) =>
  errors?.map(({ extensions }) => extensions.details?.[0]?.code ?? extensions.code);

describe('issueBrowserKey', () => {
  it('issues a key that reads oversight alone, for a while', async () => {
    const { answer, expectTaken } = await timed(rail, () =>
      issued({ origins: [ORIGIN, 'http://localhost:8080'], days: 30 }),
    );
    const { key } = answer;
    expect(key).toMatchObject({
      scopes: ['oversight_read'],
      origins: [ORIGIN, 'http://localhost:8080'],
      operations: [],
      agencies: [],
      status: 'active',
      managesAccount: false,
    });
    expectTaken((key as unknown as { expiresAt: string }).expiresAt, 30 * DAY_MS);
  });

  it.each([
    [[]],
    [[`${ORIGIN}/`]],
    [[`${ORIGIN}/path`]],
    [['https://*.example.org']],
    [['*']],
    [['null']],
    [['HTTPS://dashboard.example.org']],
    [['https://dashboard.example.org:443']],
    [['http://dashboard.example.org']],
    [['https://user@dashboard.example.org']],
    [Array.from({ length: 11 }, (_, nth) => `https://d${nth}.example.org`)],
  ])('422: origins %j', async (origins) => {
    expect(codesOf(await issue({ origins }))).toEqual(['validation_failed']);
  });

  it.each([[{ days: 91 }], [{ days: 0 }], [{ operations: ['nothing'] }], [{ agencies: ['NOPE'] }]])(
    '422: %j',
    async (wrong) => {
      expect(codesOf(await issue({ origins: [ORIGIN], ...wrong }))).toEqual(['validation_failed']);
    },
  );

  it('403: by who does not read oversight, or may not manage the account', async () => {
    const without = await rail.keyGranted({ managesAccount: true }, 'catalogue.read');
    const unmanaged = await rail.keyGranted({ managesAccount: false }, 'oversight.read');
    for (const key of [without.plaintext, unmanaged.plaintext])
      expect(codesOf(await issue({ origins: [ORIGIN] }, key))).toEqual(['forbidden']);
  });

  it('is what operators do too, which is audited', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { integrator } = await rail.key('catalogue.read');
    const text = `mutation ($integrator: ID!, $origins: [String!]!) {
      operatorIssueBrowserKey(integrator: $integrator, label: "Wall", origins: $origins) { plaintext key { id } } }`;
    const variables = { integrator, origins: [ORIGIN] };
    const { json } = await admin.ask('/graphql', { body: { query: text, variables } });
    const { plaintext, key } = json.data.operatorIssueBrowserKey;
    expect((await query(plaintext, NET)).json.errors).toBeUndefined();
    const [row] = await rail.rows<{ after: object }>(
      sql`select after from operator_audit where subject = ${key.id} and action = 'key.issue'`,
    );
    expect(row!.after).toMatchObject({ origins: [ORIGIN], scopes: ['oversight.read'] });
  });
});

describe('a browser key', () => {
  it('403 origin_not_allowed: from another origin, or from none', async () => {
    const { plaintext } = await issued();
    for (const headers of [{}, { origin: 'https://evil.example.org' }, { origin: `${ORIGIN}:8443` }]) {
      const answer = await query(plaintext, NET, headers);
      expect([answer.status, codesOf(answer.json)]).toEqual([403, ['origin_not_allowed']]);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      const rest = await rail.ask('/v1/oversight/statistics', { key: plaintext, headers });
      expect([rest.status, rest.json.error.details[0].code]).toEqual([403, 'origin_not_allowed']);
    }
  });

  it('reads oversight, over REST too, and nothing else of any account', async () => {
    const { plaintext: key } = await issued();
    const headers = { origin: ORIGIN };
    const read = await query(key, NET);
    expect(read.json.data.oversight.figures.nodes.length).toBeGreaterThan(0);
    expect(read.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(read.headers.get('vary')).toMatch(/\bOrigin\b/);
    expect(read.headers.has('access-control-allow-credentials')).toBe(false);
    expect((await rail.ask('/v1/oversight/statistics', { key, headers })).status).toBe(200);
    for (const path of ['/v1/me', '/v1/me/keys', '/v1/services', '/v1/assessments', '/v1/events'])
      expect([path, (await rail.ask(path, { key, headers })).status]).toEqual([path, 401]);
    for (const text of ['{ me { organisation } }', '{ myKeys { nodes { id } } }', '{ agencies { nodes { id } } }'])
      expect(codesOf((await query(key, text)).json), text).toEqual(['forbidden']);
    const changing = { query: 'mutation { revokeKey(id: "KEY-2026-000001", reason: "x") { id } }' };
    const registering = {
      query:
        'mutation { registerOperation(name: "net", document: "{ oversight { asOf } }", description: "x") { name } }',
    };
    for (const body of [changing, registering])
      expect(codesOf((await rail.ask('/graphql', { key, headers, body })).json)).toEqual(['forbidden']);
  });

  it('runs its operations by name alone, where it is bound to some', async () => {
    const { plaintext: key } = await issued({ origins: [ORIGIN], operations: ['revenue-by-agency'] });
    const headers = { origin: ORIGIN };
    const run = (name: string) => rail.ask(`/graphql?operation=${name}`, { key, headers });
    expect((await run('revenue-by-agency')).json.errors).toBeUndefined();
    expect(codesOf((await run('revenue-by-month')).json)).toEqual(['forbidden']);
    expect(codesOf((await query(key, NET)).json)).toEqual(['forbidden']);
    expect(codesOf((await rail.ask('/graphql', { key, headers, body: { query: NET } })).json)).toEqual(['forbidden']);
    expect((await rail.ask('/v1/oversight/statistics', { key, headers })).status).toBe(403);
  });

  it('runs a registered operation in the version that it is bound to, and in no other', async () => {
    const text = `mutation { registerOperation(name: "net", description: "Net", document: "{ oversight { asOf } }") { name } }`;
    for (let version = 1; version <= 2; version++)
      expect((await rail.ask('/graphql', { key: manager, body: { query: text } })).json.errors).toBeUndefined();
    const { plaintext: key } = await issued({ origins: [ORIGIN], operations: ['net@1'] });
    const run = async (name: string) =>
      codesOf((await rail.ask(`/graphql?operation=${name}`, { key, headers: { origin: ORIGIN } })).json);
    expect([await run('net@1'), await run('net@2'), await run('net')]).toEqual([
      undefined,
      ['forbidden'],
      ['forbidden'],
    ]);
  });

  it('422: is bound to no later versions of what another account registered, but to one', async () => {
    const other = (await rail.keyGranted({ managesAccount: true }, 'oversight.read')).plaintext;
    const text = `mutation { registerOperation(name: "theirs", description: "Net", document: "{ oversight { asOf } }") { name } }`;
    expect((await rail.ask('/graphql', { key: other, body: { query: text } })).json.errors).toBeUndefined();
    const refused = await issue({ origins: [ORIGIN], operations: ['theirs'] });
    expect(refused.errors[0].extensions.details).toEqual([
      { path: 'operations', message: 'theirs belongs to another account: name a version of it, such as theirs@1' },
    ]);
    await issued({ origins: [ORIGIN], operations: ['theirs@1'] });
    expect((await issue({ origins: [ORIGIN], operations: ['theirs'] }, other)).errors).toBeUndefined();
  });

  it('sees figures of its agencies alone, where it is bound to some', async () => {
    const { plaintext: key } = await issued({ origins: [ORIGIN], agencies: ['URA'] });
    const agenciesOf = async (text: string) => {
      const { json } = await query(key, text);
      expect(json.errors).toBeUndefined();
      return json.data.oversight.figures.nodes.map((node: { key: { agencyId: string } }) => node.key.agencyId);
    };
    expect((await query(manager, NET, {})).json.data.oversight.figures.nodes.length).toBeGreaterThan(1);
    expect(await agenciesOf(NET)).toEqual(['URA']);
    expect(await agenciesOf(NET.replace('by: [agency]', 'by: [agency], slice: { not: { agency: ["URA"] } }'))).toEqual(
      [],
    );
    const other = '{ oversight(slice: { agency: ["MOWT"] }) { figures(by: [agency]) { nodes { key { agencyId } } } } }';
    expect(await agenciesOf(other)).toEqual([]);
    for (const beyond of ['anomalies { nodes { id } }', '... on Oversight { anomalies { nodes { id } } }'])
      expect(codesOf((await query(key, `{ oversight { ${beyond} } }`)).json), beyond).toEqual(['forbidden']);
    const { status } = await rail.ask('/v1/oversight/statistics', { key, headers: { origin: ORIGIN } });
    expect(status).toBe(403);
  });

  it('ends when it is revoked, and after its time, and is not rotated', async () => {
    const { plaintext, key } = await issued({ origins: [ORIGIN], days: 1 });
    const rotate = `mutation { operatorRotateKey(id: "${key.id}") { plaintext } }`;
    const rotated = await (await makeStaff(rail, 'admin')).ask('/graphql', { body: { query: rotate } });
    expect(codesOf(rotated.json)).toEqual(['validation_failed']);
    const other = await issued();
    const revoke = `mutation { revokeKey(id: "${other.key.id}", reason: "Found in a page") { status } }`;
    await rail.ask('/graphql', { key: manager, body: { query: revoke } });
    expect((await query(other.plaintext, NET)).status).toBe(401);
    expect((await query(plaintext, NET)).status).toBe(200);
    rail.advance(24.1);
    expect((await query(plaintext, NET)).status).toBe(401);
    const keys = await rail.ask('/graphql', { key: manager, body: { query: '{ myKeys { nodes { id status } } }' } });
    expect(keys.json.data.myKeys.nodes).toContainEqual({ id: key.id, status: 'expired' });
  });
});

describe('a browser that asks first', () => {
  const preflight = (origin: string, path = '/graphql') =>
    fetch(rail.origin + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });

  it('is told that pages may ask whose origin a key is bound to, while that holds', async () => {
    const origin = 'https://wall.example.org';
    expect((await preflight(origin)).headers.has('access-control-allow-origin')).toBe(false);
    const { key } = await issued({ origins: [origin] });
    for (const path of ['/graphql', '/v1/oversight/statistics']) {
      const { status, headers } = await preflight(origin, path);
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        204,
        origin,
        'Origin',
      ]);
      expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, If-None-Match');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
    expect((await preflight(origin, '/v1/me')).headers.has('access-control-allow-origin')).toBe(false);
    await rail.ask('/graphql', {
      key: manager,
      body: { query: `mutation { revokeKey(id: "${key.id}", reason: "Over") { status } }` },
    });
    expect((await preflight(origin)).headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe.runIf(browser.found)('a page of another origin', () => {
  const server = createServer((_req, res) =>
    res.setHeader('Content-Type', 'text/html').end('<title>Dashboard</title>'),
  );
  const originOf = (host: string) => `http://${host}:${(server.address() as AddressInfo).port}`;
  beforeAll(() => new Promise<void>((listening) => void server.listen(0, listening)));
  afterAll(() => new Promise((closed) => server.close(closed)));

  it('reads figures with its key, and cannot with any other, nor from elsewhere', async () => {
    const { plaintext } = await issued({ origins: [originOf('localhost')] });
    const ask = async (from: string, path: string, key: string) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(from);
      return page.evaluate(
        async ([address, token]) => {
          try {
            const answer = await fetch(address!, { headers: { authorization: `Bearer ${token}` } });
            return [answer.status, Object.keys((await answer.json()) as object), answer.headers.has('etag')];
          } catch {
            return 'blocked';
          }
        },
        [rail.origin + path, key],
      );
    };
    const path = `/graphql?query=${encodeURIComponent(NET)}`;
    expect(await ask(originOf('localhost'), path, plaintext)).toEqual([200, ['data', 'extensions'], true]);
    expect(await ask(originOf('localhost'), '/v1/me', plaintext)).toBe('blocked');
    expect(await ask(originOf('localhost'), path, manager)).toBe('blocked');
    expect(await ask(originOf('127.0.0.1'), path, plaintext)).toBe('blocked');
  });
});
