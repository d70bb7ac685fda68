import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';

const rail = testRail();

/** Nothing that a caller sends is a fault of the rail. */
afterAll(() => {
  expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  expect(rail.logged.filter((line) => line.includes('"request_id":"none"'))).toEqual([]);
});

describe('a body that cannot be read', () => {
  const READERS = [
    { path: '/v1/assessments', type: 'application/json', kind: 'json' },
    { path: '/graphql', type: 'application/json', kind: 'json' },
    { path: '/signin', type: 'application/x-www-form-urlencoded', kind: 'html' },
    { path: '/dashboard/sign-out', type: 'application/x-www-form-urlencoded', kind: 'html' },
  ];

  it('is refused alike by the API, GraphQL and pages, each in its own form', async () => {
    const { key } = await makeActor(rail);
    const cases: [string, Readonly<Record<string, string>>, string | Blob, number][] = [
      ['an encoding that there is not', { 'content-encoding': 'foo' }, '{}', 415],
      ['gzip that is none', { 'content-encoding': 'gzip' }, '{}', 400],
      ['br that is none', { 'content-encoding': 'br' }, '{"a":1}', 400],
      ['zstd that is none', { 'content-encoding': 'zstd' }, '{"a":1}', 400],
      [
        'gzip that ends early',
        { 'content-encoding': 'gzip' },
        new Blob([gzipSync('{"query":"{ agencies { nodes { id } } }"}').subarray(0, 20)]),
        400,
      ],
      ['too much', {}, 'x'.repeat(300 * 1024), 413],
      [
        'too much, once it is unpacked',
        { 'content-encoding': 'gzip' },
        new Blob([gzipSync('x'.repeat(9_000_000))]),
        413,
      ],
    ];
    for (const { path, type, kind } of READERS) {
      for (const [what, headers, body, status] of cases) {
        const answer = await rail.ask(path, {
          key,
          method: 'POST',
          headers: { 'content-type': type, ...headers },
          body,
        });
        // A zstd that this Node does not know is one that there is not.
        const allowed = what.startsWith('zstd') ? [400, 415] : [status];
        expect(allowed, `${path}: ${what}: ${answer.status}`).toContain(answer.status);
        expect(answer.headers.get('content-type'), `${path}: ${what}`).toContain(kind);
        expect(answer.headers.get('x-request-id')).not.toBeNull();
      }
    }
  });

  it('is refused on a page where its form has too many fields, or a charset that there is not', async () => {
    const form = (body: string, type = 'application/x-www-form-urlencoded') =>
      rail.ask('/signin', { method: 'POST', body, headers: { 'content-type': type } });
    const many = await form(Array.from({ length: 2_500 }, (_, index) => `f${index}=1`).join('&'));
    expect([many.status, many.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect((await form('email=a', 'application/x-www-form-urlencoded; charset=koi8-r')).status).toBe(415);
    expect((await form('email=%zz%')).status).toBe(422);
  });

  it('is no fault of the rail where the sender hangs up in the middle of it', async () => {
    const { key } = await makeActor(rail);
    const { hostname, port } = new URL(rail.origin);
    for (const path of ['/v1/assessments', '/graphql', '/signin']) {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const socket = connect(Number(port), hostname);
      const onRequest = (message: unknown) => {
        const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
        if (request.url !== path) return;
        response.once('close', () => resolve());
        socket.destroy();
      };
      subscribe('http.server.request.start', onRequest);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a"`,
      );
      await over;
      unsubscribe('http.server.request.start', onRequest);
    }
    // A request that comes after them is answered after what is made of them.
    expect((await rail.ask('/v1/assessments', { key })).status).toBe(200);
    await rail.rail.audit.flush();
    expect(rail.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('a day or moment out of range', () => {
  const DAYS = ['0001-01-01', '1969-12-31', '9998-12-32', '9999-01-01', '9999-12-31'];
  const TAKING_MOMENTS: readonly string[] = ['payment-events', 'payment-intents', 'counter-shifts'];
  const MOMENTS = [
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ];

  it('is 422 wherever a day or a moment is read', async () => {
    const { plaintext: key } = await rail.key('oversight.read', 'assessments.read', 'payments.initiate');
    const lists = [
      'statistics',
      'collections',
      'shifts',
      'revenue',
      'revenue-comparison',
      'consents',
      'anomalies',
      'payment-events',
    ].map((name) => `oversight/${name}`);
    for (const list of [...lists, 'assessments', 'payment-events', 'payment-intents', 'counter-shifts']) {
      expect((await rail.ask(`/v1/${list}?from_date=1970-01-01&to_date=9998-12-31`, { key })).status, list).toBe(200);
      for (const name of ['from_date', 'to_date']) {
        const values = [...DAYS, ...(TAKING_MOMENTS.includes(list) ? MOMENTS : [])];
        for (const value of values) {
          const answer = await rail.ask(`/v1/${list}?${name}=${encodeURIComponent(value)}`, { key });
          expect([answer.status, answer.code], `${list} ${name} ${value}`).toEqual([422, 'validation_failed']);
        }
      }
    }
    const query = 'query ($day: Date) { oversight { statistics(toDate: $day) { openAnomalies { anomalies } } } }';
    const graphql = await rail.ask('/graphql', { key, body: { query, variables: { day: '0001-01-01' } } });
    expect(graphql.json.errors[0]).toMatchObject({
      message: 'day: must lie between 1970-01-01 and 9998-12-31',
      extensions: { code: 'validation_failed' },
    });
  });

  it('is 422 in a callback, and by its line in a statement', async () => {
    const event = { event_id: 'far', intent: 'PI-2026-11-000001', status: 'SUCCESSFUL', amount: 1, currency: 'UGX' };
    for (const settled_at of ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z']) {
      const answer = await rail.ask('/v1/webhooks/card', { body: { ...event, settled_at } });
      expect(answer.json.error.details, settled_at).toEqual([
        { path: 'settled_at', message: 'must lie between 1970-01-01 and 9998-12-31' },
      ]);
    }
    const admin = await makeStaff(rail, 'admin');
    const beyond = 'a moment that does not lie between 1970-01-01 and 9998-12-31';
    const noDate = 'a date that is not written as yyyy-MM-dd HH:mm:ss: set date_format in statements';
    for (const [moment, mistake] of [
      ['+275760-09-13T00:00:00Z', noDate],
      ['-000001-01-01T00:00:00Z', noDate],
      ['9999-12-31T00:00:00Z', beyond],
      ['0001-01-01T00:00:00Z', beyond],
    ]) {
      const body = `tx_ref,amount,currency,status,flw_ref,created_at\nPI-1,1000,UGX,successful,T1,${moment}\n`;
      const answer = await admin.ask('/v1/ops/reconciliation/statements?provider=card', {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/csv' },
      });
      expect([answer.status, answer.json.error.details], moment).toEqual([
        422,
        [{ path: 'body', message: `line 2 has ${mistake}` }],
      ]);
    }
  });
});

describe('a cursor that nobody was given', () => {
  it('is 422, however far it is', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    for (const after of ['99999999999999999999', '1e9', '-1', 'x', '0x10', '9007199254740993', '1.5']) {
      const answer = await rail.ask(`/v1/oversight/revenue?after=${after}`, { key });
      expect([answer.status, answer.json.error?.details?.[0]?.path], after).toEqual([422, 'after']);
      const query = 'query ($after: String) { oversight { figures(after: $after) { nodes { revenue { net } } } } }';
      const graphql = await rail.ask('/graphql', { key, body: { query, variables: { after } } });
      expect(graphql.json.errors[0].extensions.code, after).toBe('validation_failed');
    }
  });
});

describe('what clients of Apollo send first', () => {
  it('a hash in a form that the rail does not know is told so, so that the text follows', async () => {
    const extensions = {
      persistedQuery: {
        version: 2,
        sha256Hash: createHash('sha256').update('{ agencies { nodes { id } } }').digest('hex'),
      },
    };
    const unsupported = {
      errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
    };
    const posted = await rail.ask('/graphql', { body: { operationName: null, variables: {}, extensions } });
    expect([posted.status, posted.json]).toEqual([200, unsupported]);
    const got = await rail.ask(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`, {
      headers: { accept: 'application/json' },
    });
    expect([got.status, got.json]).toEqual([200, unsupported]);
  });

  it('a subscription as multipart is told how it can be had', async () => {
    const { plaintext: key } = await rail.key('oversight.read');
    const answer = await rail.ask('/graphql', {
      key,
      body: { query: 'subscription { oversight { cursor } }' },
      headers: { accept: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json' },
    });
    expect(answer.status).toBe(406);
    expect(answer.json.errors[0].extensions.code).toBe('not_acceptable');
    expect(answer.json.errors[0].message).toContain('text/event-stream');
  });
});
