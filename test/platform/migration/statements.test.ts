import { describe, expect, it } from 'vitest';
import {
  type Migration,
  listMigrations,
  listStatements,
  makeMigration,
} from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { EmptyDatabase, connect } from './empty-database.ts';

const database = new EmptyDatabase('file');
const { url } = database;
const apply = (migrations: readonly Migration[]) => migrate(url, { migrations, definitions: [] });

const table = makeMigration(
  '0001_word',
  'create table word (id integer primary key, text text not null); insert into word select n, n::text from generate_series(1, 100) n',
);
const index = makeMigration(
  '0002_index',
  `-- Outside a transaction: writers go on; meanwhile they're served.
create index concurrently if not exists word_text_idx on word (text);
do $$ begin perform 1; perform 2; end $$;
`,
);

const readIndexes = () =>
  database.rows(
    "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid::regclass::text ~ '^(word|month)' order by 1",
  );

const listBooked = () => database.rows('select migration_name as name from _prisma_migrations order by 1');

/** Waits until a build of the index waits for those that were writing when it began, and answers its process. */
const waitForBuild = () => database.waitForLock('create index concurrently');

describe('a migration outside a transaction', () => {
  it('builds an index while others write, and again where that was broken off', async () => {
    await apply([table]);
    const writer = await connect(url);
    await writer.query("begin; insert into word values (101, 'not committed yet')");

    const broken = apply([table, index]).catch((error: unknown) => error);
    await database.maintenance.query('select pg_terminate_backend($1)', [await waitForBuild()]);
    expect(await broken).toMatchObject({ message: expect.stringContaining('Migration 0002_index failed') });
    expect(await readIndexes()).toEqual([
      { name: 'word_pkey', valid: true },
      { name: 'word_text_idx', valid: false },
    ]);
    expect(await listBooked()).toEqual([{ name: '0001_word' }]);

    const first = apply([table, index]);
    // The invalid index is dropped first, which waits for the writer too.
    await database.waitForLock('drop index concurrently');
    await writer.query('commit');
    await first;
    expect(await readIndexes()).toEqual([
      { name: 'word_pkey', valid: true },
      { name: 'word_text_idx', valid: true },
    ]);
    expect(await listBooked()).toEqual([{ name: '0001_word' }, { name: '0002_index' }]);
    await writer.end();
  });

  it('has writers and other processes wait for nothing but one another', async () => {
    await database.client.query(
      "delete from _prisma_migrations where migration_name = '0002_index'; drop index word_text_idx",
    );
    const writer = await connect(url);
    await writer.query("begin; insert into word values (102, 'not committed yet')");
    const first = apply([table, index]);
    await waitForBuild();
    const second = apply([table, index]);
    await database.client.query(
      "set lock_timeout = '1s'; insert into word values (103, 'meanwhile'); update word set text = 'x' where id = 1",
    );
    // Were it to wait for the lock within a statement, the build would wait for that.
    const asked = new Set<string>();
    const ask = async () => {
      const rows = await database.rows<{ at: string }>(
        "select query_start::text as at from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_lock%' and state = 'idle'",
      );
      for (const { at } of rows) asked.add(at);
      return asked.size;
    };
    await expect.poll(ask).toBeGreaterThan(2);
    await writer.query('commit');
    expect([await first, await second]).toEqual([['0002_index'], []]);
    expect(await readIndexes()).toContainEqual({ name: 'word_text_idx', valid: true });
    await writer.end();
  });

  it('is one whose first line says so, and is told apart into statements', () => {
    expect(listStatements(table)).toBe(null);
    expect(listStatements(index)).toEqual([
      {
        text: 'create index concurrently if not exists word_text_idx on word (text)',
        index: { kind: 'index', name: 'word_text_idx', table: 'word', definition: '(text)' },
      },
      { text: 'do $$ begin perform 1; perform 2; end $$', index: null },
    ]);
    const quoted = makeMigration(
      '0003',
      '-- Outside a transaction.\nselect \';\', $a$;$$;$a$, ";" /* ; */; select 2 -- ;\n',
    );
    expect(listStatements(quoted)!.map(({ text }) => text)).toEqual([
      'select \';\', $a$;$$;$a$, ";" /* ; */',
      'select 2 -- ;',
    ]);
  });

  it('can be run again: an index that it builds may be there already', () => {
    for (const migration of listMigrations())
      for (const { text, index: built } of listStatements(migration) ?? [])
        if (/concurrently/i.test(text))
          expect(built ?? /drop index concurrently if exists/i.exec(text), text).not.toBe(null);
  });

  it('builds an index of a partitioned table on each of its parts, and again where that was broken off', async () => {
    await database.client.query(`
      create table month (at integer not null, text text) partition by range (at);
      create table month_1 partition of month for values from (1) to (2);
      create table month_2 partition of month for values from (2) to (3);
      insert into month select 1 + n % 2, n from generate_series(1, 100) n`);
    const build = makeMigration(
      '0005_parts',
      '-- Outside a transaction.\ncreate index concurrently if not exists month_text_idx on month (text);\n',
    );
    // As it is left by a build that was broken off.
    await database.client.query('create index month_text_idx_1 on month_1 (text)');
    await database.client.query(
      "update pg_index set indisvalid = false where indexrelid = 'month_text_idx_1'::regclass",
    );
    await apply([table, index, build]);
    const built = ['month_text_idx', 'month_text_idx_1', 'month_text_idx_2'].map((name) => ({ name, valid: true }));
    expect(await readIndexes()).toEqual(expect.arrayContaining(built));
    await database.client.query('create table month_3 partition of month for values from (3) to (4)');
    expect(await database.rows("select from pg_indexes where tablename = 'month_3'")).toHaveLength(1);
  });
});
