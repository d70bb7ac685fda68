import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay } from '../../../kernel/time.ts';
import { readLatestSeals } from '../../../oversight/seals/latest.ts';
import { readLogSeals } from '../../../oversight/seals/logs/find.ts';
import { runOnConnection } from '../../../platform/database/connection/connection.ts';
import { listApplied } from '../../../platform/database/migration/booked.ts';
import { VERSION } from '../../../platform/database/migration/version.ts';
import { database, sql } from '../../../platform/database/sql.ts';
import { MANIFEST, type Manifest, hashFile } from './manifest.ts';
import { requireProgram, runProgram } from './programs.ts';

/** The file of a dump. */
export const DUMP = 'rail.dump';

/** A snapshot that nobody uses for long is no idle transaction to be ended. */
const PURPOSE = { name: 'backup', work: 'migration', settings: { idle_in_transaction_session_timeout: 0 } } as const;

interface Options {
  /** Copies the files of the server, for point-in-time recovery, and not the rail's rows. */
  readonly base?: boolean | undefined;
  /** A file that is written once the backup is whole. */
  readonly marker?: string | null;
}

/**
 * Writes a backup into a folder of its own within a folder, whose name says when; only its user may enter it. The heads
 * of seals are those of the dump: both see the same snapshot. A copy of the files may hold later ones too.
 */
export async function backUp(
  url: string,
  folder: string,
  { base = false, marker = null }: Options = {},
): Promise<Manifest & { readonly folder: string }> {
  return runOnConnection(url, PURPOSE, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    const db = database(client);
    const now = await db.row<{ at: Date; postgresql: number; snapshot: string; mode: Manifest['mode'] }>(sql`
      select now() as at, current_setting('server_version_num')::int / 10000 as postgresql,
        pg_export_snapshot() as snapshot, mode from database_mode`);
    if (!now) throw new Error('No rail has run on the database: there is nothing to back up');
    const { at, postgresql, snapshot, mode } = now;
    const program = base ? 'pg_basebackup' : 'pg_dump';
    await requireProgram(program, postgresql);
    const target = join(folder, `rail-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
    const draft = `${target}.partial`;
    mkdirSync(folder, { recursive: true });
    mkdirSync(draft, { mode: 0o700 });
    try {
      const how = base
        ? [`--pgdata=${draft}`, '--format=tar', '--gzip', '--checkpoint=fast']
        : [`--file=${join(draft, DUMP)}`, '--format=custom', `--snapshot=${snapshot}`];
      await runProgram(program, url, how);
      const names = readdirSync(draft);
      const hashes = await Promise.all(names.map((name) => hashFile(join(draft, name))));
      const manifest: Manifest = {
        kind: base ? 'base' : 'dump',
        version: VERSION,
        made_at: at.toISOString(),
        mode,
        postgresql,
        migrations: await listApplied(client),
        heads: [
          ...(await readLatestSeals({ oversight: db })).map(({ mda, sequence, hash }) => ({ mda, sequence, hash })),
          ...(await readLogSeals({ db }, null)).map(({ log, day, hash }) => ({ log, day: formatDay(day), hash })),
        ],
        files: Object.fromEntries(names.map((name, index) => [name, hashes[index]!])),
      };
      writeFileSync(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
      renameSync(draft, target);
      if (marker !== null) writeFileSync(marker, `${manifest.made_at}\n`);
      return { ...manifest, folder: target };
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  });
}
