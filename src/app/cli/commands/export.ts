import { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { commandLine } from '../../../platform/access/viewer.ts';
import { callOf } from '../../../platform/call/call.ts';
import { ConfigError } from '../../../kernel/refusal.ts';
import { LISTS, isListed } from '../exports/lists.ts';
import { parseDay } from '../options.ts';
import { runWithRail } from '../with-rail.ts';

interface Options {
  readonly out: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly mda?: string;
  readonly groupBy: string;
  readonly bom?: true;
}

/** A dimension as the graph calls it: REST says `mda` for agencies. */
const dimensionOf = (name: string) => (name === 'mda' ? 'agency' : name);

export const exportCommand = new Command('export')
  .description(
    'Write what oversight sees to a file: all payment-events, or revenue in groups (without days, of the last 30).',
  )
  .argument('<what>', 'payment-events or revenue')
  .requiredOption('--out <path>', 'the file; .csv, .ndjson or .parquet says what it is')
  .option('--from <date>', 'the first day (UTC), YYYY-MM-DD', parseDay)
  .option('--to <date>', 'the last day (UTC), YYYY-MM-DD', parseDay)
  .option('--mda <code>', 'only this agency; of revenue also several, comma-separated')
  .option('--group-by <list>', 'of revenue: comma-separated, such as mda,month', 'mda,month')
  .option('--bom', 'begin a CSV file with a byte order mark, by which some spreadsheets know UTF-8')
  .action(async (what: string, options: Options) => {
    if (!isListed(what)) throw new ConfigError(`export: give ${LISTS.join(' or ')}`);
    const { FILE_FORMATS, FORMS, encodeFile } = await import('../../../graphql/files/encode.ts');
    const { columnsOfOperation, readPages } = await import('../../../graphql/files/rows.ts');
    const { readOperation } = await import('../exports/operation.ts');
    const operation = readOperation(what);
    const format = FILE_FORMATS.find((one) => options.out.endsWith(`.${FORMS[one].ending}`));
    if (!format) throw new ConfigError('--out: must end in .csv, .ndjson or .parquet');
    const isoDay = (at: Date | undefined) => at?.toISOString().slice(0, 10);
    const variables = {
      from_date: isoDay(options.from),
      to_date: isoDay(options.to),
      mda: what === 'revenue' ? options.mda?.split(',') : options.mda,
      ...(what === 'revenue' && { group_by: options.groupBy.split(',').map(dimensionOf) }),
    };
    // A folder that is not there is told before anything is read.
    accessSync(dirname(options.out), constants.W_OK);
    await runWithRail(async (rail) => {
      const call = callOf(
        rail,
        { ...commandLine, scopes: new Set(['oversight.read', 'oversight.audit']) },
        randomUUID(),
      );
      await pipeline(
        encodeFile(format, columnsOfOperation(operation), (await readPages(operation, call, variables)).pages, {
          bom: options.bom ?? false,
        }),
        createWriteStream(options.out, { mode: 0o600 }),
      );
      process.stdout.write(`${options.out}\n`);
    });
  });
