import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmallDisk } from '../../harness/chaos/database/disk.ts';
import { expectInvariantsOf } from '../../harness/chaos/invariants.ts';
import { type Exposed, expose } from '../../harness/chaos/kills.ts';
import { Payer, lostOf } from '../../harness/people/payer.ts';
import type { OwnPostgres } from '../../harness/postgres.ts';

const CLIENTS = 6;
const FULL_MS = 15_000;

// A disk of its own that can be filled takes root.
describe.runIf(process.getuid?.() === 0)('a disk that is full under load', () => {
  const disk = new SmallDisk();
  let postgres: OwnPostgres;
  let exposed: Exposed;

  beforeAll(async () => {
    postgres = await disk.start();
    exposed = await expose(postgres, 1, { LOG_LEVEL: 'error' });
  });

  afterAll(async () => {
    await Promise.all(exposed.processes.map((one) => one.stop()));
    await postgres.kill();
    disk.remove();
  });

  it('is 503 to whoever writes and makes the process not ready, loses nothing, and is over once there is room', async () => {
    const { shop } = exposed;
    const ready = async () => (await fetch(`${shop.origins[0]}/readyz`)).json();
    const payers = Array.from({ length: CLIENTS }, () => new Payer(shop));
    let over = false;
    const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
    await sleep(3_000);
    disk.fill();
    await expect.poll(ready).toMatchObject({ status: 'database full' });
    await sleep(FULL_MS);
    disk.free();
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
