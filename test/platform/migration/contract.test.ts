import { beforeEach, describe, expect, it } from 'vitest';
import { openRail } from '../../../src/app/open-rail.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { ConfigError } from '../../../src/kernel/refusal.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { DatabaseHealth } from '../../../src/platform/database/health.ts';
import { readCatalogue } from '../../../src/platform/database/migration/catalogue.ts';
import { listWaiting } from '../../../src/platform/database/migration/contract.ts';
import { listMissing, migrate } from '../../../src/platform/database/migration/migrate.ts';
import { VERSION } from '../../../src/platform/database/migration/version.ts';
import { PRESENCE_LOCKS } from '../../../src/platform/database/presence.ts';
import { EmptyDatabase, connect } from './empty-database.ts';
import { undoContract } from './undo-contract.ts';

const database = new EmptyDatabase('test');
const CONTRACT = '0018_contract_account_webhooks';
/** What is defined until then. */
const UNTIL = [
  'functions/follow_account_endpoint',
  'functions/follow_default_endpoint',
  'triggers/integrator',
  'triggers/webhook_endpoint',
];
const contract = () => migrate(database.url, undefined, { contract: true });
const schema = () => readCatalogue(database.client, ['public', 'oversight']);

describe('a database that the version before uses too', () => {
  beforeEach(async () => {
    await migrate(database.url);
  });

  it('is contracted when an operator asks for it, and is like a new one then', async () => {
    const fresh = await schema();
    await undoContract(database.url);
    expect(await schema()).not.toEqual(fresh);
    expect(await migrate(database.url)).toEqual([]);
    expect(await listMissing(database.url)).toEqual([]);
    expect(await listWaiting(database.url)).toEqual([CONTRACT]);
    const health = new DatabaseHealth(database.url, () => {});
    expect(await health.check()).toBe('ready');
    await health.close();
    expect(await contract()).toEqual([CONTRACT, ...UNTIL]);
    expect(await schema()).toEqual(fresh);
    expect(await listWaiting(database.url)).toEqual([]);
    expect(await listMissing(database.url)).toEqual([]);
    expect(await contract()).toEqual([]);
  });

  it.each([
    ['revenue-rail presence', 'a version before 3.1'],
    ['revenue-rail presence 3.0.9', '3.0.9'],
  ])('is not contracted while %s is connected', async (name, version) => {
    await undoContract(database.url);
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
      expect(await listWaiting(database.url)).toEqual([CONTRACT]);
      await older.query('select pg_advisory_unlock_all()');
      expect(await contract()).toEqual([CONTRACT, ...UNTIL]);
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
