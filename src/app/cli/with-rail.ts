import { type Rail, openBackground } from '../../platform/call/call.ts';
import { readConfig } from '../../platform/config/config.ts';
import { createLog } from '../../kernel/log.ts';
import { openRail } from '../open-rail.ts';

/** Runs an operator's command on the database that the rail uses, beside a running rail or without one. */
export async function runWithRail(run: (rail: Rail) => Promise<void>): Promise<void> {
  const { rail, close } = await openRail({ ...readConfig(process.env), databasePool: 2 }, createLog('error'));
  try {
    await run(openBackground(rail));
  } finally {
    await close();
  }
}
