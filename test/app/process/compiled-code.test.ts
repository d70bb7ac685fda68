import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../harness/processes.ts';

/** A start that ends as soon as the settings are read. */
const start = (dataDir: string) =>
  run('src/app/main.ts', [], { DATA_DIR: dataDir, PORT: 'none', NODE_COMPILE_CACHE: '' });

it('keeps what was compiled for the next start under the data folder, and starts all the same where it cannot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rail-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'taken'), '');
  const [kept, unkept] = await Promise.all([start(folder), start(join(folder, 'taken'))]);
  expect([kept.code, unkept.code]).toEqual([1, 1]);
  const [version] = readdirSync(join(folder, 'compiled'));
  expect(readdirSync(join(folder, 'compiled', version!)).length).toBeGreaterThan(50);
});
