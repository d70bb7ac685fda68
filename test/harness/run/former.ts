import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMER } from '../../../src/platform/database/migration/take-over.ts';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1024 ** 3 }).trim();

const LAST_FORMER = `prisma/migrations/${FORMER.last}/migration.sql`;

/** The last commit whose databases this one takes over; null where this is no clone, or one without its history. */
export function findCommitBefore(): string | null {
  try {
    const found = git('log', '-1', '-m', '--full-history', '--diff-filter=D', '--format=%P', '--', LAST_FORMER);
    return found.split(' ').find((parent) => parent && git('ls-tree', '--name-only', parent, LAST_FORMER)) ?? null;
  } catch {
    return null;
  }
}

/** Its files in a folder, with its packages. */
export function unpack(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rail-before-'));
  const archive = execFileSync(
    'git',
    ['archive', commit, 'src', 'rest', 'prisma', 'package.json', 'package-lock.json', 'schema.graphql'],
    {
      maxBuffer: 1024 ** 3,
    },
  );
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--silent'], { cwd: folder });
  mkdirSync(join(folder, '.data'));
  return folder;
}
