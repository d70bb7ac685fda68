import { execFile } from 'node:child_process';
import { globSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeOperations } from '../../../clients/typescript/generate.ts';
import { versionOfPackage } from '../../../src/app/development/compatibility/documents.ts';
import { testRail } from '../../harness/rail.ts';
import { CLIENT, describePrograms, programs, testInstalled } from './programs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const folder = testInstalled();
const installed = join(folder, 'node_modules/@revenue-rail/client');
const rail = testRail();
const run = promisify(execFile);

/** This Node.js and the others of this machine, such as one that is as old as the client allows. */
const found = process.env['PATH']!.split(delimiter).flatMap((path) => globSync(join(path, 'node')));

/** The options of the tests' own compiler, for users of the client. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
};

describe('the package', () => {
  it('has types of the operations as they are now', () => {
    // To write them: npm run client:types
    expect(describeOperations()).toBe(readFileSync(join(CLIENT, 'src/operations.ts'), 'utf8'));
  });

  it('has the version of the rail, no dependencies, and less than 30 KB of code', () => {
    const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(about).toMatchObject({ version: versionOfPackage(), type: 'module' });
    expect(about).not.toHaveProperty('dependencies');
    const code = globSync(join(installed, '**/*.js')).map((file) => readFileSync(file, 'utf8'));
    expect(code.length).toBeGreaterThan(5);
    expect(code.join('').length).toBeLessThan(30_000);
    // Deno, Bun and browsers lack what only Node.js has.
    expect(code.join('')).not.toMatch(/from ['"][^.]|\b(?:process|Buffer|require)\b/);
  });

  it('has its license, says that it is an ES module, and leads to nothing that it lacks', () => {
    const read = (file: string) => readFileSync(join(installed, file), 'utf8');
    expect(read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toBe('>=20.19');
    expect(read('README.md')).toMatch(/ES module.* Node\.js 20\.19 or later/);
    // Links to other pages of the repository lead nowhere from here.
    expect([...read('README.md').matchAll(/\]\((?!https:)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
  });
});

describe('a program on its page', () => {
  it('is one of six, and compiles as it stands', { tags: 'long' }, async () => {
    expect(programs.map(({ tested }) => tested)).toEqual([
      'client-first-payment',
      'client-refusals',
      'client-lists',
      'client-webhooks',
      'client-events',
      'client-figures',
    ]);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    const compiled = run(process.execPath, [join(ROOT, 'node_modules/typescript-cli/bin/tsc'), '--project', folder]);
    await expect(compiled.catch(({ stdout }: { stdout: string }) => stdout)).resolves.toMatchObject({ stdout: '' });
  });
});

describePrograms(
  rail,
  folder,
  [...new Set([process.execPath, ...found].map((node) => realpathSync(node)))].map((node) => [node]),
);
