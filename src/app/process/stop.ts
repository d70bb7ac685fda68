import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Rail } from '../../platform/call/call.ts';
import type { OpenRail } from '../open-rail.ts';
import { drain } from './drain.ts';
import { type Signals, waitForAbort } from './signals.ts';

/** Within which all is over once a process was asked to stop: what `docker stop` waits. */
const STOP_MS = 10_000;
/** Least time for requests under way, however long requests were still taken. */
const FINISH_MS = 3_000;
/** Time left after requests for closing their services, if the database answers. */
const CLOSE_MS = 2_000;

interface Manner {
  /** True if somebody at a terminal waits for it: then nothing in front still sends requests. */
  readonly interactive: boolean;
  /** Cuts off requests under way. */
  readonly hurry: AbortSignal;
}

/** Times for which requests are still taken, and for those under way after that. */
function patienceOf(drainSeconds: number, interactive: boolean): { announcedMs: number; finishMs: number } {
  const announcedMs = interactive ? 0 : drainSeconds * 1_000;
  return { announcedMs, finishMs: Math.max(STOP_MS - CLOSE_MS - announcedMs, FINISH_MS) };
}

/** Ends what serves: jobs at once, requests once nobody sends any more. What the rail is made of is closed after it. */
export async function shutDown(
  rail: Rail,
  server: Server,
  worker: { stop(): Promise<void> } | null,
  { interactive, hurry }: Manner,
): Promise<void> {
  const { announcedMs, finishMs } = patienceOf(rail.config.drainSeconds, interactive);
  rail.draining = true;
  const endStreams = () => void rail.streamSignal.end();
  await Promise.all([
    drain(server, { announcedMs, finishMs, hurry, endStreams }),
    waitAtMost(announcedMs + finishMs, worker?.stop()),
  ]);
}

/**
 * Closes what a rail is made of, and ends the process where that takes longer than there is: a database that does not
 * answer must not keep it. Nothing is half-made then; PostgreSQL undoes what was under way. An embedded server gets all
 * the time that is left to the process: its last checkpoint can take seconds on a busy disk.
 */
export async function closeInTime({ disconnect, close }: OpenRail, log: Logger): Promise<void> {
  if (await waitAtMost(CLOSE_MS, disconnect())) return close();
  log.warn('stopped without waiting for the database, which does not answer');
  process.exit();
}

/**
 * Ends the process where it is not over in time once it was asked to stop, as when it still waits for its database to
 * start with.
 */
export async function endInTime({ stop }: Signals, drainSeconds: number, log: Logger): Promise<void> {
  await waitForAbort(stop);
  const { announcedMs, finishMs } = patienceOf(drainSeconds, stop.reason === 'SIGINT');
  setTimeout(
    () => {
      log.warn('stopped without having closed everything in time');
      process.exit();
    },
    announcedMs + finishMs + CLOSE_MS,
  ).unref();
}

/** Waits for something, though no longer than that; whether it was over. */
async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((answer) => {
    timer = setTimeout(answer, ms, false);
  });
  return Promise.race([Promise.resolve(work).then(() => true), late]).finally(() => clearTimeout(timer));
}
