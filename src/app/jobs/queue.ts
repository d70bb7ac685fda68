import { EventEmitter, once } from 'node:events';
import { type WorkerEvents, Logger, run } from 'graphile-worker';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement, step } from '../../platform/change/step.ts';
import { isTooFar } from '../../platform/reading/ends.ts';
import { startLoop } from '../../kernel/loop.ts';
import { CRONTAB, tasks } from './tasks.ts';

/**
 * Cron goes by this machine's clock. One that jumped back makes it wait for the time that it had, and one that jumped
 * ahead has it plan each minute in between: then another runner goes on from now.
 */
const LARGEST_STEP_MS = 90_000;
const LOOK_MS = 5_000;

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

/**
 * Has jobs run now that wait longer than any does, and those of cron planned again that were planned for later than now:
 * that was before the clock was set back. How many.
 */
export async function hastenJobs({ db }: Pick<Rail, 'db'>): Promise<number> {
  const replanned = step('replanned')`
    update graphile_worker._private_known_crontabs set last_execution = null
    where ${isTooFar(sql`last_execution`, sql`now()`, 0)} returning identifier`;
  const hastened = step('hastened')`
    update graphile_worker._private_jobs set run_at = now()
    where ${isTooFar(sql`run_at`, sql`now()`, sql`(exp(least(attempts, 10)) + 300)`)} returning id`;
  return (await db.rows(statement(sql`select from ${replanned} union all select from ${hastened}`))).length;
}

async function startRunner(rail: Rail): Promise<Running> {
  const { log, background } = rail;
  await hastenJobs(rail);
  const events: WorkerEvents = new EventEmitter();
  const created = once(events, 'pool:create') as Promise<[{ workerPool: { id: string } }]>;
  const runner = await run({
    pgPool: background.pool,
    concurrency: 2,
    // New jobs are signalled; polling finds those that fall due, such as retries.
    pollInterval: 7_000,
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
  let halting: Promise<void> | null = null;
  const halt = () => (halting ??= runner.stop());
  const begun = Date.now() - performance.now();
  const watch = setInterval(() => {
    if (Math.abs(Date.now() - performance.now() - begun) > LARGEST_STEP_MS) void halt();
  }, LOOK_MS);
  let active = true;
  const ended = runner.promise
    .catch((error: unknown) => log.error({ err: error }, 'the job runner gave up'))
    .finally(() => {
      active = false;
      clearInterval(watch);
    });
  const [{ workerPool }] = await created;
  return {
    holder: workerPool.id,
    ended,
    stop: async () => {
      if (active) await halt();
      await ended;
    },
  };
}
