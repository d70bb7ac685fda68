import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { archiveMonths, purgeArchive } from '../../../src/platform/audit/archive.ts';
import { readAudit } from '../../../src/platform/audit/read.ts';
import { makeActor } from '../../harness/flow.ts';
import { capture } from '../../harness/processes.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const folder = () => join(rail.dataDir, 'archive');

const MONTHS = ['2025-01', '2025-02'];
const ROWS_A_MONTH = 6_000;
let entered = 0;

/** Fills two long past months. */
async function enterMonths(): Promise<void> {
  for (const month of MONTHS) {
    await rail.rows(sql`select ensure_audit_partition(${`${month}-15T00:00:00Z`}::timestamptz)`);
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, integrator, key, actor)
      select gen_random_uuid(), ${`${month}-01T00:00:00Z`}::timestamptz + n * interval '400 seconds', 'r-' || n, 200,
        'GET /v1/x', 'api.auth.granted',
        case when n % 2 = 0 then 'EVEN-ABCDEF' end, null, 'x' from generate_series(0, ${ROWS_A_MONTH - 1}) n`);
  }
  entered = MONTHS.length * ROWS_A_MONTH;
}

const partitions = () => rail.count(sql`select 1 from pg_inherits where inhparent = 'audit_log'::regclass`);
const inDatabase = () => rail.count(sql`select 1 from audit_log where ts < '2025-03-01'`);

async function readAll(from: string, to: string, integrator: string | null = null) {
  const entries = [];
  for await (const entry of readAudit(rail.rail, { from: new Date(from), to: new Date(to), integrator }))
    entries.push(entry);
  return entries;
}

beforeEach(async () => {
  for (const month of MONTHS) await rail.query(`drop table if exists audit_log_${month.replace('-', '_')}`);
  await rail.rows(sql`delete from audit_archive`);
  rmSync(folder(), { recursive: true, force: true });
  await enterMonths();
});

describe('the archive of the audit log', () => {
  it('takes the months that are over since before the hot window, each into a checked file, and reads them again as if they were there', async () => {
    const before = await readAll('2025-01-01', '2025-03-01');
    expect(before).toHaveLength(entered);
    const tables = await partitions();
    expect(await archiveMonths(rail.rail)).toBe(2);
    expect([await inDatabase(), await partitions()]).toEqual([0, tables - 2]);
    expect(readdirSync(folder()).toSorted()).toEqual([
      'audit-2025-01.manifest.json',
      'audit-2025-01.ndjson.gz',
      'audit-2025-02.manifest.json',
      'audit-2025-02.ndjson.gz',
      'writing',
    ]);
    const manifest = JSON.parse(readFileSync(join(folder(), 'audit-2025-01.manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      month: '2025-01-01',
      file: 'audit-2025-01.ndjson.gz',
      rows: ROWS_A_MONTH,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      gunzipSync(readFileSync(join(folder(), manifest.file)))
        .toString()
        .trimEnd()
        .split('\n'),
    ).toHaveLength(ROWS_A_MONTH);
    expect(await readAll('2025-01-01', '2025-03-01')).toEqual(before);
    expect(await readAll('2025-01-31', '2025-02-02', 'EVEN-ABCDEF')).toEqual(
      before.filter(({ ts, integrator }) => ts >= '2025-01-31' && ts < '2025-02-02' && integrator === 'EVEN-ABCDEF'),
    );
    expect(await archiveMonths(rail.rail)).toBe(0);
  });

  it('leaves the hot window alone: a month moves once its last day is 90 days ago', async () => {
    // Of a month that ends within these 31 days, whichever day it is.
    await rail.rows(
      sql`select ensure_audit_partition(now() - make_interval(days => day)) from generate_series(60, 95, 7) day`,
    );
    const edge = () => rail.count(sql`select 1 from audit_archive where month > '2025-02-01'`);
    await archiveMonths(rail.rail);
    const before = await edge();
    rail.advance(31 * 24);
    await archiveMonths(rail.rail);
    rail.advance(-31 * 24);
    expect(await edge()).toBeGreaterThan(before);
    expect(
      await rail.count(
        sql`select 1 from audit_archive where month + interval '1 month' > now() + interval '31 days' - interval '90 days'`,
      ),
    ).toBe(0);
  });

  it('drops nothing where the file cannot be read back, or the month has grown meanwhile', async () => {
    mkdirSync(join(folder(), 'audit-2025-01.ndjson.gz'), { recursive: true });
    await expect(archiveMonths(rail.rail)).rejects.toThrow();
    expect(await inDatabase()).toBe(entered);
    rmSync(folder(), { recursive: true, force: true });
    await expect(
      rail.rows(
        sql`select archive_audit_partition('2025-01-01', 'x', ${ROWS_A_MONTH - 1}::bigint, 1::bigint, 'x', now())`,
      ),
    ).rejects.toThrow(/has 6000 rows, its file 5999/);
    expect(await inDatabase()).toBe(entered);
    // An interrupted file is no obstacle.
    mkdirSync(join(folder(), 'writing'), { recursive: true });
    writeFileSync(join(folder(), 'writing', 'audit-2025-01.ndjson.gz'), 'half');
    expect(await archiveMonths(rail.rail)).toBe(2);
    expect(await readAll('2025-01-01', '2025-03-01')).toHaveLength(entered);
  });

  it('leaves the file of a month alone to which rows came later, and reads both', async () => {
    await archiveMonths(rail.rail);
    const before = readFileSync(join(folder(), 'audit-2025-01.ndjson.gz'));
    await rail.rows(sql`select ensure_audit_partition('2025-01-15T00:00:00Z')`);
    await rail.rows(sql`
      insert into audit_log (id, ts, request_id, http_status, endpoint, event, actor)
      values (gen_random_uuid(), '2025-01-15T00:00:00Z', 'late', 200, 'GET /v1/x', 'api.auth.granted', 'x')`);
    expect(await archiveMonths(rail.rail)).toBe(0);
    expect(readFileSync(join(folder(), 'audit-2025-01.ndjson.gz'))).toEqual(before);
    const january = await readAll('2025-01-01', '2025-02-01');
    expect(january).toHaveLength(ROWS_A_MONTH + 1);
    expect(january.filter(({ request_id }) => request_id === 'late')).toHaveLength(1);
  });

  it('says so where a file was changed, or is gone, instead of leaving its entries out', async () => {
    await archiveMonths(rail.rail);
    const file = join(folder(), 'audit-2025-02.ndjson.gz');
    const bytes = readFileSync(file);
    bytes[bytes.length - 20]! ^= 1;
    writeFileSync(file, bytes);
    await expect(readAll('2025-01-01', '2025-03-01')).rejects.toThrow(/checksum differs/);
    rmSync(file);
    await expect(readAll('2025-01-01', '2025-03-01')).rejects.toThrow(/its 6000 entries cannot be read/);
    expect(await readAll('2025-01-01', '2025-02-01')).toHaveLength(ROWS_A_MONTH);
  });

  it('keeps files for seven years', async () => {
    await archiveMonths(rail.rail);
    const hours = (Date.parse('2032-02-02') - Date.now()) / 3_600_000;
    rail.advance(hours - 48);
    expect(await purgeArchive(rail.rail)).toBe(0);
    rail.advance(48);
    expect(await purgeArchive(rail.rail)).toBe(1);
    rail.advance(-hours);
    expect([
      existsSync(join(folder(), 'audit-2025-01.ndjson.gz')),
      existsSync(join(folder(), 'audit-2025-02.ndjson.gz')),
    ]).toEqual([false, true]);
    expect(existsSync(join(folder(), 'audit-2025-01.manifest.json'))).toBe(false);
  });

  it('is read by npm run admin -- audit:read, a line an entry or as one array', { tags: 'long' }, async () => {
    await archiveMonths(rail.rail);
    const env = { DATABASE_URL: rail.url, DATA_DIR: rail.dataDir };
    const args = ['audit:read', '--from', '2025-01-30', '--to', '2025-02-01'];
    const lines = (await capture('src/app/cli/admin.ts', args, env)).trimEnd().split('\n');
    const expected = await readAll('2025-01-30', '2025-02-02');
    expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
    expect(
      JSON.parse(await capture('src/app/cli/admin.ts', [...args, '--integrator', 'EVEN-ABCDEF', '--json'], env)),
    ).toEqual(expected.filter(({ integrator }) => integrator === 'EVEN-ABCDEF'));
    expect(
      JSON.parse(
        await capture(
          'src/app/cli/admin.ts',
          ['audit:read', '--from', '2020-01-01', '--to', '2020-01-02', '--json'],
          env,
        ),
      ),
    ).toEqual([]);
  });
});

describe('the audit log', () => {
  it('makes the table of a month that nobody has made', async () => {
    const actor = await makeActor(rail);
    const hours = 400 * 24;
    rail.advance(hours);
    const { headers } = await actor.post('/v1/assessments', {});
    rail.advance(-hours);
    expect(await rail.count(sql`select 1 from audit_log where request_id = ${headers.get('x-request-id')}`)).toBe(1);
  });

  it('cannot be rewritten, by way of a month’s table either', async () => {
    const actor = await makeActor(rail);
    await actor.post('/v1/assessments', {});
    const table = `audit_log_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
    for (const statement of [
      'update audit_log set http_status = 200',
      `update ${table} set http_status = 200`,
      `delete from ${table}`,
      'delete from audit_log',
      `truncate ${table}`,
      'truncate audit_log',
    ]) {
      await expect(rail.query(statement), statement).rejects.toThrow(/append-only/);
    }
  });
});
