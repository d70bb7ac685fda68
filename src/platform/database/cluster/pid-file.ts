import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Content of `postmaster.pid`: the process that runs the server of a folder, and its port. */
export interface PidFile {
  readonly path: string;
  readonly pid: number;
  /** Null while the server has not got that far. */
  readonly port: number | null;
}

/** The file of a folder whose server runs, or ended without tidying up; null where there is none. */
export function readPidFile(directory: string): PidFile | null {
  const path = join(directory, 'postmaster.pid');
  if (!existsSync(path)) return null;
  const [pid, , , port] = readFileSync(path, 'utf8').split('\n');
  return { path, pid: Number(pid), port: Number(port) || null };
}

/**
 * True if the process that the file names is a server of this folder. After a crash its number may be that of any other
 * process, which PostgreSQL takes for its own server. Null if that cannot be told.
 */
export function isServerOf(directory: string, { pid }: PidFile): boolean | null {
  const command = commandOf(pid);
  return command === null ? null : command.includes(directory);
}

/**
 * Writes the number of a process that has ended over the one in a stale file. PostgreSQL then finds
 * out whether something of the server before is left, which it could not if the file were removed.
 */
export function removePidFile({ path, pid }: PidFile, ended: number): void {
  const [first, ...rest] = readFileSync(path, 'utf8').split('\n');
  if (Number(first) === pid) writeFileSync(path, [String(ended), ...rest].join('\n'));
}

function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    // It has ended meanwhile, or belongs to somebody else: then PostgreSQL itself sees that it is none of its own.
    return null;
  }
}
