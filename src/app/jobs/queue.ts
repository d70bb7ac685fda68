import { EventEmitter, once } from 'node:events';
import { type WorkerEvents, Logger, run } from 'graphile-worker';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { startLoop } from '../../kernel/loop.ts';
import { CRONTAB, tasks } from './tasks.ts';

/** A runner of queued jobs. */
interface Running {
  /** Under which name it holds its jobs. */
  readonly holder: string;
  /** Resolves when it runs no more, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs the jobs that are queued and planned for as long as it is not stopped. A runner gives up where it cannot book
 * what became of a job, as when the database goes away under it; then another takes its place, and the jobs that it
 * held are free to be run again.
 */
export async function startQueue(rail: Rail): Promise<{ stop(): Promise<void> }> {
  let running = await startRunner(rail);
  let stopping = false;
  const loop = startLoop(rail.log, 'queue', async () => {
    await running.ended;
    if (stopping) return 0;
    await rail.db.rows(sql`select graphile_worker.force_unlock_workers(${[running.holder]})`);
    running = await startRunner(rail);
    if (stopping) await running.stop();
    return 0;
  });
  return {
    stop: async () => {
      stopping = true;
      await running.stop();
      await loop.stop();
    },
  };
}

async function startRunner(rail: Rail): Promise<Running> {
  const { log, background } = rail;
  const events: WorkerEvents = new EventEmitter();
  const created = once(events, 'pool:create') as Promise<[{ workerPool: { id: string } }]>;
  const runner = await run({
    pgPool: background.pool,
    concurrency: 2,
    // New jobs are signalled; polling finds those that fall due, such as retries.
    pollInterval: 5_000,
    noHandleSignals: true,
    taskList: tasks(rail),
    crontab: CRONTAB,
    events,
    // Booked in groups that arrive together: what cannot be booked alone would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error(message);
      else if (level === 'warning') log.warn(message);
      else log.debug(message);
    }),
  });
  let active = true;
  const ended = runner.promise
    .catch((error: unknown) => log.error({ err: error }, 'the job runner gave up'))
    .finally(() => {
      active = false;
    });
  const [{ workerPool }] = await created;
  return {
    holder: workerPool.id,
    ended,
    stop: async () => {
      if (active) await runner.stop();
      await ended;
    },
  };
}
