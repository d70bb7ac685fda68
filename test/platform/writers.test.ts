import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Who else may write a table than the folder whose it is, and why. */
const AGREED: readonly { readonly table: string; readonly writers: readonly string[]; readonly because: string }[] = [
  {
    table: 'counter_shift',
    writers: ['collection/payments'],
    because: 'a payment counts in its shift, in the statement that confirms it',
  },
  {
    table: 'staff',
    writers: [
      'identity/grants',
      'identity/links',
      'identity/passwords',
      'identity/second-factor',
      'identity/single-sign-on',
    ],
    because: 'what changes how somebody logs in begins a new generation of their sessions, in the same statement',
  },
];

/** The floor that makes up years of history, in bulk and in the past, which no verb does. */
const EXEMPT = 'sandbox';

const tables = globSync('prisma/migrations/*/migration.sql', { cwd: ROOT }).flatMap((migration) =>
  [...textOf(migration).matchAll(/^create table (?:if not exists )?"?([a-z_]+)/gim)].map(([, table]) => table!),
);

/** The folder of `src` that a file is a part of: its floor and the folder in it. */
function folderOf(file: string): string {
  return file.split('/').slice(1, -1).slice(0, 2).join('/');
}

/** The code of a file, without comments. */
function codeOf(file: string): string {
  return textOf(file).replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
}

const WRITE = new RegExp(
  String.raw`\b(?:insert into|update|delete from|merge into|truncate|copy)\s+(?:only\s+|table\s+)*(${tables.join('|')})\b`,
  'g',
);

const sources = globSync('{src,rest}/**/*.ts', { cwd: ROOT, exclude: ['src/generated/**'] });
const writes = sources.flatMap((file) =>
  [...codeOf(file).matchAll(WRITE)].map(([, table]) => ({ table: table!, writer: folderOf(file) })),
);

const isAgreed = (one: { readonly table: string; readonly writer: string }) =>
  AGREED.some(({ table, writers }) => table === one.table && writers.includes(one.writer));

describe('each table', () => {
  it('is written by one folder, but for what was agreed', () => {
    const own = writes.filter((write) => write.writer.split('/')[0] !== EXEMPT && !isAgreed(write));
    const writers = Map.groupBy(own, ({ table }) => table);
    const shared = [...writers]
      .map(([table, by]) => [table, ...new Set(by.map(({ writer }) => writer))])
      .filter(({ length }) => length > 2);
    expect(shared).toEqual([]);
    expect(writers.size).toBeGreaterThan(30);
    expect(
      AGREED.flatMap(({ table, writers: agreed }) => agreed.map((writer) => ({ table, writer }))).filter(
        (one) => !writes.some((write) => write.table === one.table && write.writer === one.writer),
      ),
    ).toEqual([]);
  });

  it('is written in SQL that names it, and not by way of Prisma, where this would not be seen', () => {
    const byPrisma = sources.filter((file) =>
      /\.(?:create|createMany|update|updateMany|upsert|delete|deleteMany)\(\{|\$executeRaw/.test(codeOf(file)),
    );
    expect(byPrisma).toEqual([]);
  });
});
