import { type Server, createServer } from 'node:http';
import { join } from 'node:path';
import { startFollowing } from '../../platform/analytics/follow.ts';
import { type Lacking, findLacking } from '../../platform/access/independence.ts';
import { ConfigError } from '../../kernel/refusal.ts';
import type { Config } from '../../platform/config/config.ts';
import { BY_NPM } from '../../platform/config/started-by.ts';
import type { Rail } from '../../platform/call/call.ts';
import { leaveAddress } from '../address.ts';
import { startWorker } from '../jobs/worker.ts';
import { metricsOf } from '../probes.ts';
import { introduceAccounts, makeSandboxAccounts } from '../../sandbox/accounts.ts';
import { buildOpsServer, buildServer } from '../server.ts';
import { writeCompiledCode } from './compiled-code.ts';
import { type Signals, waitForAbort } from './signals.ts';
import { shutDown } from './stop.ts';

/** Serves until the process is asked to stop, and ends what serves. */
export async function serve(rail: Rail, { stop, hurry }: Signals): Promise<void> {
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
  const takeBack = config.port === null ? leaveAddress(config, base) : null;
  const password = await makeSandboxAccounts(rail);
  const lacking = await findLacking(rail);
  if (lacking) rail.log.warn(`${LACKING[lacking]}; ${ADVICE}`);
  // Last of what can fail, since it has to be stopped.
  const worker = config.jobs ? await startWorker(rail) : null;
  const following = config.analytics && startFollowing(rail);
  const moved = config.port === null && port !== DEFAULT_PORT;
  welcome(base, config, moved, password && introduceAccounts(password));
  writeCompiledCode();

  await waitForAbort(stop);
  takeBack?.();
  const followed = following?.stop();
  await shutDown(rail, server, worker, { interactive: stop.reason === 'SIGINT', hurry });
  // Last, so that probes learn to the end that it stops.
  await followed;
  ops?.close();
  ops?.closeAllConnections();
}

/** Requests that nobody can approve, for want of two independent people. */
const LACKING: Readonly<Record<Lacking, string>> = {
  operators: 'no two operators are independent: roles, keys, fees, accounts and going live cannot be approved',
  admins: 'no two admins are independent: admins and system managers cannot be approved',
};
const ADVICE =
  'make a second by the command line (staff:add), or approve by approvals:break-glass; see docs/operators.md#two-independent-people';

const DEFAULT_PORT = 4000;
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
  for (let candidate = DEFAULT_PORT; candidate < DEFAULT_PORT + PORTS_TRIED; candidate++) {
    const found = await tryToListen(server, host, candidate);
    if (found !== null) return found;
  }
  return listenOn(server, host, DEFAULT_PORT + PORTS_TRIED, 'PORT');
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

/** Says where everything is, and where it was `moved` to another port; with `accounts`, who signs in at a new sandbox. */
function welcome(base: string, { mode, smtpUrl, dataDir }: Config, moved: boolean, accounts: string | null): void {
  const mail = smtpUrl ? 'its recipients' : join(dataDir, 'mail');
  const taken = `Port ${DEFAULT_PORT} is taken. A rail there that has the same database serves the same data: set DATA_DIR for one of its own.\n`;
  process.stdout.write(`
Revenue Rail (${mode}) is listening on ${base}
${moved ? taken : ''}
  Staff           ${base}/signin/staff
  Integrators     ${base}/signup; mail goes to ${mail}
  API reference   ${base}/docs/api
  GraphQL         ${base}/graphql
${mode === 'sandbox' && BY_NPM ? '  The whole flow  npm run demo\n' : ''}
${accounts ?? ''}`);
}
