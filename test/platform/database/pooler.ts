import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { waitFor } from '../../harness/run/wait.ts';

/** PgBouncer as Debian installs it; null where there is none. */
export const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null;

export interface Pooler {
  /** The address of the same database through it. */
  readonly url: string;
  /** Ends it with all connections, and starts it again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a pooler in front of a database, configured as its manual begins with. */
export async function startPooler(databaseUrl: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'rail-pooler-'));
  const listen = await findFreePort();
  const database = pathname.slice(1);
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
${database} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
`,
    { mode: 0o644 },
  );
  // It does not run as root.
  execFileSync('chmod', ['755', folder]);
  const root = process.getuid?.() === 0;
  const begin = async () => {
    const begun = spawn(PGBOUNCER!, ['--quiet', config], {
      stdio: 'ignore',
      ...(root && { uid: 65_534, gid: 65_534 }),
    });
    await untilOpen(listen, begun);
    return begun;
  };
  let child = await begin();
  const kill = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await new Promise((gone) => child.once('exit', gone));
  };
  return {
    url: `postgresql://anybody@127.0.0.1:${listen}/${database}`,
    restart: async () => {
      await kill();
      child = await begin();
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  await waitFor('pgbouncer', async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return new Promise<boolean>((answer) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), answer(true)));
      socket.on('error', () => answer(false));
    });
  });
}
