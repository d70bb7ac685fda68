import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The limits that this machine allows. Root in a container cannot raise them. */
const ULIMITS = ['nofile', 'nproc'].flatMap((name) => ['--ulimit', `${name}=8192:8192`]);

/** Debian's podman, with images, containers and volumes in a folder of its own. */
export class Podman {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder);
  }

  /** Runs a command of podman to its end, whatever comes of it. */
  try(...args: readonly string[]): Promise<Ended> {
    // runc, since Debian's crun refuses machines that have both versions of cgroups.
    const where = ['--root', join(this.#folder, 'root'), '--runroot', join(this.#folder, 'run'), '--runtime', 'runc'];
    return new Promise((ended) => {
      execFile(
        'podman',
        [...where, '--cgroup-manager', 'cgroupfs', ...args],
        { maxBuffer: 2 ** 28 },
        (error, output, errors) => ended({ code: error ? Number(error.code) : 0, output, errors }),
      );
    });
  }

  /** Runs a command that has to end well, and answers what it printed. */
  async do(...args: readonly string[]): Promise<string> {
    const { code, output, errors } = await this.try(...args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')} ended with ${code}: ${errors.slice(-4_000)}`);
    return output.trim();
  }

  /** Runs a container to its end. */
  run(options: readonly string[], ...command: readonly string[]): Promise<Ended> {
    return this.try('run', '--rm', '--no-healthcheck', '--network', 'host', ...ULIMITS, ...options, ...command);
  }

  async start(name: string, options: readonly string[], image: string): Promise<void> {
    await this.do('run', '--detach', '--name', name, '--network', 'host', ...ULIMITS, ...options, image);
  }

  async remove(): Promise<void> {
    await this.do('rm', '--all', '--force', '--time', '0');
    await rm(this.#folder, { recursive: true });
  }
}
