import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { INSTALLED, InstalledPostgres, PATH_TO_INSTALLED } from '../../harness/chaos/database/installed.ts';
import { catchUp } from '../../harness/ledger.ts';
import { capture, run } from '../../harness/processes.ts';
import { TestRail } from '../../harness/rail.ts';

const ADMIN = 'src/app/cli/admin.ts';
const folder = mkdtempSync(join(tmpdir(), 'rail-backup-'));
const marker = join(folder, 'marker');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = (url: string, path = PATH_TO_INSTALLED) => ({ PATH: path, DATABASE_URL: url, BACKUP_MARKER: marker });

describe.skipIf(INSTALLED === null)('a backup (needs a PostgreSQL of the machine with pg_dump)', () => {
  let postgres: InstalledPostgres;
  let rail: TestRail;
  let backup: string;

  beforeAll(async () => {
    postgres = new InstalledPostgres();
    await postgres.begin();
    for (const statement of [
      'create role rail_oversight nologin',
      'create role rail_runtime nologin in role rail_oversight',
      "create role rail_owner login password 'of the owner' in role rail_oversight",
      'create database rail owner rail_owner',
    ])
      await postgres.query('postgres', statement);
    rail = new TestRail({ DATABASE_URL: postgres.url('rail', 'rail_owner'), MIGRATE: 'on' });
    await rail.start();
    const actor = await makeActor(rail);
    for (let count = 0; count < 3; count++) await createConfirmed(rail, actor);
    await catchUp(rail);
    // As where the server has had more transactions than the next one.
    await rail.rows(sql`update fact_feed set trimmed = '9000000000'`);
    const made = await capture(ADMIN, ['backup', join(folder, 'kept'), '--json'], env(rail.rail.config.databaseUrl!));
    backup = (JSON.parse(made) as { folder: string }).folder;
  });
  afterAll(async () => {
    await rail?.stop();
    await postgres?.stop();
    postgres?.remove();
  });

  const restoreInto = async (database: string, from = backup) => {
    await postgres.query('postgres', `create database ${database}`);
    return run(ADMIN, ['restore', from, '--into', postgres.url(database), '--json'], { PATH: PATH_TO_INSTALLED });
  };

  it('is for its user alone, says what it holds, and is noted once it is whole', async () => {
    expect(readdirSync(join(folder, 'kept'))).toHaveLength(1);
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ kind: 'dump', mode: 'sandbox', files: { 'rail.dump': expect.any(String) } });
    expect(manifest.heads).toEqual(await rail.rows(sql`select mda, sequence, hash from oversight.seal order by mda`));
    expect(manifest.heads.length).toBeGreaterThan(1);
    expect(readFileSync(marker, 'utf8').trim()).toBe(manifest.made_at);
  });

  it('is restored elsewhere by another role, with the same seals, and goes on from there', async () => {
    const { code, output, errors } = await restoreInto('elsewhere');
    expect(errors).toBe('');
    expect(JSON.parse(output)).toMatchObject({ right: true, mode: 'sandbox', findings: [] });
    expect(code).toBe(0);
    expect(await postgres.query('elsewhere', 'select trimmed::text from fact_feed')).toEqual([{ trimmed: '0' }]);
    const heads = await capture(
      ADMIN,
      ['ledger:verify', '--heads', join(backup, 'manifest.json'), '--json'],
      env(postgres.url('elsewhere')),
    );
    expect(JSON.parse(heads).chains[0].heads[0]).toMatchObject({ found: expect.stringMatching(/^[0-9a-f]{64}$/) });

    const names = sql`select name from assessment order by name`;
    const before = await rail.rows<{ name: string }>(names);
    const restored = new TestRail({ DATABASE_URL: postgres.url('elsewhere'), MIGRATE: 'on' });
    await restored.start();
    try {
      expect(await restored.rows(names)).toEqual(before);
      const { assessment } = await createConfirmed(restored, await makeActor(restored));
      expect(before.map(({ name }) => name)).not.toContain(assessment);
      await expect(restored.rows(sql`update payment_event set amount = amount + 1`)).rejects.toThrow(/append-only/);
      const [mode] = await restored.rows(sql`select mode from database_mode`);
      expect(mode).toEqual({ mode: 'sandbox' });
      await postgres.query('elsewhere', 'set role rail_runtime; select count(*) from payment_event');
    } finally {
      await restored.stop();
    }
  });

  it('is not restored over anything', async () => {
    const { code, errors } = await run(ADMIN, ['restore', backup, '--into', rail.rail.config.databaseUrl!], env(''));
    expect(errors).toBe('--into: the database is not empty; make a new one with createdb\n');
    expect(code).toBe(1);
  });

  it('is found out where its rows were edited, or its seals made again, and the hashes of its files with them', async () => {
    expect((await restoreInto('edited')).code).toBe(0);
    await postgres.query(
      'edited',
      `set session_replication_role = replica;
       update payment_event set amount = amount + 1 where name = (select min(event) from event_seal)`,
    );
    const edited = JSON.parse(
      await capture(ADMIN, ['backup', join(folder, 'edited'), '--json'], env(postgres.url('edited'))),
    ) as { folder: string };
    const found = await restoreInto('found', edited.folder);
    expect(JSON.parse(found.output)).toMatchObject({ right: false });
    expect(found.code).toBe(1);

    // The rows of before, with the head of another history.
    const path = join(backup, 'manifest.json');
    const text = readFileSync(path, 'utf8');
    const manifest = JSON.parse(text);
    manifest.heads[0].hash = 'f'.repeat(64);
    writeFileSync(path, JSON.stringify(manifest));
    try {
      const { code, output } = await restoreInto('other');
      expect(JSON.parse(output).findings).toMatchObject([{ check: 'kept_head', count: 1 }]);
      expect(code).toBe(1);
    } finally {
      writeFileSync(path, text);
    }
  });
});
