import { type Loop, restUntil, startLoop } from '../../kernel/loop.ts';
import type { Rail } from '../call/call.ts';

/** Changes are taken together: a question brings the copy up to its own moment anyway. */
const LEAST_MS = 500;

/** Keeps the copy of facts up to date, so that a question has little to wait for. */
export function startFollowing({ analytics, log, work }: Pick<Rail, 'analytics' | 'log' | 'work'>): Loop {
  const round = async () => {
    await analytics.asOf();
    return restUntil(LEAST_MS);
  };
  return startLoop(log, 'analytics', round, work.hear);
}
