import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pageAt } from '../../harness/pages.ts';
import { connected, testRuntimeRail } from '../../platform/migration/runtime-rail.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const rail = testRuntimeRail();

/** The rows of a page's tables, without their heads, each as its cells. */
function rowsOf(path: string): string[][] {
  const lines = pageAt(path).text.split('\n');
  return lines
    .filter((line, i) => line.startsWith('| ') && !lines[i + 1]?.startsWith('|--'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The output of a block of a page, run in the repository. */
function run(path: string, name: string, env: NodeJS.ProcessEnv = {}): string {
  const { text } = pageAt(path).blocks.find(({ tested }) => tested === name)!;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -euo pipefail\n${text}`], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
}

describe('the threat model', () => {
  const rows = rowsOf('docs/security/threat-model.md');

  it('names a test for each threat, or says why its risk is accepted, and what remains', () => {
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows) {
      expect(row, row[0]).toHaveLength(4);
      const [wants, stops, shown, remains] = row;
      expect([wants, stops, remains].every(Boolean), wants).toBe(true);
      if (!shown!.includes('`test/')) expect(stops, wants).toMatch(/^accepted: .{20,}/);
    }
  });

  it('names tests that there are', () => {
    const named = pageAt('docs/security/threat-model.md').text.match(/(?<=`)test\/[^`]+(?=`)/g)!;
    expect(new Set(named).size).toBeGreaterThan(60);
    expect(named.filter((file) => !file.endsWith('.test.ts') || !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe('the checks of PostgreSQL in the hardening guide', () => {
  const [ofRole, ofServer] = pageAt('docs/security/hardening.md').blocks.filter(({ language }) => language === 'sql');
  const wrong = (url: string, text: string) =>
    connected(url, async (client) => (await client.query<{ wrong: string }>(text)).rows.map((row) => row.wrong));

  it('find nothing of the role that serves, and what its owner could do', async () => {
    expect(await wrong(rail.rail.config.databaseUrl!, ofRole!.text)).toEqual([]);
    const ofOwner = await wrong(rail.url, ofRole!.text);
    expect(ofOwner).toEqual(
      expect.arrayContaining(['special role', 'owns payment_event', 'may rewrite payment_event']),
    );
  });

  it('find a trigger that is off, and a server that may lose what it confirmed', async () => {
    const found = () => wrong(rail.rail.config.databaseUrl!, ofServer!.text);
    expect(await found()).not.toContainEqual(expect.stringContaining('payment_event'));
    await connected(rail.url, (client) => client.query('alter table payment_event disable trigger append_only'));
    expect(await found()).toContain('payment_event has no append_only');
    const { rows } = await connected(rail.url, (client) => client.query<{ fsync: string }>('show fsync'));
    expect((await found()).includes('fsync is off')).toBe(rows[0]!.fsync === 'off');
  });
});

describe('the commands of the security file', () => {
  it('make a secret that a live rail takes, another one each time', () => {
    const made = [1, 2].map(() => run('docs/security/keys.md', 'make-secret'));
    for (const one of made) expect(one).toMatch(/^[\w-]{64}$/);
    expect(new Set(made).size).toBe(2);
  });

  it('list the hosts that connections name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rail-hosts-'));
    const file = join(folder, 'connections.json');
    const urls = ['https://one.example/a', 'https://two.example:8443', 'https://one.example/b'];
    writeFileSync(file, JSON.stringify({ providers: urls.map((url) => ({ url })) }));
    const printed = run('docs/security/hardening.md', 'hosts', { CONNECTIONS: file });
    rmSync(folder, { recursive: true });
    expect(printed.split('\n')).toEqual(['https://one.example', 'https://two.example:8443']);
  });

  it.skipIf(spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status !== 0)(
    'verify the sources of a release, in a clone',
    () => {
      const [commit, version] = run('docs/security/verify-a-release.md', 'release-sources').split('\n');
      expect(commit).toMatch(/^[0-9a-f]{40}$/);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    },
  );

  it('find no package without the hash of its content', () => {
    expect(run('docs/security/verify-a-release.md', 'release-packages')).toBe('0');
  });
});
