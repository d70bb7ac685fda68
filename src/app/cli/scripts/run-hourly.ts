import { randomUUID } from 'node:crypto';
import { settlePayouts } from '../../../collection/reconciliation/payouts/search.ts';
import { createLog } from '../../../kernel/log.ts';
import { closeDaysOf } from '../../../oversight/closes/days/close.ts';
import { actAsSystem } from '../../../platform/access/viewer.ts';
import { callOf } from '../../../platform/call/call.ts';
import type { Config } from '../../../platform/config/config.ts';
import { openRail } from '../../open-rail.ts';

const POOL = 4;

/** Does at once what jobs do every hour: explains lines of banks, judges payouts, and closes the days of an agency. */
export async function runHourly(config: Config, mda: string): Promise<void> {
  const { rail, close } = await openRail({ ...config, databasePool: POOL }, createLog('error'));
  try {
    const call = callOf(rail, actAsSystem('demo'), randomUUID());
    await settlePayouts(call);
    await closeDaysOf(call, mda);
  } finally {
    await close();
  }
}
