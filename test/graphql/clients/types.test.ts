import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { namedOperations } from '../../../src/graphql/operations/named.ts';
import { printWholeSchema } from '../../../src/graphql/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How the scalars of the schema are written in JSON. One that is missing here is refused. */
const SCALARS = { Decimal: 'number', DateTime: 'string', Date: 'string', JSON: 'unknown', Byte: 'string' };

/** What a dashboard does with the types of an operation. */
const PROGRAM = `
import type { RevenueByAgencyQuery, RevenueByAgencyQueryVariables } from './operations.ts';

export const variables: RevenueByAgencyQueryVariables = { fromDate: '2026-01-01', currency: 'UGX' };
export function sum({ oversight: { revenue } }: RevenueByAgencyQuery): number {
  return (revenue?.nodes ?? []).reduce((total, { net }) => total + net, 0);
}
// @ts-expect-error a name that no row has
export const wrong = ({ oversight }: RevenueByAgencyQuery) => oversight.revenue?.[0]?.nett;
`;

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
    expect(types).not.toMatch(/\bany\b(?! of)/);
    writeFileSync(join(folder, 'operations.ts'), types);
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const compiler = createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace('package.json', 'bin/tsc');
    const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', 'program.ts'];
    const compiled = await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: folder }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(`${compiled.stdout}${compiled.stderr}`).toBe('');
  });
});
