import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> };
const CHECKS = Object.keys(scripts).filter((name) => name.startsWith('check:'));

/** Runs a command and returns its output and exit status. */
const run = (command: string, args: readonly string[]) =>
  promisify(execFile)(command, args, { cwd: ROOT, maxBuffer: 64 * 1_024 ** 2 }).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    (error: { code?: unknown; stdout?: string; stderr?: string }) => ({
      code: error.code,
      printed: `${error.stdout}${error.stderr}`,
    }),
  );

// Here, so that they run while tests wait.
it.each(CHECKS)('npm run %s', async (name) => {
  const { code, printed } = await run('npm', ['run', '--silent', name]);
  expect(code, printed).toBe(0);
});
