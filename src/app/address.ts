import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';

/** Where a rail leaves its address for commands on the same machine. */
export function addressFileOf({ dataDir }: Config): string {
  return join(dataDir, 'address');
}

/** Where a rail of this configuration listens, as far as another process can tell. */
export function addressOf(config: Config): string {
  const file = addressFileOf(config);
  if (config.baseUrl) return config.baseUrl;
  if (config.port === null && existsSync(file)) return readFileSync(file, 'utf8').trim();
  return `http://${config.host}:${config.port ?? 4000}`;
}
