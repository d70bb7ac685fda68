import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Migration, makeMigration } from '../../../src/platform/database/migration/list.ts';

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/**
 * The commit of the last release, which wrote its contract and its first migration; this version upgrades its databases.
 * Null where this is no clone.
 */
export function findCommitBefore(): string | null {
  try {
    return git('log', '-1', '--format=%H', '--', 'docs/baseline.json.gz', 'prisma/migrations/0001_baseline') || null;
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

/** The migrations of a version after this one: two expand the schema, and one contracts it. */
export const LATER: readonly Migration[] = [
  makeMigration(
    '9001_later',
    `create table later_list (name text primary key);
     alter table payment_intent add column later_note text,
       add constraint payment_intent_later_note check (char_length(later_note) <= 9) not valid;
     alter table webhook_endpoint add column later_note text not null default ''`,
  ),
  makeMigration(
    '9002_later_index',
    `-- Outside a transaction.
     create index concurrently if not exists payment_intent_later_note_idx on payment_intent (later_note) where later_note is not null`,
  ),
  makeMigration('9003_contract_later', 'drop index assessment_total_amount_name_idx'),
];

/** This version as the one after it, with its migrations, in a folder of its own. */
export function makeLater(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rail-later-'));
  for (const path of ['src', 'rest', 'prisma', 'schema.graphql']) cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const description = JSON.parse(readFileSync('package.json', 'utf8')) as object;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version }));
  for (const { name, sql } of LATER) {
    mkdirSync(join(folder, 'prisma/migrations', name));
    writeFileSync(join(folder, 'prisma/migrations', name, 'migration.sql'), sql);
  }
  return folder;
}
