import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { namedOperations } from '../../../src/graphql/operations/named.ts';
import { printWholeSchema } from '../../../src/graphql/printed.ts';
import { RELAY_PROGRAM, TYPED_PROGRAM } from './programs.ts';

const { resolve } = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'rail-compilers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program by the Node.js that runs this; what it says, which is nothing where nothing is wrong. */
async function complaintsOf(program: string, ...options: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [program, ...options], { cwd: folder });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return `${stdout}${stderr}`;
}

describe('relay-compiler', () => {
  it('compiles fragments that page through lists both ways, and that read a record anew by its ID', async () => {
    writeFileSync(join(folder, 'schema.graphql'), printWholeSchema(schema));
    writeFileSync(join(folder, 'program.ts'), RELAY_PROGRAM);
    const config = { src: '.', schema: 'schema.graphql', language: 'typescript', eagerEsModules: true };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
    expect(await complaintsOf(resolve('relay-compiler/cli.js'), '--output', 'quiet-with-errors')).toBe('');
    expect(readdirSync(join(folder, '__generated__')).toSorted()).toEqual(
      [
        'programAssessmentQuery',
        'programAssessmentsQuery',
        'programCancelMutation',
        'programCitizenQuery',
        'programEventsQuery',
        'programQuery',
        'programRevenueQuery',
        'program_assessment',
        'program_assessments',
        'program_citizen',
        'program_events',
        'program_revenue',
      ].map((name) => `${name}.graphql.ts`),
    );
  });
});

/** The schema's scalars as JSON types. A scalar that is missing here is refused. */
const SCALARS = {
  Decimal: 'number',
  DateTime: 'string',
  Date: 'string',
  JSON: 'unknown',
  Byte: 'string',
  Metadata: 'Record<string, string>',
};

describe('graphql-codegen', () => {
  it('types every named operation, its variables and its answer', async () => {
    const types = await codegen({
      filename: 'operations.ts',
      schema: parse(printWholeSchema(schema)),
      documents: [...namedOperations].map(([location, text]) => ({ location, document: parse(text) })),
      config: { strictScalars: true, scalars: SCALARS },
      plugins: [{ operations: {} }],
      pluginMap: { operations },
    });
    const names = [...namedOperations.values()].map((text) => /^query (\w+)/m.exec(text)![1]!);
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      expect(types).toContain(`export type ${name}Query = {`);
      expect(types).toContain(`export type ${name}QueryVariables = `);
    }
    expect(types).not.toMatch(/: any\b|<any\b/);
    writeFileSync(join(folder, 'operations.ts'), types);
    writeFileSync(join(folder, 'dashboard.ts'), TYPED_PROGRAM);
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
    const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext'];
    expect(await complaintsOf(compiler, ...options, 'dashboard.ts')).toBe('');
  });
});
