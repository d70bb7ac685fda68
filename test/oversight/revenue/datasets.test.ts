import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import type { Manifest } from '../../../src/oversight/revenue/datasets/manifest.ts';
import { COLUMNS } from '../../../src/oversight/revenue/datasets/payment-parts.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { record, write } from './recorded.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'datasets-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function readRows(path: string): Promise<Record<string, unknown>[]> {
  const body = readFileSync(join(folder, path));
  const file = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength);
  return parquetReadObjects({ file, compressors: { ZSTD: (packed) => zstdDecompressSync(packed) } });
}

/** Sums of all files of the folder by month and agency, and the same by PostgreSQL from the events. */
async function sumFiles() {
  const rows = await Promise.all(
    readdirSync(join(folder, 'payment-parts')).map((name) => readRows(`payment-parts/${name}`)),
  );
  const sums = new Map<string, { payments: number; amount: number }>();
  for (const row of rows.flat()) {
    const key = `${(row['occurred_at'] as Date).toISOString().slice(0, 7)} ${String(row['agency'])}`;
    const sum = sums.get(key) ?? { payments: 0, amount: 0 };
    sums.set(key, {
      payments: sum.payments + Number(row['first_part']),
      amount: Math.round((sum.amount + Number(row['amount'])) * 1e4) / 1e4,
    });
  }
  return [...sums].map(([key, sum]) => ({ key, ...sum })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const sumEvents = () =>
  rail.rail.db.rows(sql`
    select to_char(occurred_at at time zone 'utc', 'YYYY-MM') || ' ' || mda as key, count(*)::int as payments,
      sum(amount)::float8 as amount
    from payment_event where occurred_at < date_trunc('month', now()) group by 1 order by 1`);

beforeAll(async () => {
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  await record(rail, 1, 1_500, '2025-01-01');
});

describe('datasets', () => {
  it('has each month that is over as a file whose hash and size the manifest names, and not the one that runs', async () => {
    const { added, manifest } = await write(rail, folder);
    expect(added.map(({ month, kind }) => `${month} ${kind}`)).toEqual([
      '2025-01 month',
      '2025-02 month',
      '2025-03 month',
    ]);
    expect(manifest.files).toEqual(added);
    for (const { path, bytes, sha256, rows } of manifest.files) {
      const body = readFileSync(join(folder, path));
      expect(body.length).toBe(bytes);
      expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
      expect(await readRows(path)).toHaveLength(rows);
    }
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(manifest.seal_heads.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    expect(await sumFiles()).toEqual(await sumEvents());
    const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
    const paths = ['manifest.json', ...manifest.files.map(({ path }) => path)];
    expect([modeOf('payment-parts'), ...new Set(paths.map(modeOf))]).toEqual([0o700, 0o600]);
  });

  it('has the columns that the manifest describes, and nothing of a person', async () => {
    const [row] = await readRows('payment-parts/2025-01.parquet');
    expect(Object.keys(row!)).toEqual(COLUMNS.map(({ name }) => name));
    const people = await rail.rail.db.rows<{ name: string }>(sql`select name from citizen`);
    expect(people.length).toBeGreaterThan(0);
    const text = JSON.stringify(await readRows('payment-parts/2025-01.parquet'));
    for (const { name } of people) expect(text).not.toContain(name);
    expect(text).not.toMatch(/CITIZEN-|ASMT-|PI-\d|SHIFT-|TXN-/);
    // Only callers with `oversight.audit` may see the integrator.
    const [event] = await rail.rail.db.rows<{ integrator: string }>(sql`select integrator from payment_event limit 1`);
    expect(text).not.toContain(event!.integrator);
  });

  it('is read by DuckDB as it is by others: amounts to their last digit, moments and days', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const read = async (query: string) => (await connection.runAndReadAll(query)).getRowObjectsJson();
    const files = `read_parquet('${folder}/payment-parts/*.parquet')`;
    const described = await read(`describe from ${files}`);
    expect(described.map(({ column_name: name }) => name)).toEqual(COLUMNS.map(({ name }) => name));
    expect(Object.fromEntries(described.map(({ column_name: name, column_type: type }) => [name, type]))).toMatchObject(
      {
        occurred_at: 'TIMESTAMP WITH TIME ZONE',
        local_day: 'DATE',
        amount: 'DECIMAL(38,4)',
        quantity: 'INTEGER',
        first_part: 'BOOLEAN',
      },
    );
    const [sums] = await read(`select count(*)::varchar as rows, sum(amount)::varchar as amount from ${files}`);
    const [truth] = await rail.rows(sql`
      select count(*)::text as rows, sum(amount)::numeric(38, 4)::text as amount from payment_event
      where occurred_at < date_trunc('month', now())`);
    expect(sums).toEqual(truth);
    connection.closeSync();
    instance.closeSync();
  });

  it('adds a correction of what was recorded later, again and again, and leaves what it wrote', async () => {
    const path = join(folder, 'payment-parts/2025-02.parquet');
    const { mtimeMs } = statSync(path);
    expect((await write(rail, folder)).added).toEqual([]);
    for (const [at, number] of [2_001, 2_002].entries()) {
      await record(rail, number, number, '2024-12-01');
      const { added } = await write(rail, folder);
      expect(added.map(({ path: written }) => written)).toEqual([`payment-parts/2025-02.correction-${at + 1}.parquet`]);
      const rows = await readRows(added[0]!.path);
      expect(new Set(rows.map(({ event }) => event))).toEqual(new Set([`PEV-2025-01-00${number}`]));
    }
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
    expect(await sumFiles()).toEqual(await sumEvents());
  });

  it('writes a month whole that was not over the last time', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const files = manifest.files.filter(({ month }) => month < '2025-03');
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, through: '2025-02', files }));
    rmSync(join(folder, 'payment-parts/2025-03.parquet'));
    const { added } = await write(rail, folder);
    expect(added.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['payment-parts/2025-03.parquet month']);
    expect(await sumFiles()).toEqual(await sumEvents());
  });

  it('refuses a folder with a manifest of something else, and leaves it as it is', async () => {
    const other = mkdtempSync(join(tmpdir(), 'datasets-'));
    for (const text of ['{"version":2}', 'not JSON']) {
      writeFileSync(join(other, 'manifest.json'), text);
      await expect(write(rail, other)).rejects.toThrow('is not a manifest that this version writes');
      expect(readdirSync(other)).toEqual(['manifest.json']);
      expect(readFileSync(join(other, 'manifest.json'), 'utf8')).toBe(text);
    }
    rmSync(other, { recursive: true });
  });
});
