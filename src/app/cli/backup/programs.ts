import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigError } from '../../../kernel/refusal.ts';

const execute = promisify(execFile);

/** A program of PostgreSQL's clients, found by `PATH`. */
export type Program = 'pg_dump' | 'pg_restore' | 'pg_basebackup';

/** Its output is only complaints, of which a restore can have many. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Refuses a program that is missing, or older than the server or the dump that it is to read. */
export async function requireProgram(program: Program, major: number): Promise<void> {
  const install = `install the clients of PostgreSQL ${major} or later, such as the package postgresql-client-${major}, or put their folder first in PATH`;
  const { stdout } = await execute(program, ['--version']).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new ConfigError(`${program} is not installed: ${install}`);
    throw error;
  });
  const own = Number(/ (\d+)/.exec(stdout)?.[1]);
  if (!(own >= major)) throw new ConfigError(`${program} is of version ${own}, and ${major} is needed: ${install}`);
}

/** Runs a program on a database; the password goes by the environment, since others see the arguments of a process. */
export async function runProgram(program: Program, url: string, args: readonly string[]): Promise<void> {
  const { address, password } = separatePassword(url);
  const env = { ...process.env, ...(password !== null && { PGPASSWORD: password }) };
  try {
    await execute(program, [`--dbname=${address}`, '--no-password', ...args], { env, maxBuffer: MOST_OUTPUT_BYTES });
  } catch (error) {
    if (!(error instanceof Error && 'stderr' in error)) throw error;
    throw new ConfigError(`${program} failed: ${String(error.stderr).trim() || error.message}`);
  }
}

/** The password of an address, in either place that it may have there, and what is left without it. */
export function separatePassword(url: string): { address: string; password: string | null } {
  const [, before, own, after] = /^(\w+:\/\/[^:@/?#]*):([^@/?#]*)(@.*)$/.exec(url) ?? [];
  const [path, query = ''] = (own === undefined ? url : `${before}${after}`).split(/\?(.*)/s) as [string, string?];
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const given = parameters.findLast((parameter) => parameter.startsWith('password='))?.slice('password='.length);
  const kept = parameters.filter((parameter) => !parameter.startsWith('password='));
  const password = given ?? own;
  return {
    address: kept.length > 0 ? `${path}?${kept.join('&')}` : path,
    password: password === undefined ? null : decodeURIComponent(password),
  };
}
