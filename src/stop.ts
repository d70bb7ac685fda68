import type { Server } from 'node:http';
import type { Rail } from './call.ts';
import { drain } from './drain.ts';

/** Within which all is over once a process was asked to stop: what `docker stop` waits. */
const STOP_MS = 10_000;
/** What requests under way have at least, however long requests were still taken. */
const FINISH_MS = 3_000;
/** What is left after requests for closing what they used. */
const CLOSE_MS = 2_000;

interface Manner {
  /** Whether somebody at a terminal waits for it: then nothing in front still sends requests. */
  readonly interactive: boolean;
  /** Cuts off requests under way. */
  readonly hurry: AbortSignal;
}

/** Ends what serves: jobs at once, requests once nobody sends any more. What the rail is made of is closed after it. */
export async function shutDown(rail: Rail, server: Server, worker: { stop(): Promise<void> } | null, { interactive, hurry }: Manner): Promise<void> {
  const announcedMs = interactive ? 0 : rail.config.drainSeconds * 1_000;
  const finishMs = Math.max(STOP_MS - CLOSE_MS - announcedMs, FINISH_MS);
  rail.draining = true;
  const endStreams = () => void rail.streamSignal.end();
  await Promise.all([drain(server, { announcedMs, finishMs, hurry, endStreams }), worker?.stop()]);
}
