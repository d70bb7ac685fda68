import type { Server } from 'node:http';
import { Server as Sockets } from 'node:net';

export interface Drain {
  /** For how long requests are still taken after `announce`: until whoever sends them has noticed. */
  readonly announcedMs: number;
  /** For how long requests under way may take once no more are taken. */
  readonly finishMs: number;
  /** Ends both waits. */
  readonly hurry: AbortSignal;
  /** Ends answers that would last as long as their readers want. */
  endStreams(): void;
}

const IDLE_ROUND_MS = 50;
/** For how long, of `announcedMs`, proxies are let build up connections before listening ends, and use them up after it. */
const SETTLE_MS = 1_000;

/**
 * Takes a server out of service without dropping what is sent to it meanwhile.
 *
 * First answers end their connections, so that clients of a balancer of connections are led elsewhere. Whoever sends requests all the
 * same then may keep connections again: a connection that the kernel has taken and nobody has accepted is reset when listening ends, so
 * by then there should be none on its way. After it answers end their connections once more, and those still idle are closed last.
 */
export async function drain(server: Server, { announcedMs, finishMs, hurry, endStreams }: Drain): Promise<void> {
  const settleMs = Math.min(SETTLE_MS, announcedMs / 4);
  let closing = true;
  server.prependListener('request', (_req, res) => {
    if (closing) res.setHeader('Connection', 'close');
  });
  await pause(announcedMs - 2 * settleMs, hurry);
  closing = false;
  await pause(settleMs, hurry);
  closing = true;

  await quietTurn();
  const drained = new Promise<void>((done) => server.once('close', () => done()));
  // The close of an HTTP server would close idle connections first, while proxies still send requests on them.
  Sockets.prototype.close.call(server);
  endStreams();
  await pause(settleMs, hurry);

  const idle = setInterval(() => void quietTurn().then(() => server.closeIdleConnections()), IDLE_ROUND_MS);
  const cut = new AbortController();
  const deadline = pause(finishMs, AbortSignal.any([hurry, cut.signal])).then(() => server.closeAllConnections());
  await drained;
  clearInterval(idle);
  cut.abort();
  await deadline;
}

/** A turn that took no longer had nothing to read and nothing to accept. */
const QUIET_MS = 0.05;
const MOST_WAIT_MS = 500;

/**
 * Resolves right after a turn of the event loop in which nothing arrived. Closing a socket resets what the kernel has taken for it and
 * nobody has read yet, a connection or a request; at this moment there is nothing.
 */
function quietTurn(): Promise<void> {
  const until = performance.now() + MOST_WAIT_MS;
  return new Promise((quiet) => {
    const turn = (before: number): void => {
      const now = performance.now();
      if (now - before < QUIET_MS || now > until) quiet();
      else setImmediate(turn, performance.now());
    };
    // The first turn began before it was looked at.
    setImmediate(() => setImmediate(turn, performance.now()));
  });
}

/** Waits for so long, or until it is cut short. */
function pause(ms: number, short: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (short.aborted) return done();
    const timer = setTimeout(done, ms);
    short.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}
