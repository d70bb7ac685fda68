import { parse } from 'csv-parse/sync';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../rest/load.ts';
import { schema } from '../../src/app/schema.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { openShift } from '../harness/people/counter.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail();

describe('Accept', () => {
  it('decides by its weights between the error envelope and problem details', async () => {
    const typeFor = async (accept: string) =>
      (await rail.ask('/v1/mdas?limit=0', { headers: { accept } })).headers.get('content-type');
    for (const accept of [
      'application/json',
      '*/*',
      'application/json, application/problem+json;q=0.5',
      'text/html, */*;q=0.1',
      'application/problem+json;q=0',
    ])
      expect(await typeFor(accept), accept).toBe('application/json; charset=utf-8');
    for (const accept of [
      'application/problem+json',
      'application/problem+json, application/json;q=0.9',
      'application/json;q=0.2, application/problem+json',
    ])
      expect(await typeFor(accept), accept).toBe('application/problem+json');
  });

  it('is read without the parameters of its media types, except their weights', async () => {
    const answer = async (accept: string) => {
      const { status, headers } = await rail.ask('/v1/services', { headers: { accept } });
      return [status, headers.get('content-type')?.split(';')[0]];
    };
    for (const accept of [
      'application/json; charset=utf-8',
      'application/json;indent=2;q=0.9, text/csv; q=0.1',
      'application/json; profile="https://example.com/a,b"',
      'text/csv; header=absent; q=0.2, application/*;version=1',
      'application/json ;charset=UTF-8 ; Q=1',
    ])
      expect(await answer(accept), accept).toEqual([200, 'application/json']);
    expect(await answer('text/csv; charset=utf-8, application/json; charset=utf-8; q=0.5')).toEqual([200, 'text/csv']);
    expect((await answer('image/png; charset=utf-8'))[0]).toBe(406);
    for (const accept of ['application/json; charset=UTF-8', 'application/graphql-response+json;charset=utf-8;foo=1'])
      expect(
        await rail.ask('/graphql', { headers: { accept }, body: { query: '{ __typename }' } }),
        accept,
      ).toMatchObject({ status: 200 });
  });

  it.each(['utf8', 'UTF8', 'utf-8', '"utf8"', 'UTF-8'])('a body in charset=%s is taken', async (charset) => {
    const { key } = await makeActor(rail);
    const headers = { 'content-type': `application/json;charset=${charset}`, authorization: `Bearer ${key}` };
    const answer = await fetch(`${rail.origin}/v1/assessments`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(422);
  });

  it.each([
    { operationName: '' },
    { id: '06fa' },
    { operationName: null, doc_id: 7, extra: { a: 1 } },
    { variables: null, extensions: null, client: 'x' },
    { operationName: '', variables: {}, batch: false },
  ])('a document with %o beside it is answered', async (others) => {
    const { json } = await rail.ask('/graphql', { body: { query: '{ __typename }', ...others } });
    expect(json).toMatchObject({ data: { __typename: 'Query' } });
    expect(json.errors).toBeUndefined();
  });

  it('text/csv and application/x-ndjson: every list as a file, and 406 where there is none', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await openShift(actor);
    const admin = await makeStaff(rail, 'admin');
    const endpoints = loadEndpoints(schema).endpoints.filter(
      ({ method, changes, path }) => method === 'GET' && !changes && !path.includes('{'),
    );
    let lists = 0;
    // Read while it is read, and what grows as it is read.
    const moving = ['/v1/me/logs', '/v1/ops/sessions', '/v1/ops/audit'];
    for (const { path, formats } of endpoints) {
      const who = path.startsWith('/v1/me') ? actor : admin;
      const json = await who.ask(path);
      if (json.status !== 200) continue;
      const csv = await who.ask(path, { headers: { accept: 'text/csv' } });
      if (formats.length === 0) {
        expect([csv.status, csv.code], path).toEqual([406, 'not_acceptable']);
        expect(Array.isArray(json.data), path).toBe(false);
        continue;
      }
      lists++;
      expect([csv.status, csv.headers.get('content-type')], path).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      const rows: Record<string, string>[] = parse(csv.text, { columns: true });
      expect(rows.length, path).toBeGreaterThanOrEqual(path === '/v1/me/logs' ? 1 : json.data.length);
      if (rows.length > 0)
        expect(Object.keys(rows[0]!), path).toEqual(expect.arrayContaining(Object.keys(json.data[0])));
      const lines = await who.ask(path, { headers: { accept: 'application/x-ndjson' } });
      expect([lines.status, lines.headers.get('content-type')], path).toEqual([200, 'application/x-ndjson']);
      const objects = lines.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
      if (!moving.includes(path)) expect(objects.slice(0, json.data.length), path).toEqual(json.data);
      expect(objects.length, path).toBeGreaterThanOrEqual(json.data.length);
    }
    expect(lists).toBeGreaterThan(20);
  });

  it('406 for what a list cannot be had as, which says what it can', async () => {
    for (const accept of [
      'text/html',
      'application/xml',
      'application/x-ndjson;q=0',
      'application/vnd.apache.parquet',
    ]) {
      const answer = await rail.ask('/v1/mdas', { headers: { accept } });
      expect([accept, answer.status, answer.code]).toEqual([accept, 406, 'not_acceptable']);
      expect(answer.json.error.message).toContain('application/json or text/csv or application/x-ndjson');
    }
    for (const accept of [
      'application/problem+json',
      'text/html, */*;q=0.1',
      'application/*',
      'text/html, application/json;q=0.1',
    ])
      expect((await rail.ask('/v1/mdas', { headers: { accept } })).status, accept).toBe(200);
    expect((await rail.ask('/v1/mdas/URA', { headers: { accept: 'application/x-ndjson' } })).status).toBe(406);
  });

  it('text/csv: all rows, or the page that `limit` asks for, with a link to the next', async () => {
    const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];
    const headers = { accept: 'text/csv' };
    const whole = await rail.ask('/v1/services', { headers });
    expect(rowsOf(whole.text).length).toBe((await rail.ask('/v1/services?limit=500')).data.length);
    const page = await rail.ask('/v1/services?limit=10&start=2', { headers });
    expect(rowsOf(page.text).map(({ name }) => name)).toEqual(
      rowsOf(whole.text)
        .slice(2, 12)
        .map(({ name }) => name),
    );
    expect(page.headers.get('link')).toContain('rel="next"');
    expect(
      (await rail.ask('/v1/services', { headers: { accept: 'text/csv;q=0.5, application/json' } })).headers.get(
        'content-type',
      ),
    ).toContain('json');
  });
});

