import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../platform/database/cluster/free-port.ts';
import { removeCluster, startCluster } from '../../../platform/database/cluster/cluster.ts';
import { simulateOutside } from '../../simulators/outside.ts';
import { type Caller, callAs } from '../caller.ts';
import type { Environment } from '../commands.ts';
import { waitFor } from '../waiting.ts';

/** A live rail of the demo's own. */
export interface LiveRail {
  /** Address of the rail; in front of it would stand a server that speaks https. */
  readonly base: string;
  readonly mailFolder: string;
  /** Audience of tokens: the address that integrators know it by. */
  readonly publicAddress: string;
  /** Environment that it was started with, as are commands of an operator on its database. */
  readonly environment: Environment;
  /** Calls it, with a credential or without one. */
  callAs(credential?: Readonly<Record<string, string>>): Caller;
  close(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PUBLIC_ADDRESS = 'https://rail.example.org';
const START_SECONDS = 60;

/**
 * Starts a rail in live mode, with simulators of the outside world behind it. Its database is a new one: `databaseUrl`
 * names it, or else a PostgreSQL of its own is started for it.
 */
export async function startLiveRail(env: Environment, databaseUrl: string | null): Promise<LiveRail> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'rail-live-'));
  // The user that PostgreSQL runs as has to come through it.
  chmodSync(folder, 0o711);
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const base = `http://127.0.0.1:${await findFreePort()}`;
  const outside = await simulateOutside({
    folder: join(folder, 'outside'),
    rail: () => base,
    autopay: true,
    tls: true,
  });
  opened.defer(() => outside.close());
  const settings: Environment = {
    ...env,
    ...NOT_TAKEN,
    ...outside.environment,
    MODE: 'live',
    RAIL_OPERATOR: 'demo',
    SMTP_URL: 'none',
    EMBEDDED_POSTGRES: 'on',
    BASE_URL: PUBLIC_ADDRESS,
    HOST: '127.0.0.1',
    PORT: new URL(base).port,
    DATABASE_URL: databaseUrl ?? (await startDatabase(opened, folder)),
    DATA_DIR: folder,
    SECRET_KEY: env['SECRET_KEY'] || randomBytes(32).toString('base64url'),
    LOG_LEVEL: 'error',
    JOBS: 'on',
    DRAIN_SECONDS: '0',
  };
  const rail = spawn(process.execPath, ['src/app/main.ts'], {
    cwd: ROOT,
    env: { ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  opened.defer(() => end(rail));
  await waitUntilReady(base, rail);
  const rest = opened.move();
  return {
    base,
    mailFolder: join(folder, 'mail'),
    publicAddress: PUBLIC_ADDRESS,
    environment: settings,
    callAs: (credential) => callAs(base, credential, 'some'),
    close: () => rest.disposeAsync(),
  };
}

/** Variables that the user of the demo may have set for another rail. */
const NOT_TAKEN = {
  DATABASE_REPLICA_URL: '',
  OPS_PORT: '',
  DEV_REVEAL: '',
  WEBHOOK_ALLOW_PRIVATE: '',
} as const;

async function startDatabase(opened: AsyncDisposableStack, folder: string): Promise<string> {
  const cluster = await startCluster({ dataDir: folder });
  opened.defer(async () => {
    await cluster.release();
    removeCluster(cluster.directory);
  });
  await cluster.ensureDatabase('live');
  return cluster.url('live');
}

async function waitUntilReady(base: string, rail: ChildProcess): Promise<void> {
  const isReady = async () => {
    if (rail.exitCode !== null) throw new Error(`The rail ended with code ${rail.exitCode}`);
    const ready = await fetch(`${base}/readyz`).catch(() => null);
    return ready?.ok || null;
  };
  if (!(await waitFor(START_SECONDS, isReady))) throw new Error(`The rail was not ready within ${START_SECONDS} s`);
}

async function end(rail: ChildProcess): Promise<void> {
  if (rail.exitCode !== null || rail.signalCode !== null) return;
  const exited = once(rail, 'exit');
  rail.kill('SIGTERM');
  await exited;
}
