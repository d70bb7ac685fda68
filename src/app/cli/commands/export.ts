import { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, createWriteStream, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getOperationAST, parse, validate } from 'graphql';
import { FILE_FORMATS, FORMS, encodeFile } from '../../../graphql/files/encode.ts';
import { columnsOfOperation, readPages } from '../../../graphql/files/rows.ts';
import { type PreparedOperation, prepareOperation } from '../../../graphql/prepared.ts';
import { commandLine } from '../../../platform/access/viewer.ts';
import { callOf } from '../../../platform/call/call.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { schema } from '../../schema.ts';
import { parseDay } from '../options.ts';
import { runWithRail } from '../with-rail.ts';

/** Each an operation in `exports/`, under its name. */
export const LISTS = ['payment-events', 'revenue'] as const;

function isListed(what: string): what is (typeof LISTS)[number] {
  return (LISTS as readonly string[]).includes(what);
}

/**
 * Reads the operation that gives the rows of a list: its variables are `from_date`, `to_date`, `mda`, `limit`, `after`
 * and those of its own.
 */
export function readOperation(what: (typeof LISTS)[number]): PreparedOperation {
  const document = parse(readFileSync(new URL(`../exports/${what}.graphql`, import.meta.url), 'utf8'));
  const mistakes = validate(schema, document);
  const operation = getOperationAST(document);
  if (mistakes.length > 0 || !operation)
    throw new Error(`exports/${what}.graphql: ${mistakes.map(({ message }) => message).join('; ')}`);
  return prepareOperation(schema, operation, document);
}

interface Options {
  readonly out: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly mda?: string;
  readonly groupBy: string;
  readonly bom?: true;
}

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
    const operation = readOperation(what);
    const format = FILE_FORMATS.find((one) => options.out.endsWith(`.${FORMS[one].ending}`));
    if (!format) throw new ConfigError('--out: must end in .csv, .ndjson or .parquet');
    const isoDay = (at: Date | undefined) => at?.toISOString().slice(0, 10);
    const variables = {
      from_date: isoDay(options.from),
      to_date: isoDay(options.to),
      mda: what === 'revenue' ? options.mda?.split(',') : options.mda,
      ...(what === 'revenue' && { group_by: options.groupBy.split(',') }),
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
        createWriteStream(options.out),
      );
      process.stdout.write(`${options.out}\n`);
    });
  });
