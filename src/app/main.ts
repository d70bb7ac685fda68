import { mkdirSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { addressFileOf } from './address.ts';
import { type Config, ConfigError, readConfig } from '../platform/config/config.ts';
import type { Logger } from 'pino';
import type { Rail } from '../platform/call/call.ts';
import { startWorker } from './jobs/worker.ts';
import { createLog } from '../kernel/log.ts';
import { ownHands } from '../platform/database/clock.ts';
import { type OpenRail, openRail } from './open-rail.ts';
import { metricsOf } from './probes.ts';
import { buildOpsServer, buildServer } from './server.ts';
import { type Signals, waitForAbort, listenToSignals } from './signals.ts';
import { closeInTime, endInTime, shutDown } from './stop.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const signals = listenToSignals(log);
  void endInTime(signals, config.drainSeconds, log);
  const opened = await openUnlessStopped(config, log, signals);
  if (opened) {
    try {
      await serve(opened.rail, signals);
    } finally {
      await closeInTime(opened.close, log);
    }
  }
  log.info('stopped');
}

/** Null where the process is asked to stop before all is open; what was open by then is closed. */
async function openUnlessStopped(config: Config, log: Logger, { stop }: Signals): Promise<OpenRail | null> {
  try {
    return await openRail(config, log, ownHands, stop);
  } catch (error) {
    if (!stop.aborted) throw error;
    if (error !== stop.reason) log.warn({ err: error }, 'the start had failed');
    return null;
  }
}

/** Serves until the process is asked to stop, and ends what serves. */
async function serve(rail: Rail, { stop, hurry }: Signals): Promise<void> {
  if (stop.aborted) return;
  const { config } = rail;
  const registry = metricsOf(rail);
  const server = createServer(buildServer(rail, registry));
  // Neither counts the time for which a connection was idle, so both may be shorter than what idle connections are kept
  // for.
  server.headersTimeout = 60_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = config.keepAliveSeconds * 1_000;
  const ops = config.opsPort === null ? null : createServer(buildOpsServer(rail, registry));
  if (ops) await listenOn(ops, config.host, config.opsPort!, 'OPS_PORT');
  const port = await listen(server, config);
  const base = config.baseUrl ?? `http://${config.host}:${port}`;
  rail.origin = base;
  const worker = config.jobs ? await startWorker(rail) : null;
  if (config.port === null) leaveAddress(config, base);
  welcome(base, config);

  await waitForAbort(stop);
  await shutDown(rail, server, worker, { interactive: stop.reason === 'SIGINT', hurry });
  // Last, so that probes learn to the end that it stops.
  ops?.close();
  ops?.closeAllConnections();
}

/** For commands beside this rail, which could not tell which port was free. */
function leaveAddress(config: Config, base: string): void {
  mkdirSync(dirname(addressFileOf(config)), { recursive: true });
  writeFileSync(addressFileOf(config), base);
}

const USUAL_PORT = 4000;
/**
 * Connections that may wait to be accepted: of a crowd that is larger, the system would reset some, where they could be
 * told to come back.
 */
const BACKLOG = 4_096;
const PORTS_TRIED = 20;

/**
 * Listens on the port that was asked for, or else on the first free one from 4000 on: another clone may have taken
 * that.
 */
async function listen(server: Server, { host, port }: Config): Promise<number> {
  if (port !== null) return listenOn(server, host, port, 'PORT');
  for (let candidate = USUAL_PORT; candidate < USUAL_PORT + PORTS_TRIED; candidate++) {
    const found = await tryToListen(server, host, candidate);
    if (found !== null) return found;
  }
  return listenOn(server, host, USUAL_PORT + PORTS_TRIED, 'PORT');
}

/** Listens on the port that a variable asks for. */
async function listenOn(server: Server, host: string, port: number, variable: string): Promise<number> {
  const found = await tryToListen(server, host, port);
  if (found === null) throw new ConfigError(`${variable}: ${port} is taken by another process`);
  return found;
}

/** The port that it listens on; null where another process does. */
async function tryToListen(server: Server, host: string, port: number): Promise<number | null> {
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen({ port, host, backlog: BACKLOG }, () => {
        server.off('error', failed);
        listening();
      });
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
    throw error;
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function welcome(base: string, { mode, smtpUrl, dataDir }: Config): void {
  const mail = smtpUrl ? 'its recipients' : join(dataDir, 'mail');
  process.stdout.write(`
Revenue Rail (${mode}) is listening on ${base}

  API reference   ${base}/v1/docs
  GraphQL         ${base}/graphql
  Agencies        curl ${base}/v1/mdas
  Sign up         the README's first payment; mail goes to ${mail}
  Dashboard       ${base}/dashboard
  The whole flow  npm run demo

`);
}

main().catch((error: unknown) => {
  const reason =
    error instanceof ConfigError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`The rail does not start. ${reason}\n`);
  process.exitCode = 1;
  // Whatever was opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
});
