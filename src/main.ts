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

/** How long requests under way may take once the process is asked to stop. */
const DRAIN_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const { rail, close } = await openRail(config, log);
  try {
    await start(rail, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(rail: Rail, close: () => Promise<void>): Promise<void> {
  const { config, log } = rail;
  const app = buildServer(rail);
  const server = createServer(app);
  server.requestTimeout = 60_000;
  const port = await listen(server, config);
  const base = config.baseUrl ?? `http://${config.host}:${port}`;
  rail.origin = base;
  const worker = config.jobs ? await startWorker(rail) : null;
  if (config.port === null) leaveAddress(config, base);
  welcome(base, config);

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app.set('draining', true);
    // Streams would last as long as their readers want.
    const streams = rail.streamSignal.end();
    const drained = new Promise<void>((done) => server.close(() => done()));
    // A connection whose last request was under way just now would be kept for the next one.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await Promise.all([drained, streams, worker?.stop()]);
    clearInterval(idle);
    clearTimeout(deadline);
    await close();
    log.info('stopped');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.fatal({ err: error }, 'stopping failed');
        process.exitCode = 1;
      });
    });
  }
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
