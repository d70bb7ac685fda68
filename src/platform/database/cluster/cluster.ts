import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { runOnConnection } from '../connection/connection.ts';
import { removePidFile, isServerOf, readPidFile } from './pid-file.ts';
import { SharedUse } from '../shared-use.ts';
import { findUnprivilegedUser } from './owner.ts';
import { type Owner, type Ran, SHARED_HOME, canEnter, locateBinaries, run } from './programs.ts';

/**
 * The PostgreSQL that comes with the rail: a cluster of its own in the data folder, on a free port of the loopback
 * address.
 */
export interface Cluster {
  /** Folder of its files. */
  readonly directory: string;
  url(database: string): string;
  ensureDatabase(name: string): Promise<void>;
  /** Stops it, unless another process still uses it. */
  release(): Promise<void>;
}

interface ClusterOptions {
  readonly dataDir: string;
  /** Server settings, such as `fsync=off` for a cluster that only tests use. */
  readonly settings?: readonly string[];
  /** Gives the start up. */
  readonly stop?: AbortSignal | undefined;
}

interface Place {
  readonly binaries: string;
  readonly directory: string;
  readonly owner: Owner | null;
}

/** Record of a cluster in its data folder. */
interface Remembered {
  readonly directory: string;
  readonly password: string;
}

const SUPERUSER = 'rail';
/** Name of the server, by which clients can tell which one it is. */
export const CLUSTER_NAME = 'revenue-rail-embedded';
/** For how long a start is tried: a server that recovers from a crash takes its time. */
const START_MS = 60_000;

/**
 * A violated constraint is logged by its name, without the values that violated it: they can be addresses and names.
 */
const LOGGING = ['-c', 'log_error_verbosity=terse'];

/**
 * Starts the cluster of a data folder, or finds it running: after a kill of the rail, or while another process of it
 * runs. Where `stop` is aborted meanwhile nothing is left running that this call has started.
 */
export async function startCluster({ dataDir, settings = [], stop }: ClusterOptions): Promise<Cluster> {
  const owner = process.getuid?.() === 0 ? await findUnprivilegedUser() : null;
  const binaries = locateBinaries(owner);
  mkdirSync(dataDir, { recursive: true });
  const { directory, password } = remember(dataDir, owner);
  const url = (port: number, database: string) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  await initialise({ binaries, directory, password, owner });
  const place: Place = { binaries, directory, owner };

  const deadline = performance.now() + START_MS;
  for (;;) {
    const port = readPidFile(directory)?.port;
    const use = port ? await SharedUse.take(url(port, 'postgres')).catch(() => null) : null;
    if (port && use) {
      return {
        directory,
        url: (database) => url(port, database),
        ensureDatabase: (name) => ensureDatabase(url(port, 'postgres'), name),
        release: () => use.leave(() => stopServer(place)),
      };
    }
    stop?.throwIfAborted();
    const started = await startServer(place, settings);
    if (started.code === 0) continue;
    removeStalePidFile(place, started);
    if (performance.now() > deadline) throw new Error(complaintOf(place, started));
    // Another process may have been faster, or the port was taken in between: look again.
    await sleep(200);
  }
}

async function startServer({ binaries, directory, owner }: Place, settings: readonly string[]): Promise<Ran> {
  const options = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    "unix_socket_directories=''",
    '-c',
    `cluster_name=${CLUSTER_NAME}`,
    ...LOGGING,
    '-p',
    String(await findFreePort()),
  ];
  for (const setting of settings) options.push('-c', setting);
  const log = join(directory, 'server.log');
  return run(
    binaries,
    'pg_ctl',
    ['start', '--wait', '--timeout=30', '-D', directory, '-l', log, '-o', options.join(' ')],
    owner,
  );
}

async function stopServer({ binaries, directory, owner }: Place): Promise<void> {
  const stopped = await run(binaries, 'pg_ctl', ['stop', '--wait', '--mode=fast', '-D', directory], owner);
  if (stopped.code !== 0 && readPidFile(directory))
    throw new Error(`The embedded PostgreSQL does not stop: ${stopped.output.trim()}`);
}

/**
 * A file that a crash has left, and whose process is another one by now, keeps PostgreSQL from starting for as long as
 * that process lives: it is made to name the program that has just failed to start it.
 */
function removeStalePidFile({ directory }: Place, { pid }: Ran): void {
  const file = readPidFile(directory);
  if (file && isServerOf(directory, file) === false) removePidFile(file, pid);
}

function complaintOf({ directory }: Place, { output }: Ran): string {
  const file = readPidFile(directory);
  const who =
    file &&
    `Process ${file.pid} runs it, going by ${file.path}, but does not answer: end it, or remove that file if it is none of PostgreSQL's.`;
  return [`The embedded PostgreSQL in ${directory} does not start: ${output.trim()}`, who].filter(Boolean).join(' ');
}

/** Removes a stopped cluster's files; for clusters that only tests use. */
export function removeCluster(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

function remember(dataDir: string, owner: Owner | null): Remembered {
  const file = join(dataDir, 'postgres.json');
  const reachable = !owner || canEnter(dataDir, owner);
  const directory = reachable ? join(dataDir, 'postgres') : join(SHARED_HOME, randomBytes(6).toString('hex'));
  const fresh: Remembered = { directory, password: randomBytes(24).toString('hex') };
  try {
    writeFileSync(file, JSON.stringify(fresh, null, 2), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Remembered;
}

async function initialise(where: {
  binaries: string;
  directory: string;
  password: string;
  owner: Owner | null;
}): Promise<void> {
  if (existsSync(join(where.directory, 'PG_VERSION'))) return;
  // Made next to its place and renamed into it, so that a half-made cluster is never taken for a whole one.
  const draft = `${where.directory}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(draft), { recursive: true });
  mkdirSync(draft, { mode: 0o700 });
  if (where.owner) chownSync(draft, where.owner.uid, where.owner.gid);
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, where.password, { mode: 0o600 });
  if (where.owner) chownSync(passwordFile, where.owner.uid, where.owner.gid);
  try {
    const initdb = [
      '-D',
      draft,
      '-U',
      SUPERUSER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
    ];
    const initialised = await run(
      where.binaries,
      'initdb',
      [...initdb, '--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'],
      where.owner,
    );
    if (initialised.code !== 0) throw new Error(`initdb failed: ${initialised.output.trim()}`);
    try {
      renameSync(draft, where.directory);
    } catch (error) {
      if (!existsSync(join(where.directory, 'PG_VERSION'))) throw error;
    }
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

async function ensureDatabase(url: string, name: string): Promise<void> {
  try {
    await runOnConnection(url, { name: '', work: 'job' }, async (client) => {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
    });
  } catch (error) {
    // Two processes may start a fresh data folder together.
    const duplicate = error instanceof Error && 'code' in error && (error.code === '42P04' || error.code === '23505');
    if (!duplicate) throw error;
  }
}
