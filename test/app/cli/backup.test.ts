import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { backUp } from '../../../src/app/cli/backup/back-up.ts';
import { restore } from '../../../src/app/cli/backup/restore.ts';
import { separatePassword } from '../../../src/app/cli/backup/programs.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'rail-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of programs, and nothing else, of which each says only its version. */
function programs(version: string | null): string {
  const path = mkdtempSync(join(folder, 'programs-'));
  for (const name of version === null ? [] : ['pg_dump', 'pg_restore']) {
    writeFileSync(join(path, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`);
    chmodSync(join(path, name), 0o755);
  }
  return path;
}

function backup(more: object = {}): string {
  const path = mkdtempSync(join(folder, 'kept-'));
  writeFileSync(join(path, 'rail.dump'), 'rows');
  const files = { 'rail.dump': createHash('sha256').update('rows').digest('hex') };
  const manifest = { kind: 'dump', version: '3.0.0', made_at: '2026-11-26T00:00:00.000Z', mode: 'live' };
  const rest = { postgresql: 15, migrations: [], heads: [], files };
  writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...manifest, ...rest, ...more }));
  return path;
}

afterEach(() => vi.unstubAllEnvs());
const restoreFrom = (from: string, path = programs('99.1')) => {
  vi.stubEnv('PATH', path);
  return restore(from, rail.url, () => {});
};

describe('backup', () => {
  it.each([
    ['are missing', null, /^pg_dump is not installed: install the clients of PostgreSQL \d+ or later/],
    ['are older than the server', '9.6.24', /^pg_dump is of version 9, and \d+ is needed: install the clients/],
  ])('says what to install where the programs %s, and leaves nothing behind', async (_how, version, complaint) => {
    const target = mkdtempSync(join(folder, 'target-'));
    vi.stubEnv('PATH', programs(version));
    await expect(backUp(rail.url, target)).rejects.toThrow(complaint);
    expect(readdirSync(target)).toEqual([]);
  });
});

describe('restore', () => {
  it('restores nothing over what is there', async () => {
    await expect(restoreFrom(backup())).rejects.toThrow('--into: the database is not empty');
  });

  it('restores no file that was changed, no copy of a server, and nothing of a later version', async () => {
    const changed = backup();
    writeFileSync(join(changed, 'rail.dump'), 'other rows');
    await expect(restoreFrom(changed)).rejects.toThrow(
      /rail\.dump was changed after the backup; nothing was restored$/,
    );
    await expect(restoreFrom(backup({ kind: 'base' }))).rejects.toThrow(/see Point-in-time recovery/);
    await expect(restoreFrom(backup({ version: '9.0.0', migrations: ['9000_later'] }))).rejects.toThrow(
      'The backup was made by version 9.0.0, which this one is too old to restore',
    );
    await expect(restoreFrom(folder)).rejects.toThrow(/ is no backup: ENOENT/);
    await expect(restoreFrom(backup({ heads: [{ mda: 'URA' }] }))).rejects.toThrow(/manifest\.json: heads\.0: /);
  });

  it('asks for programs that read the dump', async () => {
    const made = backup({ postgresql: 98 });
    await expect(restoreFrom(made, programs('15.2'))).rejects.toThrow(/^pg_restore is of version 15, and 98 is needed/);
  });
});

it.each([
  ['postgresql://rail@db/rail', 'postgresql://rail@db/rail', null],
  ['postgresql://rail:s%20e@db/rail?sslmode=require', 'postgresql://rail@db/rail?sslmode=require', 's e'],
  [
    'postgresql://db/rail?user=rail&password=s%20e&sslmode=require',
    'postgresql://db/rail?user=rail&sslmode=require',
    's e',
  ],
  ['postgresql://rail:one@db/rail?password=two', 'postgresql://rail@db/rail', 'two'],
])('hands the programs of PostgreSQL no password among their arguments: %s', (url, address, password) => {
  expect(separatePassword(url)).toEqual({ address, password });
});
