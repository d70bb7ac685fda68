import { Command, Option } from 'commander';
import { jsonOption } from '../../options.ts';
import { type OutputOptions, print } from '../../output.ts';

interface Options extends OutputOptions {
  readonly into: string;
}

export const restoreCommand = new Command('restore')
  .description(
    'Restore a backup into an empty database, and verify its ledger against the heads that the backup kept; ends with 1 where anything does not fit.',
  )
  .argument('<folder>', 'the folder of one backup')
  .addOption(new Option('--into <url>', 'the empty database, as the role that is to own it').makeOptionMandatory())
  .addOption(jsonOption())
  .action(async (folder: string, { into, json }: Options) => {
    const [{ restore }, { formatVerification }] = await Promise.all([
      import('../../backup/restore.ts'),
      import('../../../../oversight/seals/report.ts'),
    ]);
    const say = (line: string) => void (json || process.stdout.write(`${line}\n`));
    const { manifest, verification } = await restore(folder, into, say);
    const { made_at, version, mode } = manifest;
    if (json) print({ made_at, version, mode, ...formatVerification(verification) }, { json });
    if (!verification.right) process.exitCode = 1;
  });
