import { createServer } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deprecate } from '../../rest/openapi/deprecations.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { parseChangelog } from '../../src/accounts/changelog/read.ts';
import { EVENT_TYPES } from '../../src/accounts/events/event-types.ts';
import { versionOfPackage } from '../../src/app/development/compatibility/documents.ts';
import { schema } from '../../src/app/schema.ts';
import { buildServer } from '../../src/app/server.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { testRail } from '../harness/rail.ts';

const CONTACT = 'mailto:security@rail.example';
const rail = testRail({ SECURITY_CONTACT: CONTACT });

describe('GET /.well-known/api-catalog', () => {
  it('links what describes each interface, all of which can be had in the type that it says', async () => {
    const { status, headers, json } = await rail.ask('/.well-known/api-catalog');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    ]);
    const [itself, ...interfaces] = json.linkset as Record<string, { href: string; type: string }[]>[];
    expect(itself).toEqual({
      anchor: `${rail.origin}/.well-known/api-catalog`,
      item: interfaces.map(({ anchor }) => ({ href: anchor })),
    });
    const links = interfaces.flatMap(({ anchor: _anchor, ...relations }) => Object.values(relations).flat());
    expect(links.length).toBeGreaterThan(8);
    for (const { href, type } of links) {
      const answer = await fetch(href, { headers: { accept: type } });
      expect([href, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
    }
  });

  it('answers HEAD with a link to itself, and may be cached', async () => {
    const { headers } = await rail.ask('/.well-known/api-catalog', { method: 'HEAD' });
    expect(headers.get('link')).toBe(`<${rail.origin}/.well-known/api-catalog>; rel="api-catalog"`);
    const known = { 'if-none-match': headers.get('etag')! };
    expect((await rail.ask('/.well-known/api-catalog', { headers: known })).status).toBe(304);
  });
});

