import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { raw, sql } from '../database/sql.ts';
import {
  ArchiveError,
  type ArchivedEntry,
  type Archiving,
  type Manifest,
  archiveFolderOf,
  readArchived,
} from './archived.ts';
import { findStored } from './stored.ts';

/** A span of time, its end not included; of one integrator, or of all. */
export interface AuditSpan {
  readonly from: Date;
  readonly to: Date;
  readonly integrator: string | null;
}

/** The archived months that a span touches, oldest first. */
export function findArchivedMonths(
  { db }: Pick<Archiving, 'db'>,
  { from, to }: Omit<AuditSpan, 'integrator'>,
): Promise<Manifest[]> {
  return db.rows<Manifest>(sql`
    select month::text, file, rows, bytes, sha256 from audit_archive
    where month at time zone 'utc' < ${to} and (month + interval '1 month') at time zone 'utc' > ${from}
    order by month`);
}

/**
 * The entries of an archived month in the order of time, as they are read. Throws an `ArchiveError` where its file is
 * not there, or is not what was written, and never leaves entries out.
 */
export async function* readArchivedMonth(
  { config }: Pick<Archiving, 'config'>,
  month: Manifest,
): AsyncGenerator<ArchivedEntry> {
  const folder = archiveFolderOf(config);
  if (!existsSync(join(folder, month.file)))
    throw new ArchiveError(month.month, `${month.file} is not in ${folder}: its ${month.rows} entries cannot be read`);
  yield* readArchived(folder, month);
}

/** The audit log of a span in the order of time, from the archive and from what is at hand, as if they were one. */
export async function* readAudit(
  rail: Pick<Archiving, 'db' | 'config'>,
  { from, to, integrator }: AuditSpan,
): AsyncGenerator<ArchivedEntry> {
  for (const month of await findArchivedMonths(rail, { from, to })) {
    for await (const entry of readArchivedMonth(rail, month)) {
      const at = Date.parse(entry.ts);
      if (at >= from.getTime() && at < to.getTime() && (integrator === null || entry.integrator === integrator))
        yield entry;
    }
  }
  const conditions = [
    sql`ts >= ${from} and ts < ${to}`,
    ...(integrator === null ? [] : [sql`integrator = ${integrator}`]),
  ];
  for await (const batch of findStored(rail.db, raw('audit_log'), conditions)) yield* batch;
}
