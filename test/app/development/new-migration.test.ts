import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeMigration, nameNextMigration } from '../../../src/app/development/new-migration.ts';
import { listMigrations } from '../../../src/platform/database/migration/list.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const checkout = mkdtempSync(join(tmpdir(), 'rail-migration-'));
afterAll(() => rmSync(checkout, { recursive: true, force: true }));
const schemaFile = join(checkout, 'prisma/schema/database.prisma');

describe('a new migration', () => {
  it('has the next number, and a name of words', () => {
    expect(nameNextMigration([], 'first')).toBe('0001_first');
    expect(nameNextMigration(['0001_first', '0014_updated_at'], 'Agency contacts')).toBe('0015_agency_contacts');
    expect(() => nameNextMigration(['0001_first'], 'first')).toThrow('There is a migration first');
    for (const name of ['', '1st', '../x', 'é'])
      expect(() => nameNextMigration([], name), name).toThrow(/^Give a name of words/);
  });

  it('begins with the SQL that leads to the present schema, without a database', { tags: 'long' }, async () => {
    cpSync(join(ROOT, 'prisma'), join(checkout, 'prisma'), { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: checkout });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'x');
    const before = readdirSync(join(checkout, 'prisma/migrations')).length;

    expect((await makeMigration(checkout, 'by hand')).draft).toBe('');
    appendFileSync(
      schemaFile,
      '\n/// A word.\nmodel Word {\n  text String @id\n  said DateTime? @db.Timestamptz(3)\n\n  @@map("word")\n}\n',
    );
    const { path, draft } = await makeMigration(checkout, 'words');
    expect(path).toMatch(/^prisma\/migrations\/\d{4}_words\/migration\.sql$/);
    expect(draft).toContain('CREATE TABLE "word" (\n    "text" TEXT NOT NULL,\n    "said" TIMESTAMPTZ(3),');
    expect(readFileSync(join(checkout, path), 'utf8')).toBe(`-- Say here why.\n${draft}`);
    expect(readdirSync(join(checkout, 'prisma/migrations'))).toHaveLength(before + 2);
  });

  it('is not made of a schema that does not hold', { tags: 'long' }, async () => {
    writeFileSync(schemaFile, 'model Word {\n  text Nothing\n}\n');
    await expect(makeMigration(checkout, 'broken')).rejects.toThrow('Nothing');
    expect(readdirSync(join(checkout, 'prisma/migrations')).some((name) => name.endsWith('_broken'))).toBe(false);
  });
});

describe('the migrations of this version', () => {
  it('have each a number of their own', () => {
    const numbers = listMigrations().map(({ name }) => name.slice(0, 4));
    expect(numbers.every((number) => /^\d{4}$/.test(number))).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
