import type { Rail } from '../../platform/call/call.ts';
import { ConfigError } from '../../kernel/refusal.ts';
import { type Config, readConfig } from '../../platform/config/config.ts';
import { createLog } from '../../kernel/log.ts';

/** Runs an operator's command that changes something: on a live rail it says who they are, for the audit. */
export async function operateRail(run: (rail: Rail) => Promise<void>): Promise<void> {
  const { mode, operator } = readConfig(process.env);
  if (mode === 'live' && operator === null)
    throw new ConfigError('RAIL_OPERATOR: needed by what changes a live rail: your name, which the audit records');
  await runWithRail(run);
}

/** The environment of a command, for what says what is wrong in it. */
export const givenEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;

/** Runs an operator's command on the database that the rail uses, whether the rail is running or not. */
export async function runWithRail(run: (rail: Rail) => Promise<void>): Promise<void> {
  // Loaded once a command runs, here and in each of them: `--help` needs none of it.
  const [{ openRail }, { openBackground }] = await Promise.all([
    import('../open-rail.ts'),
    import('../../platform/call/call.ts'),
  ]);
  const { rail, close } = await openRail({ ...readConfig(process.env), databasePool: 2 }, createLog('error'));
  try {
    await run(openBackground(rail));
  } finally {
    await close();
  }
}

/** Runs a command on the database of the rail as it is, in any version. */
export async function runWithDatabase(run: (url: string, config: Config) => Promise<void>): Promise<void> {
  const { locateDatabase } = await import('../process/locate-database.ts');
  const config = readConfig(process.env);
  const { url, release } = await locateDatabase(config, createLog('error'));
  try {
    await run(url, config);
  } finally {
    await release();
  }
}
