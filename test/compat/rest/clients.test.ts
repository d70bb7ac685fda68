import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRail } from '../../harness/rail.ts';
import { BY_HEY_API, BY_OPENAPI_TYPESCRIPT, WEBHOOKS_BY_HEY_API } from './programs.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
// Beside the packages that the programs use.
const folder = join(HERE, '.generated');
const rail = testRail();
const run = promisify(execFile);

/** A command of a package, by the Node.js that runs this. */
const tool = (file: string, ...args: string[]) => {
  const path = [join(HERE, '../node_modules', file), join(HERE, 'node_modules', file)].find((one) => existsSync(one))!;
  return run(process.execPath, [path, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: `--import=${join(HERE, 'typescript.ts')}` },
  });
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    outDir: 'out',
    rootDir: '.',
    skipLibCheck: true,
  },
  include: ['*.ts', 'client/**/*.ts'],
};

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(folder, 'openapi.json'), (await rail.ask('/v1/openapi.json')).text);
  writeFileSync(join(folder, 'by-openapi-typescript.ts'), BY_OPENAPI_TYPESCRIPT);
  writeFileSync(join(folder, 'by-hey-api.ts'), BY_HEY_API);
  writeFileSync(join(folder, 'webhooks-by-hey-api.ts'), WEBHOOKS_BY_HEY_API);
  await Promise.all([
    tool('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'schema.ts'),
    tool(
      '@hey-api/openapi-ts/bin/run.js',
      '--input',
      'openapi.json',
      '--output',
      'client',
      '--client',
      '@hey-api/client-fetch',
    ),
  ]);
  await tool('typescript/bin/tsc', '--project', '.').catch((error: { stdout: string }) => {
    throw new Error(`What was generated does not compile:\n${error.stdout}`);
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('clients that are generated from the description', () => {
  const expected = { status: 'Assessed', total: 900_000, code: 'validation_failed', path: 'limit' };

  async function printed(program: string): Promise<unknown> {
    const { plaintext } = await rail.keyGranted({ managesAccount: true }, 'citizens.read', 'assessments.write');
    const { stdout } = await run(process.execPath, [join(folder, 'out', program)], {
      env: { RAIL: rail.origin, KEY: plaintext },
    });
    return JSON.parse(stdout);
  }

  it('compile and work, by openapi-typescript', async () => {
    expect(await printed('by-openapi-typescript.js')).toEqual(expected);
  });

  it('compile and work, by hey-api, with one credential where one is needed and none elsewhere', async () => {
    expect(await printed('by-hey-api.js')).toEqual({ ...expected, credentials: ['authorization', ''] });
  });

  it('manage endpoints of webhooks with a key, and clear a field by null, by hey-api', async () => {
    expect(await printed('webhooks-by-hey-api.js')).toEqual({
      secret: 'whsec_',
      listed: ['Reports'],
      left: 0,
      set: 'https://hooks.example.org/rail',
      cleared: null,
    });
  });
});
