import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The tests of code that has no folder of the same name under `test`. */
const ELSEWHERE: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  ['rest/', ['test/rest/walk.test.ts', 'test/rest/openapi.test.ts']],
  ['prisma/', ['test/platform/drift.test.ts', 'test/platform/migration']],
  ['deploy/', ['test/app/deploy']],
  ['clients/', ['test/rest/client']],
];
/** Tests that any change of the code can break. */
const RULES = ['test/app/development/checks.test.ts', 'test/app/tree.test.ts', 'test/platform/writers.test.ts'];

/** The tests of a file: those of its name, or else of the nearest folder around it that has tests. */
export function listTestsOf(path: string, exists: (path: string) => boolean): readonly string[] {
  if (path.endsWith('.test.ts')) return exists(path) ? [path] : [];
  const elsewhere = ELSEWHERE.find(([folder]) => path.startsWith(folder));
  if (elsewhere) return elsewhere[1];
  if (path.endsWith('.md')) return ['test/app/documentation'];
  const [top, ...names] = path.replace(/\.\w+$/, '').split('/');
  if (top !== 'src' && top !== 'test') return [];
  for (; names.length > 0; names.pop()) {
    const found = [`test/${names.join('/')}.test.ts`, `test/${names.join('/')}/`].filter(exists);
    if (found.length > 0) return found;
  }
  return [];
}

if (import.meta.main) {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  const exists = (path: string) =>
    existsSync(ROOT + path) && statSync(ROOT + path).isDirectory() === path.endsWith('/');
  const tests = new Set([...RULES, ...changed.flatMap((path) => listTestsOf(path, exists))]);
  const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', `file://${ROOT}`));
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--tags-filter=!long', ...tests], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
