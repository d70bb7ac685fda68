import { type GraphQLSchema, buildSchema } from 'graphql';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTemplates } from './write.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Templates are JavaScript: to them, what is undefined is as what is not there, and lists and records have what is asked of them. */
const LOOSER = { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false };

/** TypeScript's errors in the templates of a site and in the code that hands them values, by file and line. */
export function checkTemplates(schema: GraphQLSchema, site: string, into: string): string[] {
  writeTemplates(schema, site, into);
  const config = {
    extends: join(relative(into, ROOT), 'tsconfig.json'),
    compilerOptions: LOOSER,
    include: ['**/*.ts', join(relative(into, site), '**/*.ts'), join(relative(into, ROOT), 'src/**/*.d.ts')],
    exclude: [],
  };
  writeFileSync(join(into, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript-cli/bin/tsc'), '-p', into, '--pretty', 'false'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  if (status !== 0 && stdout === '') throw new Error('TypeScript could not check the templates');
  const [written, from] = [into, site].map((folder) => relative(ROOT, folder));
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(`${written}/`, `${from}/`).replace(/^(\S+\.(?:eta|graphql))\.ts\(/, '$1('));
}

if (import.meta.main) {
  const schema = buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8'));
  const wrong = checkTemplates(schema, join(ROOT, 'src/site'), join(ROOT, 'src/generated/pages'));
  process.stdout.write(wrong.map((line) => `${line}\n`).join(''));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
