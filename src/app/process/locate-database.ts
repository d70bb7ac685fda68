import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigError } from '../../kernel/refusal.ts';
import type { Config } from '../../platform/config/config.ts';
import { startCluster } from '../../platform/database/cluster/cluster.ts';
import { NoPostgres } from '../../platform/database/cluster/programs.ts';

const DATABASE = 'rail';

/** The database of a rail, and what ends its use. */
export interface Located {
  readonly url: string;
  release(): Promise<void>;
}

/** Finds the database that the configuration names, or starts the one that comes with the rail. */
export async function locateDatabase(
  { databaseUrl, dataDir }: Config,
  log: Logger,
  stop?: AbortSignal,
): Promise<Located> {
  if (databaseUrl) return { url: databaseUrl, release: async () => {} };
  mkdirSync(dataDir, { recursive: true });
  // Tables grow from nothing here: the plans of empty ones must not stay for a minute.
  const settings = ['autovacuum_naptime=10'];
  const cluster = await startCluster({ dataDir, settings, stop }).catch((error: unknown) => {
    throw error instanceof NoPostgres ? new ConfigError(`DATABASE_URL: needed here, since ${error.message}`) : error;
  });
  log.info({ directory: cluster.directory }, 'embedded PostgreSQL is running');
  try {
    await cluster.ensureDatabase(DATABASE);
  } catch (error) {
    await cluster.release();
    throw error;
  }
  return { url: cluster.url(DATABASE), release: () => cluster.release() };
}
