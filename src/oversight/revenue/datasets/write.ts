import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PARQUET, encodeFile } from '../../../graphql/files/encode.ts';
import { ORIGIN } from '../../../platform/analytics/source.ts';
import type { Rail } from '../../../platform/call/call.ts';
import { ConfigError } from '../../../kernel/refusal.ts';
import { sql } from '../../../platform/database/sql.ts';
import { DAY_MS, formatDay } from '../../../kernel/time.ts';
import { type Manifest, type WrittenFile, readManifest, writeManifest } from './manifest.ts';
import { COLUMNS, type Positions, monthAfter, readParts } from './payment-parts.ts';

/** The folder of the files, next to their manifest. */
const FILES = 'payment-parts';

type Reading = Pick<Rail, 'oversight' | 'now'>;

/**
 * Writes the payment events of each month that is over (UTC) as a Parquet file, and a manifest of all files. Into a
 * folder with a manifest, it adds the months that are over since then, and as corrections what was recorded since then
 * of months that are there. Files that a manifest names are never changed. Yields each file once it is whole.
 */
export async function* writeDatasets(rail: Reading, folder: string): AsyncGenerator<WrittenFile, Manifest> {
  const before = await readManifest(folder);
  const { since, through, files } = before
    ? { since: before.position, through: before.through, files: before.files }
    : { since: 0, through: null, files: [] };
  const state = await rail.oversight.row<{ readAt: Date; position: number; origin: string }>(sql`
    select clock_timestamp() as "readAt", coalesce(max(position), 0) as position, ${ORIGIN} as origin
    from oversight.stream`);
  const { readAt, position: upTo, origin } = state!;
  const running = monthOf(rail.now());
  await mkdir(join(folder, FILES), { recursive: true, mode: 0o700 });
  const added: WrittenFile[] = [];
  for (const month of await listMonths(rail, { since, upTo }, through, running)) {
    const isNew = through === null || month > through;
    const corrections = files.filter((file) => file.month === month && file.kind === 'correction').length;
    const path = `${FILES}/${isNew ? month : `${month}.correction-${corrections + 1}`}.parquet`;
    const written = await writeParts(rail, folder, path, month, { since: isNew ? 0 : since, upTo });
    const file = { path, month, kind: isNew ? 'month' : 'correction', ...written } as const;
    added.push(file);
    yield file;
  }
  const after = await rail.oversight.row<{ origin: string }>(sql`select ${ORIGIN} as origin`);
  if (after!.origin !== origin)
    throw new ConfigError('Days of payments were moved while they were written, as by a time zone: write them again');
  const manifest: Manifest = {
    version: 1,
    dataset: 'payment_parts',
    read_at: readAt.toISOString(),
    origin: before && before.origin !== origin ? null : origin,
    position: upTo,
    through: monthOf(new Date(firstDay(running).getTime() - DAY_MS)),
    columns: COLUMNS.map(({ name, type, description }) => ({ name, type: String(type), description })),
    files: [...files, ...added],
    seal_heads: await rail.oversight.rows(sql`
      select mda, sequence, hash from oversight.seal order by mda collate "C"`),
  };
  await writeManifest(folder, manifest);
  return manifest;
}

const monthOf = (at: Date) => formatDay(at).slice(0, 7);
const firstDay = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** The months that are over of which there is something at these positions, or that were not over the last time. */
async function listMonths(
  { oversight }: Reading,
  { since, upTo }: Positions,
  through: string | null,
  running: string,
): Promise<string[]> {
  const end = firstDay(running);
  const next = through === null ? end : monthAfter(firstDay(through));
  const rows = await oversight.rows<{ month: string }>(sql`
    select distinct to_char(occurred_at at time zone 'utc', 'YYYY-MM') as month from oversight.payment_event
    where position <= ${upTo} and occurred_at < ${end}::timestamptz
      and (position > ${since} or occurred_at >= ${next}::timestamptz)
    order by 1`);
  return rows.map(({ month }) => month);
}

/** Writes a file under another name first, so that none is there in part. */
async function writeParts(
  rail: Reading,
  folder: string,
  path: string,
  month: string,
  positions: Positions,
): Promise<{ rows: number; bytes: number; sha256: string }> {
  let [rows, bytes] = [0, 0];
  const hash = createHash('sha256');
  const draft = join(folder, `${path}.part`);
  const count = async function* () {
    for await (const parts of readParts(rail, firstDay(month), positions)) {
      rows += parts.length;
      yield parts;
    }
  };
  const measure = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      hash.update(piece);
      yield piece;
    }
  };
  try {
    await pipeline(encodeFile(PARQUET, COLUMNS, count()), measure, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, join(folder, path));
  } finally {
    await rm(draft, { force: true });
  }
  return { rows, bytes, sha256: hash.digest('hex') };
}
