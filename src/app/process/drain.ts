import type { Server } from 'node:http';
import { Server as Sockets } from 'node:net';

export interface Drain {
  /** For how long requests are still taken: until their senders have noticed. */
  readonly announcedMs: number;
  /** For how long requests under way may take once no more are taken. */
  readonly finishMs: number;
  /** Ends both waits. */
  readonly hurry: AbortSignal;
  /** Ends answers that would last as long as their readers want. */
  endStreams(): void;
}

const IDLE_ROUND_MS = 50;
/**
 * For how long, of `announcedMs`, proxies are let build up connections before listening ends, and use them up after it.
 */
const SETTLE_MS = 1_000;

/**
 * Takes a server out of service without dropping what is sent to it meanwhile.
 *
 * First answers end their connections, so that clients of a balancer of connections are led elsewhere. Clients that
 * send requests all the same may then keep connections again: a connection that the kernel has taken and nobody has
 * accepted is reset when listening ends, so by then there should be none on its way. After it, answers end their
 * connections again, and those still idle are closed last.
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

  await waitForQuietTurn(server);
  const drained = new Promise<void>((done) => server.once('close', () => done()));
  // The close of an HTTP server would close idle connections first, while proxies still send requests on them.
  Sockets.prototype.close.call(server);
  endStreams();
  await pause(settleMs, hurry);

  const over = new AbortController();
  void drained.then(() => over.abort());
  const deadline = pause(finishMs, AbortSignal.any([hurry, over.signal])).then(() => server.closeAllConnections());
  while (!over.signal.aborted) {
    await waitForQuietTurn(server);
    server.closeIdleConnections();
    await pause(IDLE_ROUND_MS, over.signal);
  }
  await deadline;
}

/** A turn that took no longer had nothing to read. */
const QUIET_MS = 0.05;
/** After each such time of waiting twice as long a turn will do: on a machine that is overloaded no turn is short. */
const DOUBLING_MS = 100;

/**
 * Resolves right after a turn of the event loop in which no connection arrived, and next to nothing else. Closing a
 * socket resets what the kernel has taken for it and nobody has read yet, a connection or a request; at this moment
 * there is nothing.
 */
function waitForQuietTurn(server: Server): Promise<void> {
  const since = performance.now();
  let accepted = false;
  const accept = (): void => void (accepted = true);
  server.on('connection', accept);
  const quiet = new Promise<void>((done) => {
    const takeTurn = (before: number): void => {
      const now = performance.now();
      const enough = QUIET_MS * 2 ** ((now - since) / DOUBLING_MS);
      if (!accepted && now - before < enough) return done();
      accepted = false;
      setImmediate(takeTurn, performance.now());
    };
    // The first turn began before it was looked at.
    setImmediate(() => setImmediate(takeTurn, performance.now()));
  });
  return quiet.finally(() => server.off('connection', accept));
}

/** Waits for so long, or until it is cut short. */
function pause(ms: number, short: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (short.aborted) return done();
    const timer = setTimeout(done, ms);
    short.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}