describe('credentials', () => {
  it('401: two Authorization headers, whatever they say', async () => {
    const { plaintext } = await rail.key('citizens.read');
    const { hostname, port } = new URL(rail.origin);
    const twice = (second: string) =>
      new Promise<number>((done, failed) => {
        const headers = ['Host', hostname, 'Authorization', `Bearer ${plaintext}`, 'Authorization', second];
        request({ hostname, port, path: '/v1/citizens', headers }, (response) => done(response.resume().statusCode!))
          .on('error', failed)
          .end();
      });
    expect(await twice('Bearer x')).toBe(401);
    expect(await twice(`Bearer ${plaintext}`)).toBe(401);
    expect((await rail.ask('/v1/citizens', { key: plaintext })).status).toBe(200);
  });

  it('401 says that the cookie of staff counts for nothing at an account', async () => {
    const answer = await (await makeStaff(rail, 'clerk')).ask('/v1/me');
    expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(answer.json.error.message).toMatch(/cookie sid is for staff/);
  });

  it('401 says that a cookie was left aside, and why', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const headers of [{ origin: 'https://elsewhere.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await clerk.post('/v1/counter-shifts', { mda: 'URA' }, headers);
      expect([answer.status, answer.code]).toEqual([401, 'unauthenticated']);
      expect(answer.json.error.message).toMatch(/cookie was ignored.*another origin/);
    }
    expect((await rail.ask('/v1/counter-shifts', { body: { mda: 'URA' } })).json.error.message).toMatch(/API key/);
  });

  it('a bearer key meets the same rule on what is for staff, over REST and GraphQL', async () => {
    const { plaintext: key } = await rail.key('assessments.read', 'assessments.write');
    const cases: [string, string, object | undefined][] = [
      ['/v1/work/whoami', '{ whoami { authenticated } }', undefined],
      ['/v1/work/shifts', '{ shiftReviews { nodes { id } } }', undefined],
      ['/v1/work/shifts/X', '{ shiftReview(id: "X") { id } }', undefined],
      ['/v1/work/mdas', '{ counterAgencies { id } }', undefined],
      [
        '/v1/work/login',
        'mutation { staffLogIn(email: "a@b.example", password: "x") { authenticated } }',
        { email: 'a@b.example', password: 'x' },
      ],
      ['/v1/work/logout', 'mutation { staffLogOut { message } }', {}],
    ];
    for (const [path, query, body] of cases) {
      const rest = await rail.ask(path, { key, ...(body && { body }) });
      const graphql = await rail.ask('/graphql', { key, body: { query } });
      expect([path, rest.status, rest.code]).toEqual([path, 401, 'unauthenticated']);
      expect([path, graphql.json.errors?.[0].extensions.code]).toEqual([path, 'unauthenticated']);
    }
  });
});

describe('one voice', () => {
  it('says of a callback what is wrong as of all else', async () => {
    const answer = await rail.ask('/v1/webhooks/card', {
      body: { status: 'DONE', amount: 'x', currency: 'ugx', settled_at: 'today' },
    });
    expect(answer.json.error.details).toEqual([
      { path: 'event_id', message: 'is required' },
      { path: 'status', message: 'must be one of SUCCESSFUL, FAILED, PENDING, DISPUTED' },
      { path: 'amount', message: 'must be a number' },
      { path: 'currency', message: 'must be a currency code' },
      { path: 'settled_at', message: 'must be a date-time in RFC 3339 form, such as 2026-11-21T09:25:00Z' },
    ]);
  });
});

describe('a bare day where a moment is', () => {
  it('is its beginning, and as an end the whole of it', async () => {
    const actor = await makeActor(rail);
    await createConfirmed(rail, actor);
    await openShift(actor);
    const today = new Date().toISOString().slice(0, 10);
    const day = (offset: number) => new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10);
    for (const list of ['/v1/payment-events', '/v1/payment-intents', '/v1/counter-shifts', '/v1/assessments']) {
      const count = async (query: string) => (await actor.ask(`${list}?${query}`)).data.length;
      const all = await count('');
      expect(all, list).toBeGreaterThan(0);
      expect(await count(`from_date=${today}&to_date=${today}`), list).toBe(all);
      expect(await count(`to_date=${day(-1)}`), list).toBe(0);
      expect(await count(`from_date=${day(1)}`), list).toBe(0);
    }
    const query = 'query ($day: DateTime) { paymentEvents(from: $day, to: $day) { nodes { id } } }';
    const { data } = (await actor.ask('/graphql', { body: { query, variables: { day: today } } })).json;
    expect(data.paymentEvents.nodes.length).toBeGreaterThan(0);
  });
});
