import { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CSV, PARQUET, exported, pagesOf } from '../../../../rest/exports.ts';
import { loadEndpoints } from '../../../../rest/load.ts';
import { commandLine } from '../../../platform/access/viewer.ts';
import { callOf } from '../../../platform/call/call.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { schema } from '../../schema.ts';
import { parseDay } from '../options.ts';
import { withRail } from '../with-rail.ts';

interface Options {
  readonly out: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly mda?: string;
  readonly groupBy: string;
  readonly bom?: true;
}

export const exportCommand = new Command('export')
  .description('Write what oversight sees to a file: all payment-events, or revenue in groups (without days, of the last 30).')
  .argument('<what>', 'payment-events or revenue')
  .requiredOption('--out <path>', 'the file; .csv or .parquet says what it is')
  .option('--from <date>', 'the first day (UTC), YYYY-MM-DD', parseDay)
  .option('--to <date>', 'the last day (UTC), YYYY-MM-DD', parseDay)
  .option('--mda <code>', 'only this agency')
  .option('--group-by <list>', 'of revenue: comma-separated, such as mda,month', 'mda,month')
  .option('--bom', 'begin a CSV file with a byte order mark, by which some spreadsheets know UTF-8')
  .action(async (what: string, options: Options) => {
    const { endpoints } = loadEndpoints(schema);
    const endpoint = endpoints.find(({ path, exports }) => exports !== null && path === `/v1/oversight/${what}`);
    if (!endpoint) throw new ConfigError('export: give payment-events or revenue');
    const format = options.out.endsWith('.parquet') ? PARQUET : options.out.endsWith('.csv') ? CSV : null;
    if (!format) throw new ConfigError('--out: must end in .csv or .parquet');
    const isoDay = (at: Date | undefined) => at?.toISOString().slice(0, 10);
    const variables = {
      from_date: isoDay(options.from),
      to_date: isoDay(options.to),
      mda: options.mda,
      ...(what === 'revenue' && { group_by: options.groupBy.split(',') }),
    };
    await withRail(async (rail) => {
      const call = callOf(rail, { ...commandLine, scopes: new Set(['oversight.read']) }, randomUUID());
      await pipeline(
        exported(endpoint, format, await pagesOf(schema, endpoint, call, variables), { bom: options.bom ?? false }),
        createWriteStream(options.out),
      );
      process.stdout.write(`${options.out}\n`);
    });
  });
