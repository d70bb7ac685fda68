import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { printWholeSchema } from '../../../src/graphql/printed.ts';
import { RELAY_PROGRAM } from './fragments.ts';

const folder = mkdtempSync(join(tmpdir(), 'rail-relay-'));
const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('relay-compiler', () => {
  it('compiles fragments that page through lists both ways, and that read a record anew by its ID', async () => {
    writeFileSync(join(folder, 'schema.graphql'), printWholeSchema(schema));
    writeFileSync(join(folder, 'program.ts'), RELAY_PROGRAM);
    const config = { src: '.', schema: 'schema.graphql', language: 'typescript', eagerEsModules: true };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
    const compiled = await promisify(execFile)(process.execPath, [compiler, '--output', 'quiet-with-errors'], {
      cwd: folder,
    }).catch((error: { stdout: string; stderr: string }) => error);
    expect(`${compiled.stdout}${compiled.stderr}`).toBe('');
    expect(readdirSync(join(folder, '__generated__')).toSorted()).toEqual(
      [
        'programAssessmentQuery',
        'programAssessmentsQuery',
        'programCancelMutation',
        'programCitizenQuery',
        'programEventsQuery',
        'programQuery',
        'program_assessment',
        'program_assessments',
        'program_citizen',
        'program_events',
      ].map((name) => `${name}.graphql.ts`),
    );
  });
});
