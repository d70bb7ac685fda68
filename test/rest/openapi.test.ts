import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isScope } from '../../src/access/viewer.ts';
import { accessOf } from '../../src/graphql/builder.ts';
import { schema } from '../../src/graphql/schema.ts';
import { loadEndpoints } from '../../rest/load.ts';
import { confirmed, newActor } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

describe('GET /v1/openapi.json', () => {
  it('describes every endpoint, with its scope', async () => {
    const { json } = await rail.ask('/v1/openapi.json');
    expect(json.openapi).toBe('3.1.0');
    expect(json.info.version).toBe('1.1.0');
    for (const { method, path, field } of loadEndpoints(schema).endpoints) {
      const operation = json.paths[path][method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      const { need } = accessOf(field);
      expect(operation['x-scope']).toBe(need && isScope(need) ? need : undefined);
      expect(operation.security.length > 0).toBe(need !== undefined || accessOf(field).welcomes !== undefined);
    }
  });

  it('passes redocly lint with no error and no warning', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rail-openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, (await rail.ask('/v1/openapi.json')).text);
      const linter = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout } = await promisify(execFile)(process.execPath, [linter, 'lint', '--format=json', file], { env, cwd: folder });
      const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; location: { pointer: string }[] }[] };
      const consume = '#/paths/~1v1~1login~1consume/get/responses';
      // What answers with a redirect alone has no 2xx.
      expect(problems.map(({ ruleId, location }) => [ruleId, location[0]!.pointer])).toEqual([['operation-2xx-response', consume]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('describes what is really answered', async () => {
    const description = (await rail.ask('/v1/openapi.json')).json;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'rail');
    const actor = await newActor(rail);
    const { assessment, intent } = await confirmed(rail, actor);
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
    ] as const) {
      const pointer = `rail#/paths/${template.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
        .replaceAll('{', '%7B')
        .replaceAll('}', '%7D');
      const validate = ajv.compile({ $ref: pointer });
      const { json } = await actor.ask(path);
      expect(validate(json), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it('can be revalidated', async () => {
    const etag = (await rail.ask('/v1/openapi.json')).headers.get('etag')!;
    expect((await rail.ask('/v1/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('GET /v1/docs', () => {
  it('renders it from this host alone', async () => {
    const page = await rail.ask('/v1/docs');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      expect((await rail.ask(`/v1/${source}`)).status, source).toBe(200);
    }
  });
});
