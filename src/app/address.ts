import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../platform/config/config.ts';

/** File of a rail's address and process number, for commands on the same machine. */
const fileOf = ({ dataDir }: Config) => join(dataDir, 'address');

/**
 * Leaves an address for commands on this machine, which could not tell which port was free; not where another process
 * that runs has left its own. Answers how to take it back.
 */
export function leaveAddress(config: Config, base: string): () => void {
  const file = fileOf(config);
  const own = `${base} ${process.pid}`;
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) : null;
  if (holder === null || holder === process.pid || !isAlive(holder)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, own);
  }
  return () => {
    if (existsSync(file) && readFileSync(file, 'utf8') === own) rmSync(file);
  };
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EPERM';
    throw error;
  }
}

/** Address that a rail of this configuration listens on, as far as another process can tell. */
export function addressOf(config: Config): string {
  const file = fileOf(config);
  if (config.baseUrl) return config.baseUrl;
  if (config.port === null && existsSync(file)) return readFileSync(file, 'utf8').split(' ')[0]!;
  return `http://${config.host}:${config.port ?? 4000}`;
}
