import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import type { Manifest, WrittenFile } from '../../../src/oversight/revenue/datasets/manifest.ts';
import { COLUMNS } from '../../../src/oversight/revenue/datasets/payment-parts.ts';
import { writeDatasets } from '../../../src/oversight/revenue/datasets/write.ts';
import { placeEvents } from '../../../src/oversight/events/place.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'datasets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Payment events of other days, each of the amount of its number, with all that oversight learns of them. */
async function record(from: number, to: number, first: string) {
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      insert into payment_event (name, intent, assessment, integrator, mda, amount, currency, channel, kind,
        aggregator_reference, txn_id, occurred_at, created_at)
      select 'PEV-2025-01-' || lpad(n::text, 6, '0'), 'PI-2025-01-' || lpad(n::text, 6, '0'), assessment, integrator,
        mda, 1000 + n, currency, channel, kind, 'R-' || n, null, ${first}::timestamptz + n * interval '1 hour', now()
      from (select * from payment_event order by name limit 1) e, generate_series(${from}::int, ${to}::int) n`);
  });
  while ((await placeEvents(rail.rail)) > 0);
}

async function write(into = folder): Promise<{ added: WrittenFile[]; manifest: Manifest }> {
  const added: WrittenFile[] = [];
  const writing = writeDatasets(rail.rail, into);
  for (;;) {
    const step = await writing.next();
    if (step.done) return { added, manifest: step.value };
    added.push(step.value);
  }
}

async function readRows(path: string): Promise<Record<string, unknown>[]> {
  const body = readFileSync(join(folder, path));
  const file = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength);
  return parquetReadObjects({ file, compressors: { ZSTD: (packed) => zstdDecompressSync(packed) } });
}

/** What all files of the folder say, a month and agency each, as PostgreSQL says it of the events themselves. */
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
  await record(1, 1_500, '2025-01-01');
});

describe('datasets', () => {
  it('has each month that is over as a file whose hash and size the manifest names, and not the one that runs', async () => {
    const { added, manifest } = await write();
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
  });

  it('has the columns that the manifest describes, and nothing of a person', async () => {
    const [row] = await readRows('payment-parts/2025-01.parquet');
    expect(Object.keys(row!)).toEqual(COLUMNS.map(({ name }) => name));
    const people = await rail.rail.db.rows<{ name: string }>(sql`select name from citizen`);
    expect(people.length).toBeGreaterThan(0);
    const text = JSON.stringify(await readRows('payment-parts/2025-01.parquet'));
    for (const { name } of people) expect(text).not.toContain(name);
  });

  it('adds a correction of what was recorded later, again and again, and leaves what it wrote', async () => {
    const path = join(folder, 'payment-parts/2025-02.parquet');
    const { mtimeMs } = statSync(path);
    expect((await write()).added).toEqual([]);
    for (const [at, number] of [2_001, 2_002].entries()) {
      await record(number, number, '2024-12-01');
      const { added } = await write();
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
    const { added } = await write();
    expect(added.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['payment-parts/2025-03.parquet month']);
    expect(await sumFiles()).toEqual(await sumEvents());
  });

  it('refuses a folder with a manifest of something else, and leaves it as it is', async () => {
    const other = mkdtempSync(join(tmpdir(), 'datasets-'));
    for (const text of ['{"version":2}', 'not JSON']) {
      writeFileSync(join(other, 'manifest.json'), text);
      await expect(write(other)).rejects.toThrow('is not a manifest that this version writes');
      expect(readdirSync(other)).toEqual(['manifest.json']);
      expect(readFileSync(join(other, 'manifest.json'), 'utf8')).toBe(text);
    }
    rmSync(other, { recursive: true });
  });
});
