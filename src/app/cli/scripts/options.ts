import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The data folder of `npm run sandbox` unless `DATA_DIR` names one, so that it shares no database with `npm start`. */
export const SANDBOX_DIR = '.data/sandbox';

/** The options of a script; ends it with one line on what is wrong with them. */
export function readOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>>['values'] {
  try {
    return parseArgs(config).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}; see --help\n`);
    process.exit(1);
  }
}
