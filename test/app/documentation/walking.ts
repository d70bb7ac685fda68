import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { DEADLINES } from '../../harness/run/deadlines.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment of a reader's shell, with its own folder and database. */
export const environmentOf = (folder: string, url: string) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  TMPDIR: folder,
  DATABASE_URL: url,
  DATA_DIR: folder,
  NODE_NO_WARNINGS: '1',
});

/** Walks a demo to its end; what it printed. */
export function walk(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const demo = spawnSync(process.execPath, ['src/app/cli/scripts/demo.ts', ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: DEADLINES.test,
  });
  expect(demo.stderr).toBe('');
  return demo.stdout;
}
