import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../../src/platform/config/config.ts';
import { removeCluster, startCluster } from '../../../src/platform/database/cluster/cluster.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { openRail } from '../../../src/app/open-rail.ts';
import { fillLive } from '../live.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The connection address of the test cluster, with `DATABASE` in the place of a database's name. */
    clusterUrl: string;
  }
}

/**
 * Starts a PostgreSQL of the tests' own, with two templates: the database of a new sandbox, and one that a live rail
 * starts with.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(chooseFolder(), 'rail-test-'));
  // The user that PostgreSQL runs as has to come through it.
  chmodSync(dataDir, 0o711);
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
    'autovacuum=off',
  ];
  const cluster = await startCluster({ dataDir, settings });
  await cheapenPassword(cluster.url('postgres'));
  await cluster.ensureDatabase('rail_template');
  const { close } = await openRail(readConfig({ DATABASE_URL: cluster.url('rail_template') }), createLog('silent'));
  await close();
  await cluster.ensureDatabase('rail_template_live');
  await fillLive(cluster.url('rail_template_live'));
  project.provide('clusterUrl', cluster.url('DATABASE'));
  return async () => {
    await cluster.release();
    removeCluster(cluster.directory);
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** Has each of the thousands of connections derive a key of the password by one round of hashing, and not by 4,096. */
async function cheapenPassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set scram_iterations = 1');
    await client.query(`alter role current_user password ${pg.escapeLiteral(new URL(url).password)}`);
  } finally {
    await client.end();
  }
}

/** Linux' folder of files in memory. */
const IN_MEMORY = '/dev/shm';
/** Several times as much as a run of all tests needs there. */
const ROOM_BYTES = 4 * 1_024 ** 3;

/**
 * The folder of the cluster's files: in memory, if there is room. Each test's database is a copy of a thousand small
 * files, for which a busy disk takes most of a second.
 */
function chooseFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY;
}
