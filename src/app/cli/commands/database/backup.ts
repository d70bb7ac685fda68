import { Command } from 'commander';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';
import { runWithDatabase } from '../../with-rail.ts';

interface Options extends OutputOptions {
  readonly base?: boolean;
}

export const backupCommand = new Command('backup')
  .description(
    'Write a backup of the database, with the heads of its seals and the hash of each file, and note it in BACKUP_MARKER; with a DATABASE_URL of the role that owns it.',
  )
  .argument(
    '<folder>',
    'where the backup goes, in a folder of its own whose name says when; made where it is not there',
  )
  .option(
    '--base',
    'copy the files of the server by pg_basebackup, for point-in-time recovery; takes replication rights',
  )
  .addOption(jsonOption())
  .action(async (folder: string, { base, ...output }: Options) => {
    const { backUp } = await import('../../backup/back-up.ts');
    await runWithDatabase(async (url, { backupMarker: marker }) => {
      const { heads, ...made } = await backUp(url, folder, { base, marker });
      if (output.json) print({ ...made, heads }, output);
      else process.stdout.write(`${made.folder}, ${heads.length} heads of seals\n`);
    });
  });
