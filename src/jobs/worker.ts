import { Logger, run } from 'graphile-worker';
import type { Rail } from '../call.ts';
import { startSender } from '../webhooks/sender.ts';
import { CRONTAB, tasks } from './tasks.ts';

/** Starts the job runner of this process, and what delivers its webhooks. The runners of all processes share one queue in the database. */
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
  const sender = startSender(rail);
  return {
    stop: async () => {
      await Promise.all([runner.stop(), sender.stop()]);
    },
  };
}
