import { Command } from 'commander';
import { jsonOption } from '../options.ts';
import { type OutputOptions, print } from '../output.ts';
import { runWithRail } from '../with-rail.ts';

export const datasetsWriteCommand = new Command('datasets:write')
  .description(
    'Write the payments of each month that is over (UTC) as a Parquet file, without personal data, and a manifest with the hash of each file. Run again, it adds months that are over since, and corrections of earlier ones.',
  )
  .argument('<folder>', 'where the files and manifest.json go; made where it is not there')
  .addOption(jsonOption())
  .action(async (folder: string, output: OutputOptions) => {
    const { writeDatasets } = await import('../../../oversight/revenue/datasets/write.ts');
    await runWithRail(async (rail) => {
      const writing = writeDatasets(rail, folder);
      let step = await writing.next();
      for (; !step.done; step = await writing.next())
        if (!output.json) process.stdout.write(`${step.value.path}, ${step.value.rows} rows\n`);
      if (output.json) print(step.value, output);
      else process.stdout.write(`${folder}/manifest.json, ${step.value.files.length} files\n`);
    });
  });
