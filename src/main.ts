import { mkdirSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { addressFile } from './address.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Rail } from './call.ts';
import { startWorker } from './jobs/worker.ts';
import { createLog } from './log.ts';
import { openRail } from './open.ts';
import { buildServer } from './server.ts';
import { type Signals, aborted, listenToSignals } from './signals.ts';
import { closeInTime, endInTime, shutDown } from './stop.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const signals = listenToSignals(log);
  void endInTime(signals, config.drainSeconds, log);
  const { rail, close } = await openRail(config, log);
  try {
    await serve(rail, signals);
  } finally {
    await closeInTime(close, log);
  }
  log.info('stopped');
}

/** Serves until the process is asked to stop, and ends what serves. */
async function serve(rail: Rail, { stop, hurry }: Signals): Promise<void> {
  const { config } = rail;
  const server = createServer(buildServer(rail));
  // Neither counts the time for which a connection was idle, so both may be shorter than what idle connections are kept for.
  server.headersTimeout = 60_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = config.keepAliveSeconds * 1_000;
  const port = await listen(server, config);
  const base = config.baseUrl ?? `http://${config.host}:${port}`;
  rail.origin = base;
  const worker = config.jobs ? await startWorker(rail) : null;
  if (config.port === null) leaveAddress(config, base);
  welcome(base, config);

  await aborted(stop);
  await shutDown(rail, server, worker, { interactive: stop.reason === 'SIGINT', hurry });
}

/** For commands beside this rail, which could not tell which port was free. */
function leaveAddress(config: Config, base: string): void {
  mkdirSync(dirname(addressFile(config)), { recursive: true });
  writeFileSync(addressFile(config), base);
}

const USUAL_PORT = 4000;
const PORTS_TRIED = 20;

/** Listens on the port that was asked for, or else on the first free one from 4000 on: another clone may have taken that. */
async function listen(server: Server, { host, port }: Config): Promise<number> {
  for (let candidate = port ?? USUAL_PORT; ; candidate++) {
    try {
      await new Promise<void>((listening, failed) => {
        server.once('error', failed);
        server.listen(candidate, host, () => {
          server.off('error', failed);
          listening();
        });
      });
      const address = server.address();
      return typeof address === 'object' && address ? address.port : candidate;
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken) throw error;
      if (port !== null || candidate === USUAL_PORT + PORTS_TRIED) throw new ConfigError(`PORT: ${candidate} is taken by another process`);
    }
  }
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
  const reason = error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`The rail does not start. ${reason}\n`);
  process.exitCode = 1;
  // Whatever was opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
});
