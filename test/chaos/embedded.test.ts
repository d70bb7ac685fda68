import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { capture, serve } from '../harness/processes.ts';

// A folder that only its owner can enter, as the home of root is.
const folders = [mkdtempSync(join(tmpdir(), 'rail-a-')), mkdtempSync(join(tmpdir(), 'rail-b-'))] as const;
const env = (index: 0 | 1) => ({ DATA_DIR: folders[index], PORT: '0', LOG_LEVEL: 'error' });
const clusterOf = (index: 0 | 1) => (JSON.parse(readFileSync(join(folders[index], 'postgres.json'), 'utf8')) as { directory: string }).directory;

afterAll(() => {
  for (const index of [0, 1] as const) {
    if (existsSync(join(folders[index], 'postgres.json'))) rmSync(clusterOf(index), { recursive: true, force: true });
    rmSync(folders[index], { recursive: true, force: true });
  }
});

const issue = async (index: 0 | 1, email: string) =>
  JSON.parse(
    await capture('src/admin.ts', ['key:issue', '--organisation', 'Office', '--email', email, '--scopes', 'citizens.read', '--json'], env(index)),
  ) as { plaintext: string };
const citizens = async (origin: string, key: string) => {
  const response = await fetch(`${origin}/v1/citizens`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, count: response.ok ? ((await response.json()) as { data: unknown[] }).data.length : 0 };
};

describe('the embedded PostgreSQL', () => {
  it('serves two rails at once, an operator beside one of them, and the next start after a kill -9', async () => {
    const [a, b] = await Promise.all([serve('src/main.ts', env(0)), serve('src/main.ts', env(1))]);
    const { plaintext } = await issue(0, 'a@example.com');
    expect(await citizens(a.origin, plaintext)).toEqual({ status: 200, count: 20 });
    expect((await citizens(b.origin, plaintext)).status).toBe(401);
    await b.stop();
    expect(existsSync(join(clusterOf(1), 'postmaster.pid'))).toBe(false);

    await a.kill();
    expect(existsSync(join(clusterOf(0), 'postmaster.pid'))).toBe(true);
    const again = await serve('src/main.ts', env(0));
    expect(await citizens(again.origin, plaintext)).toEqual({ status: 200, count: 20 });
    await again.stop();
    expect(existsSync(join(clusterOf(0), 'postmaster.pid'))).toBe(false);

    const listed = JSON.parse(await capture('src/admin.ts', ['integrator:list', '--json'], env(0))) as unknown[];
    expect(listed).toHaveLength(1);
    expect(existsSync(join(clusterOf(0), 'postmaster.pid'))).toBe(false);
  }, 120_000);
});

describe('the command line', () => {
  it('says what is wrong in one line, and changes nothing', async () => {
    await expect(
      capture('src/admin.ts', ['key:issue', '--scopes', 'nope', '--organisation', 'X', '--email', 'x@example.com'], env(0)),
    ).rejects.toThrow(/ended with 1/);
    await expect(capture('src/admin.ts', ['key:issue', '--scopes', 'citizens.read'], env(0))).rejects.toThrow(/ended with 1/);
    await expect(capture('src/main.ts', [], { ...env(0), PORT: 'x' })).rejects.toThrow(/ended with 1/);
    expect(await capture('src/admin.ts', ['--help'], env(0))).toContain('key:issue');
  });
});
