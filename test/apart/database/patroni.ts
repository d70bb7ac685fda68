import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { findUnprivilegedUser } from '../../../src/platform/database/cluster/owner.ts';
import { killServer } from '../../harness/postgres.ts';

const PROGRAMS = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', postgres: '/usr/lib/postgresql/15/bin' };

/** Debian packages that are missing on this machine; empty if all are installed. */
export const MISSING_FOR_PATRONI = [
  ['patroni', PROGRAMS.patroni],
  ['etcd-server', PROGRAMS.etcd],
  ['postgresql-15', `${PROGRAMS.postgres}/postgres`],
].flatMap(([name, path]) => (existsSync(path!) ? [] : [name!]));

/** Seconds that a leader may be silent before another is chosen, and seconds between its signs of life. */
const TTL = 10;
const LOOP = 2;
const PASSWORD = 'secret';
const PATIENCE_MS = 120_000;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly api: string;
  readonly dataDir: string;
  readonly config: string;
  patroni: ChildProcess | null;
}

/** A member of the cluster, as Patroni's API spells it. */
interface Member {
  readonly name: string;
  readonly role: 'leader' | 'replica' | 'sync_standby';
  readonly state: string;
}

/** Three servers that Patroni keeps as one cluster, by an etcd of their own, each on a port that stays the same. */
export class PatroniCluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rail-patroni-'));
  readonly #nodes: Node[] = [];
  #etcd!: ChildProcess;
  #user: { uid: number; gid: number } | null = null;

  /** Starts one whose leader waits for a standby with each commit, or does not. */
  static async start({ synchronous }: { synchronous: boolean }): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    await cluster.#start(synchronous);
    return cluster;
  }

  async #start(synchronous: boolean): Promise<void> {
    // PostgreSQL does not run as root.
    this.#user = process.getuid?.() === 0 ? await findUnprivilegedUser() : null;
    this.#own(this.#folder);
    chmodSync(this.#folder, 0o755);
    const [client, peer] = [await findFreePort(), await findFreePort()].map((port) => `http://127.0.0.1:${port}`);
    const { host } = new URL(client!);
    this.#etcd = this.#spawn('etcd', PROGRAMS.etcd, [
      `--data-dir=${join(this.#folder, 'etcd')}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${client!}`,
      `--advertise-client-urls=${client!}`,
      `--listen-peer-urls=${peer!}`,
      `--initial-advertise-peer-urls=${peer!}`,
      `--initial-cluster=default=${peer!}`,
    ]);
    for (const name of ['a', 'b', 'c']) {
      const node = await this.#configure(name, host, synchronous);
      this.#nodes.push(node);
      this.#begin(node);
      if (name === 'a') await this.leader();
    }
    await this.settled();
    await this.query('create table fail_over_probe (at timestamptz)', [], 'postgres');
    await this.query('create database rail', [], 'postgres');
  }

  async #configure(name: string, etcd: string, synchronous: boolean): Promise<Node> {
    const [port, api] = [await findFreePort(), `127.0.0.1:${await findFreePort()}`];
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    this.#own(folder);
    const node = { name, port, api, dataDir: join(folder, 'data'), config: join(folder, 'patroni.yml'), patroni: null };
    const address = `127.0.0.1:${port}`;
    const account = (username: string) => ({ username, password: PASSWORD });
    const config = {
      scope: 'rail',
      name,
      restapi: { listen: api, connect_address: api },
      etcd3: { host: etcd },
      bootstrap: {
        dcs: {
          ttl: TTL,
          loop_wait: LOOP,
          retry_timeout: 4,
          maximum_lag_on_failover: 64 * 1_024 ** 2,
          synchronous_mode: synchronous,
          synchronous_mode_strict: synchronous,
          postgresql: {
            use_pg_rewind: true,
            // Commits survive a kill, but not a power cut: nothing here waits for the disk.
            parameters: { max_connections: 150, wal_log_hints: 'on', fsync: 'off', wal_keep_size: '512MB' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, 'no-sync'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: node.dataDir,
        bin_dir: PROGRAMS.postgres,
        pgpass: join(folder, 'pgpass'),
        authentication: {
          superuser: account('postgres'),
          replication: account('replicator'),
          rewind: account('rewind'),
        },
        parameters: { unix_socket_directories: folder },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
      },
      tags: { nofailover: false, noloadbalance: false },
    };
    // JSON is YAML too.
    writeFileSync(node.config, JSON.stringify(config), { mode: 0o644 });
    return node;
  }

  /** The address of all of its servers. */
  get url(): string {
    return `postgresql://postgres:${PASSWORD}@${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/rail`;
  }

  /** Its leader, as its members agree; waits until there is one that runs. */
  async leader(): Promise<Node> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const leader = (await this.#members()).find(({ role, state }) => role === 'leader' && state === 'running');
      const node = leader && this.#nodes.find(({ name }) => name === leader.name);
      if (node?.patroni) return node;
      if (Date.now() > end) throw new Error(`There is no leader: ${this.#logs()}`);
      await sleep(200);
    }
  }

  /** Waits until all nodes run, and where that is asked for one of them has each commit before it is answered. */
  async settled(): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const members = await this.#members();
      const standbys = members.filter(({ role, state }) => role !== 'leader' && /running|streaming/.test(state));
      if (standbys.length === this.#nodes.length - 1 && (await this.#isCaughtUp())) return;
      if (Date.now() > end) throw new Error(`The cluster does not settle: ${JSON.stringify(members)} ${this.#logs()}`);
      await sleep(300);
    }
  }

  /** True if the leader streams to all other nodes, to one of them synchronously if that is configured. */
  async #isCaughtUp(): Promise<boolean> {
    const { port } = await this.leader();
    const [row] = await ask<{ streaming: number; synchronous: boolean }>(
      port,
      `select count(*) filter (where state = 'streaming')::int as streaming,
         current_setting('synchronous_standby_names') = '' or bool_or(sync_state = 'sync') as synchronous
       from pg_stat_replication where application_name in ('a', 'b', 'c')`,
    );
    return row!.streaming === this.#nodes.length - 1 && row!.synchronous;
  }

  /**
   * Has another node lead: by ending the leader's Patroni and PostgreSQL at once, or as an operator asks for it. Answers
   * when the next leader has committed something for the first time; the killed one is then started again.
   */
  async failOver(how: 'kill' | 'switchover'): Promise<{ ms: number; acceptedAt: number }> {
    const leader = await this.leader();
    const others = this.#nodes.filter((node) => node !== leader);
    const since = Date.now();
    if (how === 'kill') await this.#kill(leader);
    else await this.#switchOver(leader);
    const acceptedAt = await Promise.any(others.map((node) => firstCommit(node, since + PATIENCE_MS)));
    if (how === 'kill') this.#begin(leader);
    return { ms: acceptedAt - since, acceptedAt };
  }

  /** Lets nothing more reach the standbys, until the leader is killed. */
  async holdStandbys(): Promise<void> {
    for (const { pid } of await this.query<{ pid: number }>('select pid from pg_stat_replication'))
      process.kill(pid, 'SIGSTOP');
  }

  async #switchOver(leader: Node): Promise<void> {
    const response = await fetch(`http://${leader.api}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name }),
    });
    if (response.status !== 200) throw new Error(`No switchover: ${response.status} ${await response.text()}`);
  }

  /** Runs one statement on the leader. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database?: string): Promise<Row[]> {
    return ask<Row>((await this.leader()).port, text, values, database ?? 'rail');
  }

  /** Ends it, and removes its files. */
  async remove(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#kill(node)));
    this.#etcd.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #members(): Promise<readonly Member[]> {
    for (const { api, patroni } of this.#nodes) {
      if (!patroni) continue;
      try {
        const response = await fetch(`http://${api}/cluster`, { signal: AbortSignal.timeout(3_000) });
        if (response.ok) return ((await response.json()) as { members: Member[] }).members;
      } catch (error) {
        // It does not listen yet: another is asked.
        if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      }
    }
    return [];
  }

  #begin(node: Node): void {
    node.patroni = this.#spawn(node.name, PROGRAMS.patroni, [node.config]);
  }

  async #kill(node: Node): Promise<void> {
    const { patroni, dataDir } = node;
    node.patroni = null;
    if (patroni && patroni.exitCode === null && patroni.signalCode === null) {
      const gone = once(patroni, 'exit');
      patroni.kill('SIGKILL');
      await gone;
    }
    if (existsSync(join(dataDir, 'postmaster.pid'))) await killServer(dataDir);
  }

  #own(path: string): void {
    if (this.#user) chownSync(path, this.#user.uid, this.#user.gid);
  }

  #spawn(name: string, program: string, args: string[]): ChildProcess {
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    return spawn(program, args, { cwd: this.#folder, stdio: ['ignore', log, log], ...this.#user });
  }

  /** The last of what the nodes logged. */
  #logs(): string {
    return this.#nodes
      .map(({ name }) =>
        readFileSync(join(this.#folder, `${name}.log`), 'utf8')
          .split('\n')
          .slice(-15)
          .join('\n'),
      )
      .join('\n--\n');
  }
}

/** When a node has committed something for the first time, which no standby does. */
async function firstCommit({ port }: Node, end: number): Promise<number> {
  for (;;) {
    try {
      await ask(port, 'insert into fail_over_probe values (now())', [], 'postgres');
      return Date.now();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(25);
    }
  }
}

async function ask<Row extends pg.QueryResultRow>(
  port: number,
  text: string,
  values: unknown[] = [],
  database = 'postgres',
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
