import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnPostgres } from '../../postgres.ts';

/** A PostgreSQL on a small disk of its own, which can be filled. It takes root. */
export class SmallDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rail-disk-'));
  readonly #ballast = join(this.#folder, 'ballast');

  async start(): Promise<OwnPostgres> {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', this.#folder]);
    chmodSync(this.#folder, 0o755);
    return OwnPostgres.start(
      ['min_wal_size=32MB', 'max_wal_size=64MB', 'shared_buffers=32MB'],
      join(this.#folder, 'data'),
    );
  }

  /** Takes all the room that is left. */
  fill(): void {
    for (const size of [1 << 20, 1 << 12]) {
      try {
        for (;;) writeFileSync(this.#ballast, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Removes it, once its PostgreSQL has ended. */
  remove(): void {
    execFileSync('umount', [this.#folder]);
    rmSync(this.#folder, { recursive: true });
  }
}
