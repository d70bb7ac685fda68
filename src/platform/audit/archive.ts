import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import { raw, sql } from '../database/sql.ts';
import { type Archiving, type Manifest, archiveFolderOf, readArchived } from './archived.ts';
import { findStored } from './stored.ts';
import { HOT_DAYS } from './trail.ts';

/** Years for which archived months are kept. */
const COLD_YEARS = 7;

/**
 * Moves each month that is wholly older than the hot window to a file, where this role owns the log: no other may drop
 * a month of it. Nothing is dropped before its file has been read
 * back and counted; broken off anywhere, it starts that month again. How many months were moved.
 */
export async function archiveMonths(rail: Archiving & { readonly log: Logger }): Promise<number> {
  const folder = archiveFolderOf(rail.config);
  const months = await listColdMonths(rail);
  for (const month of months) {
    const manifest = await write(rail, folder, month);
    await verify(folder, manifest);
    await drop(rail, manifest);
    rail.log.info({ ...manifest }, 'a month of the audit log was archived');
  }
  return months.length;
}

/** Deletes the months that have been kept long enough; how many. */
export async function purgeArchive({ db, config, now }: Archiving): Promise<number> {
  const rows = await db.rows<{ month: string; file: string }>(sql`
    select month::text, file from audit_archive
    where (month + interval '1 month') at time zone 'utc' <= ${now()}::timestamptz - ${COLD_YEARS}::int * interval '1 year'`);
  for (const { month, file } of rows) {
    const path = join(archiveFolderOf(config), file);
    await rm(path, { force: true });
    await rm(manifestOf(path), { force: true });
    await db.rows(sql`delete from audit_archive where month = ${month}::date`);
  }
  return rows.length;
}

/**
 * The first days of the months that have a table and were over before the hot window began, oldest first. A month that
 * has a file is not written again: what came to it later stays at hand, and is read from there.
 */
async function listColdMonths({ db, now }: Archiving): Promise<string[]> {
  const rows = await db.rows<{ month: string }>(sql`
    select month::text from (
      select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_log'::regclass and pg_has_role(c.relowner, 'USAGE')
    ) months where (month + interval '1 month') at time zone 'utc' <= ${now()}::timestamptz - ${HOT_DAYS}::int * interval '1 day'
      and not exists (select from audit_archive a where a.month = months.month) order by month`);
  return rows.map(({ month }) => month);
}

function tableOf(month: string): string {
  if (!/^\d{4}-\d\d-01$/.test(month)) throw new Error(`${month} is no month`);
  return `audit_log_${month.slice(0, 7).replace('-', '_')}`;
}

function manifestOf(path: string): string {
  return path.replace(/\.ndjson\.gz$/, '.manifest.json');
}

/** Writes a month where nobody takes it for whole, and puts it in its place once it is on disk. */
async function write({ db }: Archiving, folder: string, month: string): Promise<Manifest> {
  const drafts = join(folder, 'writing');
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const file = `audit-${month.slice(0, 7)}.ndjson.gz`;
  const handle = await open(join(drafts, file), 'w', 0o600);
  const hash = createHash('sha256');
  let rows = 0;
  const lines = async function* () {
    for await (const batch of findStored(db, raw(tableOf(month)))) {
      rows += batch.length;
      yield batch.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  };
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(lines()), createGzip({ level: 9 }), hashed, handle.createWriteStream({ flush: true }));
  const { size: bytes } = await stat(join(drafts, file));
  const manifest: Manifest = { month, file, rows, bytes, sha256: hash.digest('hex') };
  await writeFile(join(drafts, manifestOf(file)), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  for (const name of [file, manifestOf(file)]) await rename(join(drafts, name), join(folder, name));
  await syncFolder(folder);
  return manifest;
}

/** A name is on disk only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a file back as its later readers will. */
async function verify(folder: string, manifest: Manifest): Promise<void> {
  const ids = new Set<string>();
  for await (const { id } of readArchived(folder, manifest)) ids.add(id);
  if (ids.size !== manifest.rows) throw new Error(`${manifest.file} holds ${ids.size} entries of ${manifest.rows}`);
}

/**
 * Drops a month's table, and books where its rows are, in one statement; which refuses if the table has other rows than
 * the file.
 */
async function drop({ db, now }: Archiving, { month, file, rows, bytes, sha256 }: Manifest): Promise<void> {
  await db.rows(
    sql`select archive_audit_partition(${month}::date, ${file}, ${rows}::bigint, ${bytes}::bigint, ${sha256}, ${now()}::timestamptz)`,
  );
}
