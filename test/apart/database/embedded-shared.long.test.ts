import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { begin, capture, serve } from '../../harness/processes.ts';

// A folder that only its owner can enter, as the home of root is.
const folders = [mkdtempSync(join(tmpdir(), 'rail-a-')), mkdtempSync(join(tmpdir(), 'rail-b-'))] as const;
const env = (index: 0 | 1) => ({ DATA_DIR: folders[index], PORT: '0', LOG_LEVEL: 'error' });
const pidFile = (index: 0 | 1) => join(clusterOf(index), 'postmaster.pid');
const clusterOf = (index: 0 | 1) =>
  (JSON.parse(readFileSync(join(folders[index], 'postgres.json'), 'utf8')) as { directory: string }).directory;

afterAll(() => {
  for (const index of [0, 1] as const) {
    if (existsSync(join(folders[index], 'postgres.json'))) rmSync(clusterOf(index), { recursive: true, force: true });
    rmSync(folders[index], { recursive: true, force: true });
  }
});

const issue = async (index: 0 | 1, email: string) =>
  JSON.parse(
    await capture(
      'src/app/cli/admin.ts',
      ['key:issue', '--organisation', 'Office', '--email', email, '--scopes', 'citizens.read', '--json'],
      env(index),
    ),
  ) as { plaintext: string };
const citizens = async (origin: string, key: string) => {
  const response = await fetch(`${origin}/v1/citizens`, { headers: { authorization: `Bearer ${key}` } });
  return {
    status: response.status,
    count: response.ok ? ((await response.json()) as { data: unknown[] }).data.length : 0,
  };
};

describe('the embedded PostgreSQL', () => {
  it('serves two rails at once, an operator with one of them, and the next start after a kill -9', async () => {
    const [a, b] = await Promise.all([serve('src/app/main.ts', env(0)), serve('src/app/main.ts', env(1))]);
    const { plaintext } = await issue(0, 'a@example.com');
    expect(await citizens(a.origin, plaintext)).toEqual({ status: 200, count: 20 });
    expect((await citizens(b.origin, plaintext)).status).toBe(401);
    expect(await b.stop()).toBe(0);
    expect(existsSync(pidFile(1))).toBe(false);

    await a.kill();
    expect(existsSync(pidFile(0))).toBe(true);
    const again = await serve('src/app/main.ts', env(0));
    expect(await citizens(again.origin, plaintext)).toEqual({ status: 200, count: 20 });
    expect(await again.stop()).toBe(0);
    expect(existsSync(pidFile(0))).toBe(false);

    const listed = JSON.parse(
      await capture('src/app/cli/admin.ts', ['integrator:list', '--json'], env(0)),
    ) as unknown[];
    expect(listed).toHaveLength(1);
    expect(existsSync(pidFile(0))).toBe(false);
  });

  it('is stopped by the last of two rails, also where they stop together', async () => {
    const both = await Promise.all([serve('src/app/main.ts', env(0)), serve('src/app/main.ts', env(0))]);
    expect(await Promise.all(both.map((one) => one.stop()))).toEqual([0, 0]);
    expect(existsSync(pidFile(0))).toBe(false);
  });

  it('is stopped where a signal comes while the rail starts', async () => {
    const starting = begin('src/app/main.ts', env(0));
    await expect.poll(() => existsSync(pidFile(0)), { interval: 10 }).toBe(true);
    expect(await starting.end('SIGTERM')).toBe(0);
    expect(existsSync(pidFile(0))).toBe(false);
  });

  it('starts where a crash left a file whose process is another one by now', async () => {
    const stale = await stalePidFile();
    const listed = JSON.parse(
      await capture('src/app/cli/admin.ts', ['integrator:list', '--json'], env(0)),
    ) as unknown[];
    expect(listed).toHaveLength(1);
    expect(existsSync(pidFile(0))).toBe(false);
    stale.kill();
  });
});

/** A process of the user that PostgreSQL runs as, which a file like that of a running server names. */
async function stalePidFile(): Promise<ChildProcess> {
  const { uid, gid } = statSync(clusterOf(0));
  const other = spawn('sleep', ['300'], { stdio: 'ignore', uid, gid });
  const lines = [other.pid, clusterOf(0), Math.floor(Date.now() / 1_000), 1, '', '127.0.0.1', '0 0', 'ready', ''];
  writeFileSync(pidFile(0), lines.join('\n'), { mode: 0o600 });
  chownSync(pidFile(0), uid, gid);
  return other;
}

describe('the command line', () => {
  it('says what is wrong in one line, and changes nothing', async () => {
    await expect(
      capture(
        'src/app/cli/admin.ts',
        ['key:issue', '--scopes', 'nope', '--organisation', 'X', '--email', 'x@example.com'],
        env(0),
      ),
    ).rejects.toThrow(/ended with 1/);
    await expect(capture('src/app/cli/admin.ts', ['key:issue', '--scopes', 'citizens.read'], env(0))).rejects.toThrow(
      /ended with 1/,
    );
    await expect(capture('src/app/main.ts', [], { ...env(0), PORT: 'x' })).rejects.toThrow(/ended with 1/);
    expect(await capture('src/app/cli/admin.ts', ['--help'], env(0))).toContain('key:issue');
  });
});
