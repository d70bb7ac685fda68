import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../src/platform/database/cluster/free-port.ts';
import { type Cluster, removeCluster, startCluster } from '../../src/platform/database/cluster/cluster.ts';

/** A PostgreSQL of one test's own, on a port that stays the same, that can be killed, frozen and started again. */
export class OwnPostgres {
  readonly #dataDir: string;
  readonly #settings: readonly string[];
  #cluster!: Cluster;

  private constructor(settings: readonly string[], dataDir: string) {
    this.#settings = settings;
    this.#dataDir = dataDir;
  }

  /** Starts one. What was committed survives a kill, though not a power cut: nothing here waits for the disk. */
  static async start(
    settings: readonly string[] = [],
    dataDir = mkdtempSync(join(tmpdir(), 'rail-own-')),
  ): Promise<OwnPostgres> {
    const postgres = new OwnPostgres(
      [`port=${await findFreePort()}`, 'fsync=off', 'full_page_writes=off', ...settings],
      dataDir,
    );
    await postgres.startAgain();
    await postgres.#cluster.ensureDatabase('rail');
    return postgres;
  }

  /**
   * Starts a replica of it, which follows it from here on: a copy of its files, taken while it runs, that streams what
   * is written since. It listens at a port of its own, or at the one that is named.
   */
  async replicate(at?: number): Promise<OwnPostgres> {
    const dataDir = mkdtempSync(join(tmpdir(), 'rail-replica-'));
    const { directory } = this.#cluster;
    const copy = `${directory}-replica`;
    const { port, username, password } = new URL(this.url);
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(`select pg_create_physical_replication_slot('replica', true)`);
      await client.query(`select pg_backup_start('replica', true)`);
      execFileSync('cp', ['--archive', directory, copy]);
      const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
      writeAs(directory, join(copy, 'backup_label'), rows[0]!.label);
    } finally {
      await client.end();
    }
    for (const file of ['postmaster.pid', 'pg_replslot/replica']) rmSync(join(copy, file), { recursive: true });
    writeAs(directory, join(copy, 'standby.signal'), '');
    appendFileSync(
      join(copy, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\nprimary_slot_name = 'replica'\n`,
    );
    writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ directory: copy, password }));
    const replica = new OwnPostgres(
      [`port=${at ?? (await findFreePort())}`, 'fsync=off', 'full_page_writes=off'],
      dataDir,
    );
    await replica.startAgain();
    return replica;
  }

  /** The address of its database, which a rail fills at its first start. */
  get url(): string {
    return this.#cluster.url('rail');
  }

  /** Starts it after it was killed, and waits until it takes statements. */
  async startAgain(): Promise<void> {
    this.#cluster = await startCluster({ dataDir: this.#dataDir, settings: this.#settings });
  }

  /** Ends all of its processes at once, without a chance to tidy up. */
  async kill(): Promise<void> {
    await killServer(this.#cluster.directory);
    // The test's own use of it would be taken up again, beside that of the next start.
    await this.#cluster.release();
  }

  /** Halts all of its processes: connections stay, and nothing answers. */
  freeze(): void {
    signal(listServer(this.#cluster.directory), 'SIGSTOP');
  }

  /** Lets a frozen one go on. */
  thaw(): void {
    signal(listServer(this.#cluster.directory), 'SIGCONT');
  }

  /** Runs one statement of a test on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 10_000 });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends it, and removes its files. */
  async remove(): Promise<void> {
    await this.kill();
    this.discard();
  }

  /** Removes the files of one that was killed. */
  discard(): void {
    removeCluster(this.#cluster.directory);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

/** Ends all processes of the server with this data folder at once. */
export async function killServer(directory: string): Promise<void> {
  const family = listServer(directory);
  signal(family, 'SIGKILL');
  // Until all are gone, what they share in memory keeps the next start from beginning.
  while (family.some(isRunning)) await sleep(10);
}

/** The postmaster of a data folder and its children; none where it does not run. */
function listServer(directory: string): number[] {
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc').filter(
    (entry) => /^\d+$/.test(entry) && parentOf(Number(entry)) === postmaster,
  );
  return [postmaster, ...children.map(Number)].filter(isRunning);
}

/** Writes a file of the user that something else belongs to. */
function writeAs(other: string, path: string, text: string): void {
  writeFileSync(path, text);
  const { uid, gid } = statSync(other);
  chownSync(path, uid, gid);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/**
 * The fields of `/proc/<pid>/stat` after the name of the program: its state, its parent, and so on; null once it is
 * gone.
 */
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  } catch {
    return null;
  }
}

function parentOf(pid: number): number | null {
  const stat = statOf(pid);
  return stat && Number(stat[1]);
}

/** True if a process runs. One that ended, but was not waited for, does not. */
function isRunning(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z';
}
