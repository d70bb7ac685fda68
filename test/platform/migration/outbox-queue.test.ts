import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listMigrations } from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';

const name = `t_${randomBytes(8).toString('hex')}`;
const url = inject('clusterUrl').replace('DATABASE', name);
let maintenance: pg.Client;
let db: pg.Client;

/** What processes of 2.0 send, when they add messages and when they look for what waits. */
const ADD = `insert into outbox (id, type, object, sequence, payload, created_at)
  select gen_random_uuid(), 'x', $1, n, '{}', now() from generate_series(1, 2) n`;
const LOOK = 'select id from outbox where relayed_at is null';

const idsOf = async (text: string, values: unknown[] = []) =>
  (await db.query<{ id: string }>(text, values)).rows.map(({ id }) => id).toSorted();
const queued = () => idsOf('select message as id from outbox_queue');
const messagesOf = (object: string) => idsOf('select id from outbox where object = $1', [object]);

beforeAll(async () => {
  maintenance = new pg.Client({ connectionString: inject('clusterUrl').replace('DATABASE', 'postgres') });
  await maintenance.connect();
  await maintenance.query(`create database ${name}`);
  db = new pg.Client({ connectionString: url });
  await db.connect();
  await migrate(
    url,
    listMigrations().filter((migration) => migration.name < '0195'),
  );
  await db.query(ADD, ['done']);
  await db.query('update outbox set relayed_at = now()');
  await db.query(ADD, ['waiting']);
  await migrate(url);
}, 60_000);
afterAll(async () => {
  await db.end();
  await maintenance.query(`drop database ${name} with (force)`);
  await maintenance.end();
});

describe('a rail that is upgraded from 2.0 while messages wait', () => {
  it('queues those that wait, and those that processes of 2.0 add, which take none any more', async () => {
    const waiting = await messagesOf('waiting');
    expect(await queued()).toEqual(waiting);
    await db.query(ADD, ['added']);
    expect(await queued()).toEqual([...waiting, ...(await messagesOf('added'))].toSorted());
    expect(await idsOf(LOOK)).toEqual([]);
  });

  it('changes no message from then on', async () => {
    await expect(db.query('update outbox set relayed_at = now()')).rejects.toThrow('append-only');
    await expect(db.query('delete from outbox')).rejects.toThrow('append-only');
  });
});
