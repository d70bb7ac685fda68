import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isScope } from '../../src/platform/access/needs.ts';
import { baseline, hashOf, versionOfPackage } from '../../src/app/development/compatibility/documents.ts';
import { listOf } from '../../src/graphql/prepared.ts';
import { accessOf } from '../../src/graphql/plugins/access.ts';
import { schema } from '../../src/app/schema.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { createConfirmed, makeActor } from '../harness/flow.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

interface Example {
  readonly examples: readonly { readonly sequence: number; readonly data: { readonly object: object } }[];
}

describe('GET /v1/openapi.json', () => {
  it('describes every endpoint, with its scope, whom it is for and how many people it takes', async () => {
    const { json } = await rail.ask('/v1/openapi.json');
    expect(json.openapi).toBe('3.1.0');
    for (const { method, path, field, audience } of loadEndpoints(schema).endpoints) {
      const operation = json.paths[path][method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      expect(operation.tags.map((tag: string) => tag.toLowerCase())).toEqual([
        audience === 'identity' ? 'counter' : audience,
      ]);
      const { need, people = 'alone' } = accessOf(field);
      expect(operation['x-people'] ?? 'alone').toBe(people);
      expect(operation['x-scope']).toBe(need && isScope(need) ? need : undefined);
      expect(operation.security.length > 0).toBe(need !== undefined || accessOf(field).welcomes !== undefined);
    }
  });

  it('has a number of its own, which is another wherever it says something else', async () => {
    const { info, ...said } = (await rail.ask('/v1/openapi.json')).json;
    const { version, description } = baseline();
    expect(info.version).not.toBe(versionOfPackage());
    expect(info.version === version).toBe(hashOf(said) === description);
  });

  it('says of each operation what it does and nothing that is said of another', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    const { endpoints } = loadEndpoints(schema);
    // One verb may be published twice, such as for staff and for keys: it is then described in the same words.
    const verbs = new Map<string, Set<unknown>>();
    for (const { path, method, prepared } of endpoints) {
      const { summary, description } = paths[path][method.toLowerCase()];
      const [verb] = listOf(prepared.fields) ?? prepared.answer;
      for (const text of [summary, description]) verbs.set(text, (verbs.get(text) ?? new Set()).add(verb));
    }
    const twice = [...verbs].filter(([, of]) => of.size > 1).map(([text]) => text);
    expect(twice).toEqual([]);
  });

  it('says of each list what it lists, in which order, and who may ask', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    const lists = loadEndpoints(schema).endpoints.filter(({ formats }) => formats.includes('text/csv'));
    expect(lists.length).toBeGreaterThan(40);
    const lacking = (said: RegExp) =>
      lists
        .map(({ path, method }) => `${path}: ${paths[path][method.toLowerCase()].description}`)
        .filter((line) => !said.test(line));
    expect(lacking(/\bfirst\b|, by |in (a fixed |the )?order\b/)).toEqual([]);
    expect(lacking(/Scope `|\bFor |No authentication required|Requires a session/)).toEqual([]);
  });

  it('names parameters as they are sent', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    const operations = Object.values<Record<string, Record<string, unknown>>>(paths).flatMap((path) =>
      Object.values(path),
    );
    const said = JSON.stringify(operations.map(({ parameters, requestBody }) => [parameters, requestBody]));
    expect(said.match(/`[a-z]+[A-Z]\w*|`(offset|first)`/g)).toBeNull();
  });

  it('describes forms by their fields', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    const type = 'application/x-www-form-urlencoded';
    const forms = loadEndpoints(schema).endpoints.flatMap(
      ({ path, method }) => paths[path][method.toLowerCase()].requestBody?.content[type] ?? [],
    );
    expect(forms.length).toBeGreaterThan(2);
    for (const form of forms) expect(form.schema.type).toBe('object');
    const { content } = paths['/v1/sms/{gateway}/reports'].post.requestBody;
    expect(content[type].example).toEqual({ id: 'unknown', status: 'Success' });
  });

  it('names every form that a list can be had in', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    for (const { path, method, formats, handler } of loadEndpoints(schema).endpoints) {
      const { content } = paths[path][method.toLowerCase()].responses[200] ?? {};
      if (content)
        expect(Object.keys(content), path).toEqual([
          ...(handler.answers === 'file' ? [] : ['application/json']),
          ...formats,
        ]);
    }
  });

  it('passes redocly lint with no error and no warning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rail-openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, (await rail.ask('/v1/openapi.json')).text);
      const linter = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout } = await promisify(execFile)(process.execPath, [linter, 'lint', '--format=json', file], {
        env,
        cwd: folder,
      });
      const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; location: { pointer: string }[] }[] };
      const consume = '#/paths/~1v1~1login~1consume/get/responses';
      const reference = ['openapi.json', 'asyncapi.json', 'docs'].map((name) => `#/paths/~1v1~1${name}/get/responses`);
      // An endpoint that only redirects has no 2xx, and one with the same answer for everybody refuses nobody.
      expect(problems.map(({ ruleId, location }) => [ruleId, location[0]!.pointer])).toEqual([
        ['operation-2xx-response', consume],
        ...reference.map((pointer) => ['operation-4xx-response', pointer]),
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('describes what is really answered', async () => {
    const description = (await rail.ask('/v1/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'rail');
    const actor = await makeActor(rail);
    const { assessment, intent } = await createConfirmed(rail, actor);
    for (const [template, path] of [
      ['/v1/mdas', '/v1/mdas'],
      ['/v1/services', '/v1/services'],
      ['/v1/citizens', '/v1/citizens'],
      ['/v1/citizens/search', '/v1/citizens/search?nin=CM12345678NOPX'],
      ['/v1/assessments', '/v1/assessments'],
      ['/v1/assessments/{name}', `/v1/assessments/${assessment}`],
      ['/v1/payment-intents/{name}', `/v1/payment-intents/${intent}`],
      ['/v1/payment-intents/{name}/trace', `/v1/payment-intents/${intent}/trace`],
      ['/v1/payment-intents/{name}/live-status', `/v1/payment-intents/${intent}/live-status`],
      ['/v1/payment-events', '/v1/payment-events'],
      ['/v1/payment-intents', '/v1/payment-intents'],
    ] as const) {
      const pointer = `rail#/paths/${template.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
        .replaceAll('{', '%7B')
        .replaceAll('}', '%7D');
      const validate = ajv.compile({ $ref: pointer });
      const { json } = await actor.ask(path);
      expect(validate(json), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it('shows examples that fit, also those of schemas within them', async () => {
    const description = (await rail.ask('/v1/openapi.json')).json;
    const { data } = await rail.ask('/v1/events/types');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'rail');
    const wrong: string[] = [];
    let seen = 0;
    const look = (value: unknown, pointer: string) => {
      if (typeof value !== 'object' || value === null) return;
      if ('schema' in value && 'example' in value) {
        seen += 1;
        if (!ajv.validate({ $ref: encodeURI(`rail#${pointer}/schema`) }, value.example))
          wrong.push(`${pointer}: ${ajv.errorsText()}`);
      }
      for (const [name, member] of Object.entries(value))
        look(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    };
    look(description.paths, '/paths');
    expect(wrong).toEqual([]);
    const types: { data: { schema: object }[] } =
      description.paths['/v1/events/types'].get.responses[200].content['application/json'].example;
    expect(types.data.map((one) => one.schema)).toEqual(
      data.slice(0, types.data.length).map((one: { schema: object }) => one.schema),
    );
    expect(seen).toBeGreaterThan(200);
  });

  it('names bodies, and shows messages as generators of clients take them', async () => {
    const description = (await rail.ask('/v1/openapi.json')).json;
    const { paths, components } = description;
    const { post } = paths['/v1/assessments'];
    const schemaOf = (body: { content: Record<string, { schema: object }> }) =>
      body.content['application/json']!.schema;
    expect(schemaOf(post.requestBody)).toMatchObject({ title: 'CreateAssessmentRequest' });
    expect(schemaOf(post.responses[200])).toMatchObject({ title: 'CreateAssessmentResponse' });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'rail');
    const messages = Object.entries<Example>(components.schemas).filter(([name]) => /[a-z]Event$/.test(name));
    expect(messages.length).toBe(Object.keys(description.webhooks).length);
    for (const [name, { examples, ...message }] of messages) {
      expect(JSON.stringify(message), name).not.toMatch(
        /"(anyOf|propertyNames|\$schema)"|"additionalProperties":false|9007199254740991/,
      );
      const [example] = examples;
      const { sequence: _one, ...without } = example!;
      const wrong = [without, { ...example, type: 'another' }, { ...example, data: { object: 1 } }];
      const validate = ajv.compile({ $ref: `rail#/components/schemas/${name}` });
      expect(
        [example!, { ...example, more: 1 }, ...wrong].map((one) => validate(one)),
        name,
      ).toEqual([true, true, false, false, false]);
    }
  });

  it('shows bounds, forms and defaults as schema', async () => {
    const { paths, components } = (await rail.ask('/v1/openapi.json')).json;
    const query = (path: string, name: string) =>
      paths[path].get.parameters.find((one: { name: string }) => one.name === name).schema;
    expect(query('/v1/citizens', 'limit')).toEqual({
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 200,
      default: 50,
    });
    expect(query('/v1/citizens', 'start')).toMatchObject({ minimum: 0, default: 0 });
    expect(query('/v1/assessments/{name}', 'name')).toMatchObject({
      pattern: expect.stringMatching(/^\^ASMT-/),
      examples: ['ASMT-2026-11-000001'],
    });
    const body = (path: string) => paths[path].post.requestBody.content['application/json'].schema.properties;
    expect(body('/v1/me/keys/{name}:rotate').grace_hours).toMatchObject({ minimum: 1, maximum: 168, default: 24 });
    expect(body('/v1/assessments').lines).toMatchObject({
      minItems: 1,
      maxItems: 100,
      items: { $ref: '#/components/schemas/AssessmentLineInput' },
    });
    expect(components.schemas.AssessmentLineInput.properties.quantity).toMatchObject({
      minimum: 1,
      maximum: 10_000,
      default: 1,
    });
    expect(components.schemas.Citizen.properties.name.pattern).toMatch(/^\^CITIZEN-/);
    const groups = paths['/v1/oversight/revenue'].get.parameters.find(
      ({ name }: { name: string }) => name === 'group_by',
    );
    expect(groups).toMatchObject({ style: 'form', explode: false });
  });

  it('allows null in bodies that change something where the rail takes it, and there alone', async () => {
    const description = (await rail.ask('/v1/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'rail');
    const { cookie } = await makeStaff(rail, 'admin');
    const { plaintext } = await rail.keyGranted({ managesAccount: true }, 'assessments.write');
    const members = loadEndpoints(schema)
      .endpoints.filter(({ method, strict, handler }) => strict || (method === 'PUT' && !handler.body.raw))
      .flatMap(({ method, path, parameters }) =>
        parameters.filter(({ source }) => source === 'body').map(({ name }) => ({ method, path, name })),
      );
    const verdicts = await Promise.all(
      members.map(async ({ method, path, name }) => {
        const operation = `${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
        const member = `requestBody/content/application~1json/schema/properties/${name}`;
        const described = ajv.validate({ $ref: encodeURI(`rail#/paths/${operation}/${member}`) }, null);
        const credential = path.startsWith('/v1/ops/') ? { headers: { cookie } } : { key: plaintext };
        const asked = { method, body: { [name]: null }, ...credential };
        const { json } = await rail.ask(path.replace(/\{\w+\}/, 'NOTHING'), asked);
        const details: { path: string; message: string }[] = json.error?.details ?? [];
        const taken = !details.some((detail) => detail.path === name && detail.message === 'must not be null');
        return { member: `${method} ${path} ${name}`, described, taken };
      }),
    );
    expect(verdicts.filter(({ described }) => described).length).toBeGreaterThan(50);
    const wrong = verdicts.filter(({ described, taken }) => described !== taken).map(({ member }) => member);
    // An account keeps a name, which is said of the member.
    expect(wrong).toEqual(['PATCH /v1/me display_name', 'POST /v1/me display_name']);
  });

  it('names keys nowhere that takes none', async () => {
    const { paths } = (await rail.ask('/v1/openapi.json')).json;
    const naming = Object.entries<Record<string, { description?: string; security?: object[] }>>(paths)
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, one]) => ({ ...one, path: `${method} ${path}` })),
      )
      .filter(({ description = '' }) => /\bfor keys\b/.test(description));
    expect(naming.length).toBeGreaterThan(3);
    const taking = naming.filter(({ security = [] }) => security.some((one) => 'bearerKey' in one));
    expect(naming.map(({ path }) => path)).toEqual(taking.map(({ path }) => path));
  });

  it('names one type of error, the header fields of answers, where the rail is, and what it sends', async () => {
    const { paths, components, servers, webhooks, 'x-reasons': reasons } = (await rail.ask('/v1/openapi.json')).json;
    expect(servers).toEqual([{ url: rail.origin, description: 'This rail' }]);
    for (const response of Object.values<{ content: object }>(components.responses)) {
      expect(response.content).toMatchObject({
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      });
    }
    // Newer rails may have more reasons, which a validator of this description is to take.
    const { code } = components.schemas.ErrorDetail.properties;
    expect(code).toEqual({
      type: 'string',
      description: expect.stringMatching(/^[^]{1,200}$/),
      examples: expect.any(Array),
    });
    expect(Object.keys(reasons)).toEqual(expect.arrayContaining([...code.examples, 'collection_pending']));
    expect(components.responses.RateLimited.headers).toHaveProperty(['Retry-After']);
    const citizens = paths['/v1/citizens'];
    expect(Object.keys(citizens.get.responses[200].headers)).toEqual([
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Link',
    ]);
    expect(Object.keys(citizens.post.responses[200].headers)).toContain('Idempotent-Replayed');
    expect(Object.keys(webhooks)).toContain('assessment.paid');
    const message = webhooks['payment_intent.confirmed'].post.requestBody.content['application/json'].schema;
    expect(message).toEqual({ $ref: '#/components/schemas/PaymentIntentConfirmedEvent' });
  });

  it('asks for one credential, though two header fields are understood', async () => {
    const { paths, components } = (await rail.ask('/v1/openapi.json')).json;
    expect(Object.keys(components.securitySchemes)).toEqual([
      'bearerKey',
      'sessionCookie',
      'staffCookie',
      'agencyToken',
    ]);
    expect(paths['/v1/citizens'].post.security).toEqual([{ bearerKey: [] }, { staffCookie: [] }]);
    expect(paths['/v1/assessments'].get.security).toEqual([
      { bearerKey: [] },
      { staffCookie: [] },
      { agencyToken: [] },
    ]);
    expect(components.securitySchemes.bearerKey.description).toContain('X-Service-Authorization');
    const { plaintext } = await rail.key('citizens.read');
    expect(
      (await rail.ask('/v1/citizens', { headers: { 'X-Service-Authorization': `Bearer ${plaintext}` } })).status,
    ).toBe(200);
  });

  it('shows of every resource its docname, when it was made and when it was last changed', async () => {
    const { components } = (await rail.ask('/v1/openapi.json')).json;
    const resources =
      'Anomaly ApiKey Assessment Citizen Delivery Intent Mda Notice Profile Propagation ReconciliationRun Service Shift'.split(
        ' ',
      );
    for (const name of resources)
      expect(components.schemas[name].required, name).toEqual(
        expect.arrayContaining(['name', 'created_at', 'updated_at']),
      );
  });

  it('can be revalidated', async () => {
    const etag = (await rail.ask('/v1/openapi.json')).headers.get('etag')!;
    expect((await rail.ask('/v1/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('GET /v1/docs', () => {
  it('leads to the pages of the reference', async () => {
    const { status, headers } = await rail.ask('/v1/docs');
    expect([status, headers.get('location')]).toEqual([308, '/docs/api']);
  });

  it('is of the type that it says, as is all else', async () => {
    const paths = ['/v1/docs', '/v1/openapi.json', '/healthz', '/readyz', '/metrics', '/v1/mdas', '/graphql'];
    for (const path of paths)
      expect((await rail.ask(path)).headers.get('x-content-type-options'), path).toBe('nosniff');
  });
});
