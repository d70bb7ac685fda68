import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, startCluster } from '../../src/platform/database/cluster/cluster.ts';
import { readPidFile } from '../../src/platform/database/cluster/pid-file.ts';
import { type Served, capture, cpuOf, serve } from '../harness/processes.ts';
import { CLIENTS, type Client, httpClient } from './clients.ts';
import type { MeasuredDatabase } from './measure.ts';

const SCOPES = 'citizens.read,citizens.write,assessments.write,payments.initiate,oversight.read';

/** Beyond all that is sent here, so that each side counts and none refuses. */
const RATE_LIMIT_KEY = '10000000';

export interface IssuedKey {
  readonly plaintext: string;
  readonly integrator: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The surroundings of a measurement: its own cluster, databases and processes. */
export class Setting implements MeasuredDatabase {
  readonly cluster: Cluster;
  readonly #dataDir: string;
  readonly #kept: boolean;
  readonly #databases = new Set<string>();
  readonly #closing: (() => Promise<unknown>)[] = [];
  #servers = 0;

  private constructor(cluster: Cluster, dataDir: string, kept: boolean) {
    this.cluster = cluster;
    this.#dataDir = dataDir;
    this.#kept = kept;
  }

  /** Starts a cluster with PostgreSQL's own settings and some beside them; in a folder that stays, where one is named. */
  static async open({ settings = [], keep }: { settings?: readonly string[]; keep?: string | undefined } = {}) {
    const dataDir = keep ?? mkdtempSync(join(tmpdir(), 'rail-bench-'));
    // Every side keeps its connections for as long as it is measured.
    const all = ['max_connections=300', ...settings];
    return new Setting(await startCluster({ dataDir, settings: all }), dataDir, keep !== undefined);
  }

  /** A database of this name, made where there is none yet, as a side finds it in its environment. */
  async database(name: string) {
    await this.cluster.ensureDatabase(name);
    this.#databases.add(name);
    const DATABASE_URL = this.cluster.url(name);
    return { DATABASE_URL, DATABASE_POOL: String(CLIENTS), DATA_DIR: this.#dataDir, JOBS: 'off', RATE_LIMIT_KEY };
  }

  /** Starts a rail; its log goes to a file, as it would behind a log shipper. */
  serve(script: string, env: Readonly<Record<string, string>>): Promise<Served> {
    return this.#start(script, env);
  }

  /** Starts what a rail is measured beside, on Node as it is by itself: what `npm start` tells it is for the rail. */
  servePeer(script: string, env: Readonly<Record<string, string>>): Promise<Served> {
    return this.#start(script, env, []);
  }

  async #start(script: string, env: Readonly<Record<string, string>>, flags?: readonly string[]): Promise<Served> {
    const log = join(this.#dataDir, `${this.#servers++}.log`);
    const served = await serve(script, { PORT: '0', LOG_LEVEL: 'info', ...env }, { log, ...(flags && { flags }) });
    this.#closing.push(() => served.stop());
    return served;
  }

  /** A client of one side. */
  client({ origin }: Served, { plaintext }: IssuedKey, how?: Parameters<typeof httpClient>[2]): Client {
    const client = httpClient(origin, plaintext, how);
    this.#closing.push(() => client.close());
    return client;
  }

  /** A connection to a database, for whoever measures. */
  pool({ DATABASE_URL }: Readonly<Record<string, string>>, max = 1): pg.Pool {
    const pool = new pg.Pool({ connectionString: DATABASE_URL, max });
    this.#closing.push(() => pool.end());
    return pool;
  }

  /** Adds something to close together with the setting. */
  closeWith(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  /** CPU time that all processes of PostgreSQL have used so far, in milliseconds. */
  databaseMs = (): number => {
    const { pid } = readPidFile(this.cluster.directory)!;
    return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuWhileRunning(each), reapedOf(pid));
  };

  async analyze(): Promise<void> {
    for (const name of this.#databases) {
      const client = new pg.Client({ connectionString: this.cluster.url(name) });
      await client.connect();
      await client.query('analyze');
      await client.end();
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closing.toReversed()) await close();
    await this.cluster.release();
    if (this.#kept) return;
    for (const path of [this.cluster.directory, this.#dataDir]) rmSync(path, { recursive: true, force: true });
  }
}

export async function issueKey(env: Readonly<Record<string, string>>): Promise<IssuedKey> {
  const to = ['--organisation', 'Bench', '--email', 'bench@example.com', '--scopes', SCOPES, '--json'];
  return JSON.parse(await capture('src/app/cli/admin.ts', ['key:issue', ...to], env)) as IssuedKey;
}

/** CPU time of a process; none where it has ended meanwhile: then its parent has it. */
function cpuWhileRunning(pid: number): number {
  try {
    return cpuOf(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0;
    throw error;
  }
}

/** The processes that a process has started and that still run. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** CPU time of those that have ended, in milliseconds. */
function reapedOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
