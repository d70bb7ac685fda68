import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Database } from '../database/sql.ts';

/** A row of the audit log as it stands in a file: a line of JSON. */
export interface ArchivedEntry {
  readonly id: string;
  readonly ts: string;
  readonly request_id: string;
  readonly http_status: number;
  readonly endpoint: string;
  readonly event: string;
  readonly integrator: string | null;
  readonly key: string | null;
  readonly actor: string;
  readonly object: string | null;
  readonly refusal: unknown;
}

/** Content of the file of a month, as its manifest and the database say. */
export interface Manifest {
  /** Its first day. */
  readonly month: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Services that the archive is written and read with. */
export interface Archiving {
  readonly db: Database;
  readonly config: { readonly dataDir: string };
  now(): Date;
}

export function archiveFolderOf({ dataDir }: Archiving['config']): string {
  return join(dataDir, 'archive');
}

/** A month of the archive cannot be read: its file is gone, or is not what was written. */
export class ArchiveError extends Error {
  /** Its first day. */
  readonly month: string;

  constructor(month: string, message: string) {
    super(message);
    this.month = month;
  }
}

/** The entries of an archived month; a file that is not what its checksum says is not read at all. */
export async function* readArchived(
  folder: string,
  { month, file, sha256 }: Pick<Manifest, 'month' | 'file' | 'sha256'>,
): AsyncGenerator<ArchivedEntry> {
  const path = join(folder, file);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256)
    throw new ArchiveError(month, `${path} is not what it was when it was written: its checksum differs`);
  const unzipped = createReadStream(path).pipe(createGunzip());
  for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as ArchivedEntry;
}
