import { describe, expect, it } from 'vitest';
import {
  listDefinitions,
  makeDefinition,
  orderDefinitions,
} from '../../../src/platform/database/migration/definitions.ts';
import { type Migration, listMigrations, makeMigration } from '../../../src/platform/database/migration/list.ts';
import { listMissing, migrate } from '../../../src/platform/database/migration/migrate.ts';
import { readCatalogue } from './catalogue.ts';
import { EmptyDatabase, connect } from './empty-database.ts';

const database = new EmptyDatabase('test');

const baseline = makeMigration(
  '0001_words',
  'create schema oversight; create table word (id integer primary key, text text not null, length integer)',
);

/** Definitions that read and write words, in the first of three versions. */
const FIRST = {
  'functions/shorten': `create or replace function shorten(text text) returns text language sql immutable as $$ select left(text, 3) $$;`,
  'functions/measure': `create or replace function measure() returns trigger language plpgsql as $$
    begin new.length := length(new.text); return new; end $$;`,
  'views/short_word': 'create or replace view short_word as select id, shorten(text) as text from word;',
  'views/oversight.word': 'create or replace view oversight.word as select * from short_word;',
  'triggers/word':
    'create trigger measured before insert on word for each row execute function measure();\nalter table word enable always trigger measured;',
  'roles/rail_oversight': `do $$ begin create role rail_oversight nologin; exception when duplicate_object or unique_violation then null; end $$;
    grant usage on schema oversight to rail_oversight; grant select on all tables in schema oversight to rail_oversight;`,
};

/** Brings a database to definitions by the names of their files. */
async function apply(files: Readonly<Record<string, string>>, migrations: readonly Migration[] = [baseline]) {
  const definitions = orderDefinitions(Object.entries(files).map(([name, sql]) => makeDefinition(name, sql)));
  return migrate(database.url, { migrations, definitions });
}

const identify = () =>
  database.rows<{ object: string; oid: number }>(`
    select oid::regprocedure::text as object, oid from pg_proc where pronamespace = 'public'::regnamespace
    union all select oid::regclass::text, oid from pg_class where relkind = 'v' and relname like '%word' order by 1`);

/** That a database which was changed step by step is one that was made at once. */
async function expectAsFresh(files: Readonly<Record<string, string>>, migrations?: readonly Migration[]) {
  const changed = await readCatalogue(database.client, ['public', 'oversight']);
  await database.client.query('drop schema oversight, public cascade; create schema public');
  await apply(files, migrations);
  expect(changed).toEqual(await readCatalogue(database.client, ['public', 'oversight']));
}

