import { Logger, run } from 'graphile-worker';
import type { Rail } from '../call.ts';
import { startFolding } from '../oversight/fold.ts';
import { startEnquiring } from '../payments/enquire.ts';
import { startPropagating } from '../propagation/loop.ts';
import { startSealing } from '../seals/seal.ts';
import { startSender } from '../webhooks/sender.ts';
import { CRONTAB, tasks } from './tasks.ts';

/** Starts the job runner of this process, and what goes on all the time. The runners of all processes share one queue in the database. */
export async function startWorker(rail: Rail, url: string): Promise<{ stop(): Promise<void> }> {
  const runner = await run({
    connectionString: url,
    maxPoolSize: 3,
    concurrency: 2,
    noHandleSignals: true,
    taskList: tasks(rail),
    crontab: CRONTAB,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') rail.log.error(message);
      else if (level === 'warning') rail.log.warn(message);
      else rail.log.debug(message);
    }),
  });
  const loops = [startSender(rail), startEnquiring(rail), startPropagating(rail), startFolding(rail), startSealing(rail)];
  return {
    stop: async () => {
      await Promise.all([runner, ...loops].map((one) => one.stop()));
    },
  };
}