describe('GET /v1/asyncapi.json', () => {
  it('describes each type of message with its schema, an example that fits it, and what proves its sender', async () => {
    const { headers, json } = await rail.ask('/v1/asyncapi.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('etag')).toMatch(/^"/);
    expect(json.asyncapi).toBe('3.0.0');
    const { messages, schemas } = json.components;
    expect(Object.keys(messages).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(Object.keys(json.channels.webhook.messages)).toEqual(Object.keys(messages));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(json, 'messages');
    for (const [type, { payload, headers: proof, examples }] of Object.entries<{
      payload: { $ref: string };
      headers: { $ref: string };
      examples: { payload: { type: string } }[];
    }>(messages)) {
      const validate = ajv.compile({ $ref: `messages${payload.$ref}` });
      expect(validate(examples[0]!.payload), `${type}: ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(validate({ ...examples[0]!.payload, type: 'another' })).toBe(false);
      expect(proof.$ref).toBe('#/components/schemas/SignatureHeaders');
    }
    expect(schemas.SignatureHeaders.required).toEqual([
      'X-Service-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });
});

describe('GET /v1/changelog', () => {
  it('answers every version, the newest first, with what changed', async () => {
    const { data } = await rail.ask('/v1/changelog');
    const [newest] = data;
    expect(newest.version).toBe(versionOfPackage());
    expect(newest.sections[0].entries.length).toBeGreaterThan(5);
    expect(data.at(-1)).toMatchObject({ version: '3.1.0' });
  });

  it('answers one version, or none that there is not', async () => {
    expect((await rail.ask('/v1/changelog?version=3.1.0')).data).toMatchObject([{ version: '3.1.0' }]);
    expect((await rail.ask('/v1/changelog?version=0.1.0')).data).toEqual([]);
    expect((await rail.ask(`/v1/changelog?version=${'9'.repeat(41)}`)).status).toBe(422);
  });

  it('reads entries whole: with what is below them, and what stands between lists', () => {
    const text = `# Changelog

Intro.

## 1.1.0

Released on 2027-01-02. Read this:

- first

### Added

- One thing:

  | was | is |
  |---|---|
  | a | b |

- Another

A paragraph.

## 1.0.0
`;
    expect(parseChangelog(text)).toEqual([
      {
        version: '1.1.0',
        releasedOn: '2027-01-02',
        about: 'Released on 2027-01-02. Read this:\n\n- first',
        sections: [
          {
            title: 'Added',
            entries: ['One thing:\n\n| was | is |\n|---|---|\n| a | b |', 'Another', 'A paragraph.'],
          },
        ],
      },
      { version: '1.0.0', releasedOn: null, about: '', sections: [] },
    ]);
  });
});

describe('GET /.well-known/security.txt', () => {
  const fieldsOf = (text: string) =>
    Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/)),
    );

  it('says whom to tell, until a day that is less than a year away', async () => {
    const { headers, text } = await rail.ask('/.well-known/security.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const { Expires: expires, ...fields } = fieldsOf(text);
    expect(fields).toEqual({
      Contact: CONTACT,
      'Preferred-Languages': 'en, fr, sw, lg',
      Canonical: `${rail.origin}/.well-known/security.txt`,
      Policy: `${rail.origin}/docs/security`,
    });
    const days = (Date.parse(expires) - rail.rail.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(120);
    expect(days).toBeLessThan(365);
    expect((await rail.ask('/docs/security')).text).toContain('Report a vulnerability');
  });

  it('moves on with the months', async () => {
    const before = fieldsOf((await rail.ask('/.well-known/security.txt')).text)['Expires']!;
    rail.advance(24 * 32);
    const after = fieldsOf((await rail.ask('/.well-known/security.txt')).text)['Expires']!;
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  });

  it('takes addresses alone', () => {
    expect(() => readConfig({ SECURITY_CONTACT: 'security@rail.example' })).toThrow(/^SECURITY_CONTACT: must be/);
    expect(readConfig({ SECURITY_CONTACT: 'https://rail.example/security' }).securityContact).toMatch(/^https/);
  });
});

describe('what is deprecated', () => {
  const TABLE = {
    'GET /v1/services': { since: '2027-01-01', sunset: '2027-07-01', successor: 'GET /v1/mdas' },
    'GET /v1/mdas/{name}': { since: '2027-01-01', sunset: '2027-07-01', successor: null },
  };
  const server = createServer((req, res) => announcing(req, res));
  let announcing: ReturnType<typeof buildServer>;
  let origin = '';
  beforeAll(async () => {
    announcing = buildServer(rail.rail, undefined, TABLE);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => server.close());

  const said = ({ headers }: { headers: Headers }) =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  const page = (id: string) => `<${rail.origin}/docs/api/${id}>; rel="deprecation"; type="text/html"`;

  it('is nothing now', async () => {
    expect(said(await rail.ask('/v1/mdas'))).toEqual([null, null, null]);
    expect((await rail.ask('/v1/openapi.json')).text).not.toContain('"deprecated"');
  });

  it('says so with every answer, as well as the link to the next page', async () => {
    const first = await fetch(`${origin}/v1/services?limit=1`);
    const [deprecation, sunset, link] = said(first);
    expect([first.status, deprecation, sunset]).toEqual([200, '@1798761600', 'Thu, 01 Jul 2027 00:00:00 GMT']);
    expect(link!.split(', ')).toEqual([
      expect.stringMatching(/^<.*after=.*>; rel="next"$/),
      page('listServices'),
      `<${rail.origin}/v1/mdas>; rel="successor-version"`,
    ]);
    const known = await fetch(`${origin}/v1/services`, { headers: { 'if-none-match': '*' } });
    expect([known.status, said(known)[0]]).toEqual([304, '@1798761600']);
    const csv = await fetch(`${origin}/v1/services`, { headers: { accept: 'text/csv' } });
    expect([csv.status, said(csv)[0]]).toEqual([200, '@1798761600']);
    const refused = await fetch(`${origin}/v1/mdas/NONE`);
    expect([refused.status, ...said(refused)]).toEqual([404, '@1798761600', sunset, page('getMda')]);
    expect(said(await fetch(`${origin}/v1/mdas`))).toEqual([null, null, null]);
  });

  it('is described as such', async () => {
    const { paths } = (await (await fetch(`${origin}/v1/openapi.json`)).json()) as {
      paths: Record<string, { get: { deprecated?: boolean; description: string; responses: Record<string, object> } }>;
    };
    const { deprecated, description, responses } = paths['/v1/services']!.get;
    expect(deprecated).toBe(true);
    expect(description).toMatch(/Deprecated since 2027-01-01, .* 2027-07-01\. Use `GET \/v1\/mdas` instead\.$/);
    expect(responses[200]).toMatchObject({ headers: { Deprecation: {}, Sunset: {} } });
    expect(paths['/v1/mdas']!.get).not.toHaveProperty('deprecated');
  });

  it('is what there is', () => {
    const { endpoints } = loadEndpoints(schema);
    const to = (successor: string | null) => ({ since: '2027-01-01', sunset: '2027-07-01', successor });
    expect(() => deprecate(endpoints, { 'GET /v1/nothing': to(null) })).toThrow('There is no endpoint GET /v1/nothing');
    expect(() => deprecate(endpoints, { 'GET /v1/mdas': to('GET /v1/none') })).toThrow('no endpoint GET /v1/none');
  });
});