describe('definitions', () => {
  it('are applied in the order in which they need one another, and only where they changed', async () => {
    expect(await apply(FIRST)).toEqual(['0001_words']);
    const before = await identify();
    expect(before.map(({ object }) => object)).toEqual(['measure()', 'oversight.word', 'short_word', 'shorten(text)']);
    expect(await apply(FIRST)).toEqual([]);
    const changed = { ...FIRST, 'functions/shorten': FIRST['functions/shorten'].replace('3', '2') };
    expect(await apply(changed)).toEqual(['functions/shorten']);
    expect(await identify()).toEqual(before);
    await database.client.query("insert into word values (1, 'afternoon')");
    expect(await database.rows('select w.*, length from oversight.word w join word using (id)')).toEqual([
      { id: 1, text: 'af', length: 9 },
    ]);
    await expectAsFresh(changed);
  });

  it('have views that read a changed view made again, with the grants that they had', { tags: 'long' }, async () => {
    await apply(FIRST);
    const wider = {
      ...FIRST,
      'views/short_word': 'create or replace view short_word as select id, shorten(text) as text, length from word;',
    };
    expect(await apply(wider)).toEqual(['views/short_word']);
    await expectAsFresh(wider);
    const other = {
      ...FIRST,
      'views/short_word': 'create or replace view short_word as select shorten(text) from word;',
    };
    await apply(other);
    await expectAsFresh(other);
  });

  it('are dropped with what depends on them where they cannot be replaced', { tags: 'long' }, async () => {
    await apply(FIRST);
    const others = {
      ...FIRST,
      'functions/shorten': `create or replace function shorten(text text, digits integer default 4) returns text language sql immutable
        as $$ select left(text, digits) $$;`,
      'functions/measure': FIRST['functions/measure'].replace(
        'measure()',
        'measure(variadic ignored text[] default null)',
      ),
    };
    await expect(apply(others)).rejects.toThrow('trigger functions cannot have declared arguments');
    const { 'functions/measure': _, ...one } = others;
    const widened = { ...one, 'functions/measure': FIRST['functions/measure'] };
    expect(await apply(widened)).toEqual(['functions/shorten']);
    await expectAsFresh(widened);
  });

  it('refuses to drop what is not its own, and changes nothing', async () => {
    await apply(FIRST);
    await database.client.query('create schema theirs; create view theirs.word as select * from oversight.word');
    const before = await identify();
    const other = {
      ...FIRST,
      'views/short_word': 'create or replace view short_word as select shorten(text) from word;',
    };
    await expect(apply(other)).rejects.toThrow(
      /^views\/short_word cannot be replaced, .* depends on it .*: theirs\.word$/,
    );
    expect(await identify()).toEqual(before);
  });

  it('are dropped once their files are gone', async () => {
    await apply(FIRST);
    const { 'triggers/word': _, 'functions/measure': __, 'views/short_word': ___, ...rest } = FIRST;
    const fewer = {
      ...rest,
      'views/oversight.word': 'create or replace view oversight.word as select id, text from word;',
    };
    expect(await apply(fewer)).toEqual([
      'views/oversight.word',
      'functions/measure',
      'triggers/word',
      'views/short_word',
    ]);
    await expectAsFresh(fewer);
  });

  it('come back after a migration that drops them to change what they stand on, in its transaction', async () => {
    await apply(FIRST);
    const widen = makeMigration(
      '0002_long_ids',
      'drop view if exists oversight.word, short_word; drop trigger if exists measured on word; alter table word alter id type bigint',
    );
    const broken = { ...FIRST, 'views/broken': 'create or replace view broken as select nothing from word;' };
    await expect(apply(broken, [baseline, widen])).rejects.toThrow('Migration 0002_long_ids failed: column "nothing"');
    expect(await apply(FIRST, [baseline, widen])).toEqual(['0002_long_ids']);
    await expectAsFresh(FIRST, [baseline, widen]);
  });

  it('let writers go first while somebody reads what they have to lock', { tags: 'long' }, async () => {
    await apply(FIRST);
    const reader = await connect(database.url);
    await reader.query('begin; select from word');
    const renamed = { ...FIRST, 'triggers/word': FIRST['triggers/word'].replaceAll('measured', 'length_measured') };
    const applied = apply(renamed);
    await database.waitForLock('drop trigger');
    // As long as a request waits for a lock.
    await database.client.query("set lock_timeout = '4s'; insert into word values (1, 'afternoon')");
    await reader.end();
    expect(await applied).toEqual(['triggers/word']);
    await expectAsFresh(renamed);
  });

  it('begin again where a writer waits for what they locked, and they for the writer', async () => {
    const more = makeMigration('0002_more', 'create table sentence (id integer)');
    await apply(FIRST, [baseline, more]);
    const widen = makeMigration(
      '0003_widen',
      'alter table sentence add column word integer; alter table word add column sentence integer',
    );
    const writer = await connect(database.url);
    await writer.query("set deadlock_timeout = '1min'; begin; insert into word values (1, 'afternoon')");
    const applied = apply(FIRST, [baseline, more, widen]);
    await database.waitForLock('alter table sentence');
    await writer.query('insert into sentence values (1); commit');
    await writer.end();
    expect(await applied).toEqual(['0003_widen']);
  });

  it('of a later version are left to it', async () => {
    await apply(FIRST);
    await database.client.query(`update _definitions set version = '{99, 0, 0}'`);
    const { 'views/oversight.word': _, ...fewer } = FIRST;
    const before = await identify();
    expect(
      await apply({ ...fewer, 'views/short_word': 'create or replace view short_word as select 1 as one;' }),
    ).toEqual([]);
    expect(await identify()).toEqual(before);
  });

  it('that need one another are refused', () => {
    const circle = [
      makeDefinition('views/one', 'select * from two'),
      makeDefinition('views/two', '-- Not of one.\nselect * from one'),
    ];
    expect(() => orderDefinitions(circle)).toThrow('Definitions need one another: views/one, views/two');
    expect(
      orderDefinitions([circle[0]!, makeDefinition('views/two', '-- Not of one.\nselect oversight.one')]),
    ).toMatchObject([
      { name: 'views/two', needs: [] },
      { name: 'views/one', needs: ['views/two'] },
    ]);
  });
});

describe('the definitions of this version', () => {
  it('bring up a database once, whoever starts first', async () => {
    const applied = await Promise.all([migrate(database.url), migrate(database.url)]);
    expect(applied.flat()).toEqual(listMigrations().map(({ name }) => name));
    expect(await listMissing(database.url)).toEqual([]);
    expect(await database.rows('select name from _definitions')).toHaveLength(
      listDefinitions().filter(({ until }) => until === null).length,
    );
  });

  it('lock nothing where nothing changed', { tags: 'long' }, async () => {
    await migrate(database.url);
    const other = await connect(database.url);
    try {
      const tables = await database.rows<{ name: string }>(`
        select oid::regclass::text as name from pg_class where relkind in ('r', 'p', 'v')
          and relnamespace in ('public'::regnamespace, 'oversight'::regnamespace) and relname not in ('_prisma_migrations', '_definitions')`);
      expect(tables.length).toBeGreaterThan(100);
      await other.query(`begin; lock table ${tables.map(({ name }) => name).join(', ')} in access exclusive mode`);
      expect(await migrate(database.url)).toEqual([]);
    } finally {
      await other.end();
    }
  });
});
