import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../../../../src/platform/database/cluster/free-port.ts';
import { findUnprivilegedUser } from '../../../../src/platform/database/cluster/owner.ts';
import { run } from '../../../../src/platform/database/cluster/programs.ts';
import { runOnConnection } from '../../../../src/platform/database/connection/connection.ts';

/**
 * The newest PostgreSQL that this machine has with all of its programs, of which the embedded one brings no client;
 * null where there is none.
 */
export const INSTALLED =
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => ['initdb', 'pg_dump', 'pg_basebackup'].every((program) => existsSync(join(folder, program))))
    .toSorted((a, b) => Number(/\d+/.exec(b)![0]) - Number(/\d+/.exec(a)![0]))[0] ?? null;

/** A `PATH` whose first programs are those of it. */
export const PATH_TO_INSTALLED = [INSTALLED, process.env['PATH']].join(delimiter);

/** A server of one test's own, of the programs that the machine has. */
export class InstalledPostgres {
  /** A folder that the server may write to. */
  readonly folder = mkdtempSync(join(tmpdir(), 'rail-installed-'));
  readonly #owner = process.getuid?.() === 0 ? findUnprivilegedUser() : Promise.resolve(null);
  #port = 0;

  /** Makes its files, and starts it with settings besides the usual. */
  async begin(settings: readonly string[] = []): Promise<void> {
    await chmod(this.folder, 0o711);
    const data = await this.makeFolder('data');
    const how = ['-U', 'admin', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await this.#run('initdb', ['-D', data, ...how]);
    await this.startOn(data, settings);
  }

  /** Starts on a folder of files, such as one that was restored. */
  async startOn(data: string, settings: readonly string[] = []): Promise<void> {
    this.#port = await findFreePort();
    const usual = ['fsync=off', "unix_socket_directories=''", `port=${this.#port}`];
    const options = [...usual, ...settings].map((setting) => `-c ${setting}`).join(' ');
    await this.#run('pg_ctl', ['start', '--wait', '-D', data, '-l', join(data, 'server.log'), '-o', options]);
  }

  /** Stops it, having archived all that it wrote. */
  async stop(data = join(this.folder, 'data')): Promise<void> {
    await this.#run('pg_ctl', ['stop', '--wait', '--mode=fast', '-D', data]);
  }

  /** A new folder of the server's own. */
  async makeFolder(name: string): Promise<string> {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    const owner = await this.#owner;
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  url(database: string, user = 'admin'): string {
    return `postgresql://${user}@127.0.0.1:${this.#port}/${database}`;
  }

  query<Row extends object>(
    database: string,
    text: string,
    { user, values = [] }: { readonly user?: string; readonly values?: unknown[] } = {},
  ): Promise<Row[]> {
    return runOnConnection(this.url(database, user), { name: 'test', work: 'job' }, async (client) => {
      const { rows } = await client.query<Row>(text, values);
      return rows;
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const { code, output } = await run(INSTALLED!, program, args, await this.#owner);
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}`);
  }
}
