import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { testRail } from '../../harness/rail.ts';

const { resolve } = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'rail-linters-'));
const rail = testRail();

/** Spectral takes a type of events for a schema, since it has `type` and `example` too. */
const RULESET = {
  extends: ['spectral:oas'],
  overrides: [
    {
      files: ['openapi.json#/paths/~1v1~1events~1types/get/responses/200/content/application~1json/example/data'],
      rules: { 'oas3-valid-schema-example': 'off' },
    },
  ],
};

beforeAll(async () => {
  writeFileSync(join(folder, 'openapi.json'), (await rail.ask('/v1/openapi.json')).text);
  writeFileSync(join(folder, 'ruleset.json'), JSON.stringify(RULESET));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['@stoplight/spectral-cli/dist/index.js', '--ruleset=ruleset.json', '--fail-severity=error'],
  ['@redocly/cli/bin/cli.js', '--extends=recommended'],
])('is described in OpenAPI without an error, by %s %s', async (program, ...options) => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await promisify(execFile)(process.execPath, [resolve(program), 'lint', ...options, 'openapi.json'], {
    cwd: folder,
    env,
  });
});
