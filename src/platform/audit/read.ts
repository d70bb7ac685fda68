import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Rail } from '../call/call.ts';
import { raw, sql } from '../database/sql.ts';
import { type ArchivedEntry, type Manifest, archiveFolderOf, readArchived } from './archived.ts';
import { findStored } from './stored.ts';

/** A span of time, its end not included; of one integrator, or of all. */
export interface AuditSpan {
  readonly from: Date;
  readonly to: Date;
  readonly integrator: string | null;
}

/** The audit log of a span in the order of time, from the archive and from what is at hand, as if they were one. */
export async function* readAudit(
  { db, config }: Rail,
  { from, to, integrator }: AuditSpan,
): AsyncGenerator<ArchivedEntry> {
  const folder = archiveFolderOf(config);
  const months = await db.rows<Manifest>(sql`
    select month::text, file, rows, bytes, sha256 from audit_archive
    where month at time zone 'utc' < ${to} and (month + interval '1 month') at time zone 'utc' > ${from}
    order by month`);
  for (const month of months) {
    if (!existsSync(join(folder, month.file)))
      throw new Error(`${month.file} is not in ${folder}: its ${month.rows} entries cannot be read`);
    for await (const entry of readArchived(folder, month)) {
      const at = Date.parse(entry.ts);
      if (at >= from.getTime() && at < to.getTime() && (integrator === null || entry.integrator === integrator))
        yield entry;
    }
  }
  const conditions = [
    sql`ts >= ${from} and ts < ${to}`,
    ...(integrator === null ? [] : [sql`integrator = ${integrator}`]),
  ];
  for await (const batch of findStored(db, raw('audit_log'), conditions)) yield* batch;
}
