import { beforeEach, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { ConfigError } from '../../../src/kernel/refusal.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { DatabaseHealth } from '../../../src/platform/database/health.ts';
import { listWaiting } from '../../../src/platform/database/migration/contract.ts';
import {
  listDefinitions,
  makeDefinition,
  orderDefinitions,
} from '../../../src/platform/database/migration/definitions.ts';
import { listMigrations } from '../../../src/platform/database/migration/list.ts';
import { listMissing, migrate } from '../../../src/platform/database/migration/migrate.ts';
import { VERSION } from '../../../src/platform/database/migration/version.ts';
import { PRESENCE_LOCKS } from '../../../src/platform/database/presence.ts';
import { LATER } from '../../harness/run/versions.ts';
import { readCatalogue } from './catalogue.ts';
import { EmptyDatabase, connect } from './empty-database.ts';

const database = new EmptyDatabase('test');
const another = new EmptyDatabase('test');
const [EXPAND, INDEX, CONTRACT] = LATER.map(({ name }) => name);
/** Keeps old and new alike until the contract. */
const UNTIL = {
  'functions/follow_later': `-- Until ${CONTRACT}
    create or replace function follow_later() returns trigger language plpgsql as $$ begin return null; end $$;`,
  'triggers/searched_day': `-- Until ${CONTRACT}
    create trigger follow after update on searched_day for each row execute function follow_later();`,
};
/** The version after this one. */
const later = {
  migrations: [...listMigrations(), ...LATER],
  definitions: orderDefinitions([
    ...listDefinitions(),
    ...Object.entries(UNTIL).map(([name, sql]) => makeDefinition(name, sql)),
  ]),
};
const contract = () => migrate(database.url, later, { contract: true });

describe('a database that the version before uses too', () => {
  beforeEach(async () => {
    await migrate(database.url);
  });

  it('is contracted when an operator asks for it, and is like a new one then', async () => {
    expect(await migrate(database.url, later)).toEqual([EXPAND, INDEX, ...Object.keys(UNTIL)]);
    expect(await migrate(database.url, later)).toEqual([]);
    expect(await listMissing(database.url, later)).toEqual([]);
    expect(await listWaiting(database.url, later.migrations)).toEqual([CONTRACT]);
    const health = new DatabaseHealth(database.url, () => {}, later.migrations);
    expect(await health.check()).toBe('ready');
    await health.close();
    expect(await contract()).toEqual([CONTRACT, ...Object.keys(UNTIL)]);
    expect(await listWaiting(database.url, later.migrations)).toEqual([]);
    expect(await listMissing(database.url, later)).toEqual([]);
    expect(await contract()).toEqual([]);
    await migrate(another.url, later);
    const [contracted, fresh] = await Promise.all(
      [database, another].map(({ client }) => readCatalogue(client, ['public', 'oversight'])),
    );
    expect(contracted).toEqual(fresh);
  });

  it.each([
    ['revenue-rail presence', 'an unknown version'],
    ['revenue-rail presence 3.0.9', '3.0.9'],
  ])('is not contracted while %s is connected', async (name, version) => {
    await migrate(database.url, later);
    const older = await connect(`${database.url}?application_name=${encodeURIComponent(name)}`);
    const same = await connect(
      `${database.url}?application_name=${encodeURIComponent(`revenue-rail presence ${VERSION}`)}`,
    );
    try {
      for (const [id, client] of [older, same].entries())
        await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, id]);
      await expect(contract()).rejects.toThrow(
        new ConfigError(
          `Processes that need what goes with ${VERSION} are still connected: 1 of ${version}. Stop them first`,
        ),
      );
      expect(await listWaiting(database.url, later.migrations)).toEqual([CONTRACT]);
      await older.query('select pg_advisory_unlock_all()');
      expect(await contract()).toEqual([CONTRACT, ...Object.keys(UNTIL)]);
    } finally {
      await older.end();
      await same.end();
    }
  });
});

describe('a database of a later version', () => {
  const book = (name: string) =>
    database.client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ($1, 'x', $1, now())`,
      [name],
    );

  it('is used where it was only added to, and said so; it is refused once it was contracted', async () => {
    await migrate(database.url);
    await book('9998_later');
    const logged: string[] = [];
    const log = createLog('warn', { write: (line: string) => void logged.push(line) });
    const { close } = await openRail(readConfig({ DATABASE_URL: database.url }), log);
    await close();
    expect(logged.map((line) => JSON.parse(line) as { msg: string; later?: string[] })).toContainEqual(
      expect.objectContaining({ msg: 'the database has migrations of a later version', later: ['9998_later'] }),
    );
    await book('9999_contract_later');
    await expect(openRail(readConfig({ DATABASE_URL: database.url }), log)).rejects.toThrow(
      /^DATABASE_URL: a later version has applied 9999_contract_later, after which this one cannot use the database; start the later version$/,
    );
  });
});
