import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { ConfigError } from '../../kernel/refusal.ts';
import { type Config, readConfig } from '../../platform/config/config.ts';
import { findUnwritable } from '../../platform/config/data-dir.ts';
import { ownHands } from '../../platform/database/clock.ts';
import { createLog } from '../../kernel/log.ts';
import { idsOfTrace } from '../../adapters/tracing/tracing.ts';
import type { Logger } from 'pino';
import type { OpenRail } from '../open-rail.ts';
import { locateDatabase } from './locate-database.ts';
import { type Signals, listenToSignals } from './signals.ts';
import { closeInTime, endInTime } from './stop.ts';

/**
 * Runs a rail until it is asked to stop; what keeps it from starting is told in one line where somebody can mend it.
 */
export async function run(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    await runUntilStopped(readConfig(env));
  } catch (error) {
    report(error);
    leaveSoon();
  }
}

/** Resources that were opened before a failure must not keep the process alive. */
function leaveSoon(): void {
  setTimeout(() => process.exit(), 1_000).unref();
}

/** Says why the rail does not start, and has the process end with 1, however long its end takes. */
function report(error: unknown): void {
  const reason =
    error instanceof ConfigError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`The rail does not start. ${reason}\n`);
  process.exitCode = 1;
}

async function runUntilStopped(config: Config): Promise<void> {
  const unwritable = findUnwritable(config.dataDir);
  if (unwritable)
    throw new ConfigError(
      `DATA_DIR: the rail cannot write to ${config.dataDir} (${unwritable}); give the folder to the user that runs the rail`,
    );
  const log = createLog(config.logLevel, undefined, config.tracing ? idsOfTrace : undefined);
  const tracing = config.tracing && (await import('../../adapters/tracing/otlp.ts')).startTracing(config.tracing, log);
  logMemory(log);
  const signals = listenToSignals(log);
  void endInTime(signals, config.drainSeconds, log);
  const opened = await openUnlessStopped(config, log, signals);
  if (opened) {
    try {
      const { serve } = await import('./serve.ts');
      await serve(opened.rail, signals);
    } catch (error) {
      // Before all is closed, which may take longer than there is.
      report(error);
    }
    await closeInTime(opened, log);
    await tracing?.end();
    if (process.exitCode) return leaveSoon();
  }
  log.info('stopped');
}

/** Says how much the heap may grow to: a process that reaches it ends, where it would otherwise take a machine with it. */
function logMemory(log: Logger): void {
  const heap = Math.round(getHeapStatistics().heap_size_limit / MIB);
  // The memory limit of the container; without one, the machine's memory.
  const available = Math.round(Math.min(process.constrainedMemory() || Infinity, totalmem()) / MIB);
  const about = { heap_limit_mib: heap, memory_mib: available };
  if (heap < available) log.info(about, 'the heap is bounded');
  else
    log.warn(about, 'the heap may grow beyond the memory that there is: give Node.js a smaller --max-old-space-size');
}

const MIB = 2 ** 20;

/** Null where the process is asked to stop before all is open; what was open by then is closed. */
async function openUnlessStopped(config: Config, log: Logger, { stop }: Signals): Promise<OpenRail | null> {
  try {
    // PostgreSQL starts while the rest of the rail is loaded, which both take their time.
    const located = locateDatabase(config, log, stop);
    const loading = Promise.all([import('../open-rail.ts'), import('./serve.ts')]);
    const [, [{ openRail }]] = await Promise.all([located, loading]);
    return await openRail(config, log, ownHands, stop, located);
  } catch (error) {
    if (!stop.aborted) throw error;
    if (error !== stop.reason) log.warn({ err: error }, 'the start had failed');
    return null;
  }
}
