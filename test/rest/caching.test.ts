import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadEndpoints } from '../../rest/load.ts';
import { schema } from '../../src/app/schema.ts';
import { loadProfile } from '../../src/collection/catalogue/loading/load.ts';
import { readShippedProfiles } from '../../src/collection/catalogue/loading/profile.ts';
import { commandLine } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeActor } from '../harness/flow.ts';
import { makeAccount } from '../harness/people/accounts.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail({ DEV_REVEAL: 'on' });
const { endpoints } = loadEndpoints(schema);

/** Public resources, which clients may cache. */
const KEPT = [
  '/v1/mdas',
  '/v1/mdas/URA',
  '/v1/services',
  '/v1/services?mda=URA&limit=2',
  '/v1/anomaly-rules',
  '/v1/changelog',
  '/v1/events/types',
  '/v1/notices',
  '/v1/signup/tos',
  '/terms',
  '/docs/anomalies',
];

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks without a client that decompresses by itself. */
function askRaw(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(rail.origin + path, { method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const DECODERS = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  identity: (body: Buffer) => body,
};
const textOf = ({ headers, body }: Raw) =>
  DECODERS[(headers['content-encoding'] ?? 'identity') as keyof typeof DECODERS](body).toString();

describe('what everybody may read', () => {
  it('has a strong tag, and is answered 304 to whoever knows it, in any form of asking', async () => {
    for (const path of KEPT) {
      const { status, headers, body } = await askRaw(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, no-cache']);
      // Pages are in the language that their reader prefers.
      const language = path.startsWith('/v1/') ? '' : ', Accept-Language';
      expect(headers['vary'], path).toBe(
        `Authorization, X-Service-Authorization, Cookie, Accept, Accept-Encoding${language}`,
      );
      const tag = headers['etag'] as string;
      expect(tag, path).toMatch(/^"[\w/+-]+"$/);
      for (const known of [tag, `W/${tag}`, `"other", W/"another" , ${tag}`, '*']) {
        const again = await askRaw(path, { 'if-none-match': known, 'cache-control': 'no-cache' });
        expect([path, known, again.status, again.body.length]).toEqual([path, known, 304, 0]);
        expect(again.headers).toMatchObject({ etag: tag, 'cache-control': 'public, no-cache', vary: headers['vary'] });
        expect(again.headers).not.toHaveProperty('content-type');
      }
      const other = await askRaw(path, { 'if-none-match': '"other", W/"another"' });
      expect([path, other.status, other.body.equals(body)]).toEqual([path, 200, true]);
      const head = await askRaw(path, {}, 'HEAD');
      expect([head.status, head.headers['etag'], head.headers['content-length'], head.body.length]).toEqual([
        200,
        tag,
        String(body.length),
        0,
      ]);
    }
  });

  it('is kept by its caller alone where it shows a credential, which is looked at as ever', async () => {
    const { plaintext } = await rail.key('citizens.read');
    const tag = (await askRaw('/v1/services')).headers['etag'] as string;
    const asked = { 'if-none-match': tag, authorization: `Bearer ${plaintext}` };
    const known = await askRaw('/v1/services', asked);
    expect([known.status, known.headers['cache-control']]).toEqual([304, 'private, no-cache']);
    expect((await askRaw('/v1/services', { ...asked, authorization: `Bearer ${plaintext}x` })).status).toBe(401);
    // Staff who administer see more of an agency.
    const agency = await askRaw('/v1/mdas/URA');
    const admin = await makeStaff(rail, 'admin');
    const more = await admin.ask('/v1/mdas/URA', { headers: { 'if-none-match': agency.headers['etag'] as string } });
    expect([more.status, more.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(more.data).toHaveProperty('collection_account_last4');
  });

  it('counts, is audited and says what is left of the limit where it is answered 304', async () => {
    const actor = await makeActor(rail);
    const tag = (await actor.ask('/v1/services')).headers.get('etag')!;
    const first = await actor.ask('/v1/services');
    const known = await actor.ask('/v1/services', { headers: { 'if-none-match': tag, 'x-request-id': 'known-1' } });
    const leftBy = (answer: typeof first) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    expect([known.status, known.headers.get('x-request-id'), leftBy(known)]).toEqual([
      304,
      'known-1',
      leftBy(first) - 1,
    ]);
    await rail.rail.audit.flush();
    expect(await rail.rows(sql`select http_status, endpoint from audit_log where request_id = 'known-1'`)).toEqual([
      { http_status: 304, endpoint: 'GET /v1/services' },
    ]);
  });

  it('has no tag where it is refused, or is a file', async () => {
    for (const [path, headers, status] of [
      ['/v1/services?limit=x', {}, 422],
      ['/v1/mdas/NONE', {}, 404],
      ['/v1/mdas', { accept: 'text/csv' }, 200],
    ] as const) {
      const answer = await askRaw(path, { ...headers, 'if-none-match': '*' });
      expect([answer.status, answer.headers['etag'], answer.headers['cache-control']], path).toEqual([
        status,
        undefined,
        'no-store',
      ]);
    }
  });
});

describe('the tag of the catalogue', () => {
  const [shipped] = readShippedProfiles();
  const load = (profile: typeof shipped) => {
    const call = callOf(rail.rail, commandLine, 'load');
    return rail.rail.transaction((db) => loadProfile({ ...call, db }, profile!));
  };
  afterEach(() => load(shipped));

  it('changes with every change of what it is of', async () => {
    const tagOf = async (path: string) => (await askRaw(path)).headers['etag'];
    const [agency] = shipped!.agencies;
    const services = `/v1/services?mda=${agency!.code}`;
    const tags = new Set([await tagOf(services)]);
    const changes: Partial<(typeof agency & object)['services'][number]>[] = [
      { fee: 1 },
      { fee: 2 },
      { name: 'Renamed' },
      { status: 'Inactive' },
    ];
    for (const [index, change] of changes.entries()) {
      const changed = agency!.services.map((service, at) => (at === 0 ? { ...service, ...change } : service));
      await load({ ...shipped!, agencies: [{ ...agency!, services: changed }] });
      tags.add(await tagOf(services));
      expect(tags.size).toBe(index + 2);
    }
    const before = await tagOf('/v1/mdas');
    await load({ ...shipped!, agencies: [{ ...agency!, name: 'Renamed' }] });
    expect(await tagOf('/v1/mdas')).not.toBe(before);
  });
});

describe('a list of the catalogue', () => {
  const readsOf = (query: { mock: { calls: unknown[][] } }) =>
    query.mock.calls.filter(([statement]) => /from service r\b/.test((statement as { text?: string }).text ?? ''))
      .length;

  it('is read once for as long as nothing changes, by whoever it is asked', async () => {
    const { plaintext } = await rail.key('citizens.read');
    const path = '/v1/services?limit=7';
    const first = await rail.ask(path);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    for (const key of [null, plaintext]) {
      const again = await rail.ask(path, { key });
      expect([again.text, again.headers.get('link')]).toEqual([first.text, first.headers.get('link')]);
    }
    expect(readsOf(query)).toBe(0);
    expect((await rail.ask('/v1/services?limit=6')).data).toHaveLength(6);
    expect(readsOf(query)).toBe(1);
    expect((await rail.ask('/v1/services?limit=7&status=Inactive')).data).toEqual([]);
    expect((await rail.ask('/v1/services?limit=x')).status).toBe(422);
  });

  it('is what it is from the moment on at which a change is committed, whoever made it', async () => {
    const path = '/v1/services?limit=3';
    const namesOf = async () => (await rail.ask(path)).data.map((one: { service_name: string }) => one.service_name);
    const before = await namesOf();
    const changes = [
      sql`update service set service_name = 'By hand' where name = (select min(name) from service)`,
      sql`update service set status = 'Inactive' where name = (select min(name) from service where status = 'Active')`,
    ];
    let last = before;
    for (const change of changes) {
      await rail.rail.transaction(async (db) => {
        await db.rows(change);
        expect(await namesOf()).toEqual(last);
      });
      const now = await namesOf();
      expect(now).not.toEqual(last);
      last = now;
    }
    // A change that is rolled back was never there.
    const undone = rail.rail.transaction(async (db) => {
      await db.rows(sql`update service set service_name = 'Never'`);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await namesOf()).toEqual(last);
  });
});

describe('compression', () => {
  it('is what the client would rather have, by the weights of its Accept-Encoding', async () => {
    const plain = await askRaw('/v1/services');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const tags = new Set([plain.headers['etag']]);
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.5, gzip;q=0.8, zstd;q=0', 'gzip'],
      ['*;q=0.1, br', 'br'],
    ] as const) {
      const answer = await askRaw('/v1/services', { 'accept-encoding': accepted });
      expect([answer.headers['content-encoding'], answer.headers['content-length']], accepted).toEqual([
        coding,
        String(answer.body.length),
      ]);
      expect(answer.body.length).toBeLessThan(plain.body.length / 4);
      expect(textOf(answer)).toBe(plain.body.toString());
      const tag = answer.headers['etag'] as string;
      tags.add(tag);
      const known = await askRaw('/v1/services', { 'accept-encoding': accepted, 'if-none-match': tag });
      expect([known.status, known.headers['etag']]).toEqual([304, tag]);
    }
    expect(tags.size).toBe(4);
    for (const accepted of ['identity', 'deflate', 'gzip;q=0', 'identity;q=1, gzip;q=0.5', 'nonsense;;q=x']) {
      const answer = await askRaw('/v1/services', { 'accept-encoding': accepted });
      expect([answer.headers['content-encoding'], answer.status], accepted).toEqual([undefined, 200]);
    }
    expect((await askRaw('/v1/mdas/URA', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('of files goes on as they do', async () => {
    const file = { accept: 'text/csv' };
    const plain = await askRaw('/v1/services', file);
    for (const coding of ['gzip', 'br', 'zstd']) {
      const answer = await askRaw('/v1/services', { ...file, 'accept-encoding': coding });
      expect([answer.headers['content-encoding'], answer.headers['transfer-encoding']]).toEqual([coding, 'chunked']);
      expect(textOf(answer)).toBe(plain.body.toString());
    }
  });

  it('is never that of what holds secrets, or of what everybody has their own of', async () => {
    const open = endpoints
      .filter(({ passing }) => passing.json.compressed)
      .map(({ method, path }) => `${method} ${path}`);
    expect(
      open.filter((endpoint) => !/^GET \/v1\/(oversight|mdas|services|notices)/.test(endpoint)).toSorted(),
    ).toEqual([
      'GET /.well-known/jwks.json',
      'GET /.well-known/receipt-keys.json',
      'GET /v1/agency/{mda}/days',
      'GET /v1/agency/{mda}/days/{day}',
      'GET /v1/anomaly-rules',
      'GET /v1/changelog',
      'GET /v1/events/types',
      'GET /v1/signup/tos',
    ]);
    const files = endpoints.filter(({ passing, formats }) => passing.file.compressed && formats.length > 0);
    expect(files.map(({ path }) => path).filter((path) => /^\/v1\/(me|ops|session|signup|login)\b/.test(path))).toEqual(
      [],
    );
    const account = await makeAccount(rail);
    const takes = { authorization: `Bearer ${account.key}`, 'accept-encoding': 'gzip, br, zstd' };
    for (const path of ['/v1/me', '/v1/me/keys', '/v1/me/logs', '/v1/events/types?x=1'] as const) {
      const { status, headers } = await askRaw(path, takes);
      expect([path, status, headers['content-encoding']]).toEqual([
        path,
        200,
        path.startsWith('/v1/me') ? undefined : 'zstd',
      ]);
    }
    const asked = await rail.ask('/graphql', { key: account.key, body: { query: '{ __schema { types { name } } }' } });
    expect(asked.headers.get('content-encoding')).toBeNull();
    const page = await askRaw('/dashboard', takes);
    expect([page.headers['content-encoding'], page.headers['etag'], page.headers['cache-control']]).toEqual([
      undefined,
      undefined,
      'no-store',
    ]);
  });

  it('of figures of oversight, by key', async () => {
    const { plaintext } = await rail.key('oversight.read');
    const takes = { authorization: `Bearer ${plaintext}`, 'accept-encoding': 'br' };
    const fees = await askRaw('/v1/oversight/fees', takes);
    expect([fees.status, fees.headers['content-encoding'], fees.headers['cache-control']]).toEqual([
      200,
      'br',
      'no-store',
    ]);
    expect(textOf(fees)).toBe(textOf(await askRaw('/v1/oversight/fees', { ...takes, 'accept-encoding': 'identity' })));
    const named = await askRaw('/graphql?operation=open-anomalies', takes);
    expect([named.status, named.headers['cache-control']]).toEqual([200, 'private, max-age=15']);
  });
});
