import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { draft, makeActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

/** A request as fetch would not send it. */
function raw(
  path: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
  body?: string | Buffer,
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(rail.origin);
    const sending = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => done({ status: response.statusCode!, text, headers: response.headers }));
    });
    sending.on('error', failed);
    sending.end(body);
  });
}

describe('paths', () => {
  it('the colon of an action may arrive encoded', async () => {
    const actor = await makeActor(rail);
    for (const colon of [':', '%3A', '%3a']) {
      const name = await draft(rail, actor);
      expect((await actor.post(`/v1/assessments/${name}${colon}assess`)).data.status, colon).toBe('Assessed');
    }
  });

  it('404: an action without its colon, an unknown action, an unknown path', async () => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    for (const path of [
      `/v1/assessments/${name}/assess`,
      `/v1/assessments/${name}:approve`,
      `/v1/assessments/${name}:assess:assess`,
      '/v1/nothing',
      '/v1',
      '/V1/mdas',
      '/v1/mdas/',
      '/nothing',
    ]) {
      expect(await actor.post(path), path).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('405 with Allow: another method', async () => {
    const actor = await makeActor(rail);
    const name = await draft(rail, actor);
    const cases: [string, string, string][] = [
      ['DELETE', '/v1/citizens', 'GET, HEAD, POST'],
      ['PUT', `/v1/assessments/${name}`, 'GET, HEAD, PATCH'],
      ['GET', `/v1/assessments/${name}:assess`, 'POST'],
      ['GET', '/v1/citizens/register', 'POST'],
      ['POST', '/v1/mdas', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await actor.ask(path, { method });
      expect(answer, path).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted());
    }
  });

  it('405: a method that no path has is counted under one name, so that nobody fills the metrics', async () => {
    for (const path of ['/v1/mdas', '/v1/citizens'])
      expect((await rail.ask(path, { method: 'PROPFIND' })).status, path).toBe(405);
    const { text } = await rail.ask('/metrics');
    expect(new Set(text.match(/PROPFIND [^"]*/g))).toEqual(new Set(['PROPFIND (none)']));
  });

  it('204: OPTIONS says what is allowed; 200: HEAD answers without a body', async () => {
    const options = await rail.ask('/v1/mdas', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
    const head = await rail.ask('/v1/mdas', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  });

  it('400: bad percent-encoding in the path or the query', async () => {
    for (const path of [
      '/v1/mdas/%',
      '/v1/mdas/%zz',
      '/v1/mdas/%ED%A0%80',
      '/v1/mdas?country=%',
      '/v1/services?q=%c3%28',
    ]) {
      const answer = await raw(path);
      expect(answer.status, path).toBe(400);
      expect(JSON.parse(answer.text).error.code).toBe('malformed_request');
      await rail.rail.audit.flush();
      expect(
        await rail.count(
          sql`select 1 from audit_log where request_id = ${String(answer.headers['x-request-id'])} and http_status = 400`,
        ),
        path,
      ).toBe(1);
    }
  });

  it('never answers a 5xx to odd paths', async () => {
    const { key } = await makeActor(rail);
    for (const name of [
      '%00',
      '%2F',
      '%5C',
      '..',
      '%F0%9F%92%A9',
      "'",
      '%22',
      '*',
      'a'.repeat(2_000),
      'ASMT-2026-11-000001%0a',
      '__proto__',
      'constructor',
    ]) {
      for (const path of ['assessments', 'citizens', 'payment-intents', 'mdas', 'services']) {
        const { status } = await raw(`/v1/${path}/${name}`, 'GET', { authorization: `Bearer ${key}` });
        expect([404, 422], `${path}/${name}`).toContain(status);
      }
    }
  });
});

describe('bodies', () => {
  const send = async (
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ) => {
    const { key } = await makeActor(rail);
    const { status, text } = await raw('/v1/assessments', 'POST', { authorization: `Bearer ${key}`, ...headers }, body);
    return { status, code: JSON.parse(text).error.code };
  };

  it('400: not JSON, or not UTF-8', async () => {
    for (const body of ['{', 'x', '{"a":}', Buffer.from([0x22, 0xff, 0x22])])
      expect(await send(body)).toEqual({ status: 400, code: 'malformed_request' });
  });

  it('413: over 256 KiB', async () => {
    expect(await send(JSON.stringify({ citizen: 'x'.repeat(256 * 1024) }))).toEqual({
      status: 413,
      code: 'payload_too_large',
    });
  });

  it('415: another type, or another charset', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      '',
    ]) {
      expect(await send('{}', type ? { 'content-type': type } : {}), type).toEqual({
        status: 415,
        code: 'unsupported_media_type',
      });
    }
    expect((await send('{}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(422);
    expect(await send('{}', { 'content-type': 'application/json', 'content-encoding': 'compress' })).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  it('422: JSON that is no object; no body at all counts as an empty one', async () => {
    for (const body of ['[]', '5', '"x"', 'null']) expect((await send(body)).status, body).toBe(422);
    expect(await send('', {})).toEqual({ status: 422, code: 'validation_failed' });
  });

  it('422: nested as deep as a body can be', async () => {
    expect((await send(`{"citizen":"x","lines":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).status).toBe(422);
  });
});

describe('errors', () => {
  it('are exactly { error: { code, message } }, with details only where there are any', async () => {
    const missing = await rail.ask('/v1/mdas/NOPE');
    expect(missing.json).toEqual({ error: { code: 'not_found', message: 'The agency does not exist' } });
    const wrong = await rail.ask('/v1/mdas?limit=0&mode=X');
    expect(Object.keys(wrong.json.error)).toEqual(['code', 'message', 'details']);
  });

  it('come as problem details to who prefers them', async () => {
    const answer = await rail.ask('/v1/mdas?limit=0', {
      headers: { accept: 'application/problem+json, application/json', 'x-request-id': 'p1' },
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json).toEqual({
      type: 'urn:revenue-rail:error:validation_failed',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'limit: must be between 1 and 500',
      instance: 'p1',
      code: 'validation_failed',
      details: [{ path: 'limit', message: 'must be between 1 and 500' }],
    });
  });
});
