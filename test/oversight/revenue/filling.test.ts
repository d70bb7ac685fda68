import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../harness/chaos/size.ts';
import { FACTS } from '../../../src/oversight/facts/facts.ts';
import { paymentFiles } from '../../../src/oversight/revenue/datasets/fill.ts';
import type { Manifest } from '../../../src/oversight/revenue/datasets/manifest.ts';
import { Copy } from '../../../src/platform/analytics/copy.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { record, write } from './recorded.ts';

const rail = testRail();
const folder = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MADE = /"files":(true|false),.*the copy of facts was made/;

/** Fills a copy of its own, as a new process does; how that was done, and what of it differs from PostgreSQL. */
async function fill() {
  const pools = openDatabase({ url: rail.url, replicaUrl: null }, 2, () => {});
  const own = mkdtempSync(join(tmpdir(), 'copy-'));
  const options = { folder: own, memoryMb: 256, threads: 1, files: folder };
  const copy = new Copy(pools.facts, FACTS, options, rail.rail.log, { files: paymentFiles(folder) });
  const before = rail.logged.length;
  try {
    const rows = await copy.row<{ n: number }>(sql`select count(*)::int as n from payment`);
    const said = rail.logged.slice(before);
    const byFiles = said.map((line) => MADE.exec(line)?.[1]).find((made) => made !== undefined);
    const differences = await copy.verify();
    return {
      byFiles: byFiles === 'true',
      why: said.find((line) => line.includes('is not filled from files')) ?? null,
      rows: rows!.n,
      differences,
      // If it differed, it was made again.
      after: differences.length > 0 ? await copy.verify() : [],
    };
  } finally {
    await copy.close();
    await pools.close();
    rmSync(own, { recursive: true });
  }
}

const manifestPath = join(folder, 'manifest.json');
const readManifest = () => JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;

/** The rows that there are of payments. */
const countParts = () => rail.count(sql`select from event_share`);

beforeAll(async () => {
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  await record(rail, 1, 600, '2025-01-01');
  await write(rail, folder);
});

describe('a copy of facts that is filled from files', () => {
  it('has the payments of all that was recorded, down to the last column', async () => {
    expect(await fill()).toEqual({ byFiles: true, why: null, rows: await countParts(), differences: [], after: [] });
  });

  it(
    'has what came after the files were written: of this month, of earlier ones, and without a place in the stream',
    { tags: 'long' },
    async () => {
      await createConfirmed(rail, await makeActor(rail));
      await record(rail, 2_001, 2_010, '2024-12-01');
      const [late] = await rail.rows<{ name: string }>(sql`select max(name) as name from payment_event`);
      await rail.rail.transaction(async (db) => {
        await db.rows(sql`set local session_replication_role = replica`);
        await db.rows(sql`
        insert into payment_event select (jsonb_populate_record(e, jsonb_build_object('name', 'PEV-2025-01-003000',
          'intent', 'PI-2025-01-003000', 'occurred_at', '2025-01-05'))).* from payment_event e where name = ${late!.name}`);
      });
      expect(await rail.count(sql`select from oversight_tail`)).toBeGreaterThan(0);
      const rows = await countParts();
      expect(await fill()).toEqual({ byFiles: true, why: null, rows, differences: [], after: [] });
      await write(rail, folder);
      expect(readManifest().files.filter(({ kind }) => kind === 'correction')).not.toEqual([]);
      expect(await fill()).toEqual({ byFiles: true, why: null, rows, differences: [], after: [] });
    },
  );

  it('takes what verification finds from PostgreSQL alone', { tags: 'long' }, async () => {
    const manifest = readManifest();
    const [first] = manifest.files;
    const path = join(folder, first!.path);
    renameSync(path, `${path}.kept`);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`
      copy (select * replace (amount + 1 as amount) from read_parquet('${path}.kept')) to '${path}' (format parquet)`);
    connection.closeSync();
    instance.closeSync();
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const files = manifest.files.map((file) => (file.path === first!.path ? { ...file, sha256 } : file));
    writeFileSync(manifestPath, JSON.stringify({ ...manifest, files }));
    const { byFiles, differences, after } = await fill();
    expect(byFiles).toBe(true);
    expect(differences.length).toBeGreaterThan(0);
    expect(after).toEqual([]);
    renameSync(`${path}.kept`, path);
    writeFileSync(manifestPath, JSON.stringify(manifest));
  });

  it.each([
    ['a file was altered', (path: string) => writeFileSync(path, 'PAR1')],
    ...sizeOf<[string, (path: string) => void][]>({
      fast: [],
      long: [
        ['a file is missing', (path) => rmSync(path)],
        ['the manifest cannot be read', () => writeFileSync(manifestPath, '{')],
        ['there is no manifest', () => rmSync(manifestPath)],
      ],
    }),
  ])('is filled from PostgreSQL, and the log says so, where %s', async (_what, damage) => {
    const kept = readFileSync(manifestPath);
    const path = join(folder, readManifest().files[0]!.path);
    const file = readFileSync(path);
    damage(path);
    const filled = await fill();
    expect(filled).toMatchObject({ byFiles: false, rows: await countParts(), differences: [] });
    expect(filled.why).not.toBeNull();
    writeFileSync(path, file);
    writeFileSync(manifestPath, kept);
    expect((await fill()).byFiles).toBe(true);
  });

  it(
    'is not filled from files of before payments got other days, nor from a folder with files of before and after',
    { tags: 'long' },
    async () => {
      await remakeCopies(rail.rail.db);
      expect(await fill()).toMatchObject({ byFiles: false, differences: [] });
      const { manifest } = await write(rail, folder);
      expect(manifest.origin).toBeNull();
      expect(await fill()).toMatchObject({ byFiles: false, differences: [] });
    },
  );
});
