import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { type Exposed, expose } from '../../harness/chaos/kills.ts';
import { Payer, lostOf } from '../../harness/people/payer.ts';
import { OwnPostgres } from '../../harness/postgres.ts';

const CLIENTS = 6;
const FULL_MS = 15_000;

// A disk of its own that can be filled takes root.
describe.runIf(process.getuid?.() === 0)('a disk that is full under load', () => {
  const disk = mkdtempSync(join(tmpdir(), 'rail-disk-'));
  let postgres: OwnPostgres;
  let exposed: Exposed;

  beforeAll(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', disk]);
    chmodSync(disk, 0o755);
    postgres = await OwnPostgres.start(['min_wal_size=32MB', 'max_wal_size=64MB', 'shared_buffers=32MB'], disk);
    exposed = await expose(postgres, 1, { LOG_LEVEL: 'error' });
  });

  afterAll(async () => {
    await Promise.all(exposed.processes.map((one) => one.stop()));
    await postgres.kill();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  it('is 503 to whoever writes and makes the process not ready, loses nothing, and is over once there is room', async () => {
    const { shop } = exposed;
    const ready = async () => (await fetch(`${shop.origins[0]}/readyz`)).json();
    const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
    let over = false;
    const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
    await sleep(3_000);
    const ballast = join(disk, 'ballast');
    fill(ballast);
    await expect.poll(ready).toMatchObject({ status: 'database full' });
    await sleep(FULL_MS);
    rmSync(ballast);
    const from = performance.now();
    await expect.poll(ready).toMatchObject({ status: 'ready' });
    expect(performance.now() - from).toBeLessThan(5_000);
    await sleep(3_000);
    over = true;
    await paying;
    expect(payers.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(
      payers
        .flatMap(({ statuses }) => Object.keys(statuses))
        .filter((status) => !['200', '409', '422', '503'].includes(status)),
    ).toEqual([]);
    expect(await lostOf(payers, (query, values) => postgres.query<{ n: string }>(query, values))).toEqual([]);
    await expectInvariantsOf((query) => postgres.query(query));
  });
});

/** Takes all the room that is left. */
function fill(path: string): void {
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
