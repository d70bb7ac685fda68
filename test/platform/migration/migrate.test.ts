import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { listDefinitions } from '../../../src/platform/database/migration/definitions.ts';
import { type Migration, listMigrations, listStatements } from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { LATER } from '../../harness/run/versions.ts';
import { EmptyDatabase, connect } from './empty-database.ts';

const database = new EmptyDatabase('test');

/** The applied migrations, and the file nodes of tables, indexes and views, which change when they are made again. */
const readState = () =>
  database.rows(`
    select migration_name as name, null as node from _prisma_migrations
    union all select oid::regclass::text, coalesce(pg_relation_filenode(oid), oid)::text from pg_class
    where relnamespace in ('public'::regnamespace, 'oversight'::regnamespace) and relname not like '\\_definitions%' order by 1`);

describe('the migrations', () => {
  it('are not edited once they have landed: their hashes stay as they are listed', () => {
    const listed = readFileSync(new URL('../../../prisma/migrations/hashes.txt', import.meta.url), 'utf8');
    expect(listed).toBe(
      listMigrations()
        .map(({ name, checksum }) => `${checksum}  ${name}/migration.sql\n`)
        .join(''),
    );
  });

  it('are refused where one was edited after it had been applied', async () => {
    const apply = (later: Migration) =>
      migrate(database.url, { migrations: [...listMigrations(), later], definitions: listDefinitions() });
    await apply(LATER[0]!);
    await expect(apply({ ...LATER[0]!, checksum: 'another' })).rejects.toThrow(
      'Migration 9001_later was changed after it had been applied to this database',
    );
  });
});

describe('a database from before the first release', () => {
  it.each([
    ['the baseline of then, and later migrations', ['0001_baseline', '0018_contract_account_webhooks']],
    ['the migrations of before', ['0001_init', '0238_statements_and_counters']],
  ])('is refused by a sentence that says how to start afresh, with %s, and stays as it was', async (_with, names) => {
    await migrate(database.url);
    await database.client.query(
      `with gone as (delete from _prisma_migrations returning *)
       insert into _prisma_migrations (id, checksum, migration_name, finished_at)
       select name, md5(checksum), name, now() from gone, unnest($1::text[]) name`,
      [names],
    );
    const before = await readState();
    const refusal =
      /^The database was made before 3\.1\.0, the first release, and cannot be upgraded\. Start afresh: stop the rail and remove its DATA_DIR \(\.data\), or name an empty database in DATABASE_URL$/;
    await expect(migrate(database.url)).rejects.toThrow(refusal);
    for (const MIGRATE of ['on', 'off'])
      await expect(openRail(readConfig({ DATABASE_URL: database.url, MIGRATE }), createLog('silent'))).rejects.toThrow(
        refusal,
      );
    expect(await readState()).toEqual(before);
  });
});

describe("a rail whose user is not the database's administrator", () => {
  const user = `u_${randomBytes(6).toString('hex')}`;
  const ownUrl = () => Object.assign(new URL(database.url), { username: user, password: 'a-password' }).href;
  beforeAll(async () => {
    const maintenance = await connect(database.url.replace(/\/[^/]*$/, '/postgres'));
    await maintenance.query(`create role ${user} login password 'a-password'`);
    await maintenance.end();
  });
  afterAll(async () => {
    const maintenance = await connect(database.url.replace(/\/[^/]*$/, '/postgres'));
    await maintenance.query(`drop role ${user}`);
    await maintenance.end();
  });

  it('says what an administrator has to run for oversight, and works once that was done', async () => {
    await database.client.query(`alter database ${database.name} owner to ${user}`);
    await expect(migrate(ownUrl())).rejects.toThrow(
      `an administrator of the database has to run once: create role rail_oversight nologin; grant rail_oversight to ${user}`,
    );
    await database.maintenance.query(`grant rail_oversight to ${user}`);
    // Definitions come with the last migration that is a transaction.
    const last = listMigrations().findLast((migration) => listStatements(migration) === null)!;
    expect(await migrate(ownUrl())).toContain(last.name);
    const { oversight, close } = openDatabase({ url: ownUrl(), replicaUrl: null }, 2, () => {});
    expect(await oversight.rows(sql`select * from oversight.fact_payment`)).toEqual([]);
    await expect(oversight.rows(sql`select * from citizen`)).rejects.toMatchObject({ code: '42501' });
    await close();
  });
});
