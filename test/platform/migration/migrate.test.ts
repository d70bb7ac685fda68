import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { listMigrations } from '../../../src/platform/database/migration/list.ts';
import { migrate } from '../../../src/platform/database/migration/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { sql } from '../../../src/platform/database/sql.ts';

const name = `t_${randomBytes(8).toString('hex')}`;
const url = inject('clusterUrl').replace('DATABASE', name);
let maintenance: pg.Client;
let db: pg.Client;

beforeAll(async () => {
  maintenance = new pg.Client({ connectionString: inject('clusterUrl').replace('DATABASE', 'postgres') });
  await maintenance.connect();
});
afterAll(() => maintenance.end());
beforeEach(async () => {
  await maintenance.query(`create database ${name}`);
  db = new pg.Client({ connectionString: url });
  await db.connect();
});
afterEach(async () => {
  await db.end();
  await maintenance.query(`drop database ${name} with (force)`);
});

/** Brings the database to an earlier version, with the rows that it may have had. */
async function atVersion(count: number): Promise<void> {
  await db.query(`create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
    migration_name varchar(255) not null, logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
  await bring(0, count);
}

async function bring(from: number, to: number): Promise<void> {
  for (const { name: migration, sql: statements, checksum } of listMigrations().slice(from, to)) {
    await db.query(statements);
    await db.query(
      'insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ($1, $2, $3, now())',
      [migration, checksum, migration],
    );
  }
}

describe('a database of the first version', () => {
  it('keeps its accounts, keys and audit log when it is brought to this one', async () => {
    await atVersion(1);
    await db.query(`
      insert into integrator values ('OLD-ABCDEF', 'Old', 'old@example.com', 'Old', 'sandbox', 'free', 'Active', false, now(), now());
      insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at) values
        ('KEY-2020-000001', 'OLD-ABCDEF', 'x', 'rail_sandbox_', 'abcd', '\\x01', 'active', '{citizens.read}', now()),
        ('KEY-2020-000002', 'OLD-ABCDEF', 'x', 'rail_sandbox_', 'abcd', '\\x02', 'revoked', '{citizens.read}', now());
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, actor)
        select gen_random_uuid(), timestamptz '2026-09-30T23:00:00Z' + n * interval '1 hour', 'r' || n, 200, 'GET /v1/x', 'api.auth.granted', 'OLD-ABCDEF', 'x'
        from generate_series(1, 2000) n`);
    const grants = listMigrations().findIndex(({ name: migration }) => migration.endsWith('_grants'));
    await bring(1, grants);
    await db.query(`insert into api_key (name, integrator, label, prefix, last4, hash, status, scopes, created_at, replaces)
      select 'KEY-2020-000003', integrator, label, prefix, last4, '\\x03', 'active', scopes, now(), name from api_key where name = 'KEY-2020-000001'`);
    expect(await migrate(url)).toEqual(
      listMigrations()
        .slice(grants)
        .map((migration) => migration.name),
    );
    const { rows } = await db.query(`
      select (select count(*)::int from audit_log) as audit, (select count(*)::int from audit_log_2026_10) as october,
        (select array_agg(status || ' ' || (revoked_at is not null) order by name) from api_key) as keys, (select scopes from integrator) as scopes,
        (select array_agg(name || ' ' || lineage || ' ' || manages_account order by name) from api_key) as managing`);
    expect(rows).toEqual([
      {
        audit: 2_000,
        october: 744,
        keys: ['active false', 'revoked true', 'active false'],
        scopes: ['citizens.read', 'assessments.write', 'payments.initiate'],
        managing: [
          'KEY-2020-000001 KEY-2020-000001 true',
          'KEY-2020-000002 KEY-2020-000002 false',
          'KEY-2020-000003 KEY-2020-000001 true',
        ],
      },
    ]);
    expect(await migrate(url)).toEqual([]);
  });
});

describe('a database from before splits had to follow the lines', () => {
  it('keeps the intents that were split otherwise, and says so of them', async () => {
    const splits = listMigrations().findIndex(({ name: migration }) => migration.endsWith('_splits'));
    await atVersion(splits);
    await db.query(`
      insert into citizen (name, nin, full_name, verified, search_text, created_at, updated_at) values ('CITIZEN-2020-000001', 'CF93042100ABCD', 'X', true, '', now(), now());
      insert into mda (name, mda_name, interaction_mode, country, mda_type, status, collection_account, created_at, updated_at)
        select code, code, 'A', 'UG', 'agency', 'Active', '9030000000001', now(), now() from unnest('{A,B}'::text[]) code;
      insert into service (name, service_name, code, mda, sector, family, status, fee_amount, currency, search_text, created_at, updated_at)
        values ('SVC-2020-000001', 'X', 'A-1', 'A', 'tax', 'fee', 'Active', 100, 'UGX', '', now(), now());
      insert into assessment (name, citizen, status, currency, total_amount, line_count, revision, assessed_at, created_at, updated_at)
        values ('ASMT-2020-01-000001', 'CITIZEN-2020-000001', 'Assessed', 'UGX', 100, 1, 1, now(), now(), now());
      insert into assessment_line values ('ASMT-2020-01-000001', 1, 'SVC-2020-000001', 'X', 'A', 1, 100, 100);
      insert into payment_intent (name, assessment, channel, status, amount, currency, aggregator, revision, expires_at, created_at, updated_at)
        select 'PI-2020-01-' || n, 'ASMT-2020-01-000001', 'card', 'Pending', 100, 'UGX', 'card', 1, now(), now(), now() from generate_series(1, 3) n;
      insert into split_rule (intent, mda, amount) values ('PI-2020-01-1', 'A', 100), ('PI-2020-01-2', 'B', 100), ('PI-2020-01-3', 'A', 99), ('PI-2020-01-3', 'B', 1)`);
    await migrate(url);
    const { rows } = await db.query('select name from payment_intent where split_override order by name');
    expect(rows).toEqual([{ name: 'PI-2020-01-2' }, { name: 'PI-2020-01-3' }]);
  });
});

describe("a rail whose user is not the database's administrator", () => {
  const user = `u_${randomBytes(6).toString('hex')}`;
  const own = `t_${randomBytes(8).toString('hex')}`;
  const ownUrl = (() => {
    const address = new URL(inject('clusterUrl').replace('DATABASE', own));
    address.username = user;
    address.password = 'a-password';
    return address.href;
  })();
  beforeAll(async () => {
    await maintenance.query(`create role ${user} login password 'a-password'`);
    await maintenance.query(`create database ${own} owner ${user}`);
  });
  afterAll(async () => {
    await maintenance.query(`drop database ${own} with (force)`);
    await maintenance.query(`drop role ${user}`);
  });

  it('says what an administrator has to run for oversight, and works once that was done', async () => {
    await expect(migrate(ownUrl)).rejects.toThrow(
      `an administrator of the database has to run once: create role rail_oversight nologin; grant rail_oversight to ${user}`,
    );
    await maintenance.query(`grant rail_oversight to ${user}`);
    expect(await migrate(ownUrl)).toContain('0006_oversight');
    const { oversight, close } = openDatabase({ url: ownUrl, replicaUrl: null }, 2, () => {});
    expect(await oversight.rows(sql`select * from oversight.fact_payment`)).toEqual([]);
    await expect(oversight.rows(sql`select * from citizen`)).rejects.toMatchObject({ code: '42501' });
    await close();
  });
});
