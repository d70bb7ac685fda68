import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exposed, expose } from '../../harness/chaos/kills.ts';
import { OwnPostgres } from '../../harness/postgres.ts';

let postgres: OwnPostgres;
let exposed: Exposed;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  exposed = await expose(postgres, 2, { JOBS: 'off', DRAIN_SECONDS: '0' });
});

afterAll(async () => {
  postgres.thaw();
  await Promise.all(exposed.processes.map((one) => one.stop()));
  await postgres.remove();
});

/** An answer, and after how many milliseconds it came. */
async function timed(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; ms: number }> {
  const from = performance.now();
  const { status } = await fetch(url, { headers });
  return { status, ms: performance.now() - from };
}

describe('a PostgreSQL that is there and does not answer', () => {
  it('makes probes say so at once, requests fail in time, and keeps no process from stopping', async () => {
    const [staying, leaving] = exposed.processes as [(typeof exposed.processes)[0], (typeof exposed.processes)[0]];
    const read = () => timed(`${staying.origin}/v1/citizens?limit=1`, { authorization: `Bearer ${exposed.shop.key}` });
    expect(await read()).toMatchObject({ status: 200 });
    postgres.freeze();
    const reading = read();
    for (let probe = 0; probe < 3; probe++) {
      const { status, ms } = await timed(`${staying.origin}/readyz`);
      expect(status).toBe(503);
      expect(ms).toBeLessThan(3_000);
    }
    const asked = performance.now();
    await leaving.stop();
    expect(performance.now() - asked).toBeLessThan(10_000);
    const { status, ms } = await reading;
    expect(status).toBe(503);
    expect(ms).toBeLessThan(20_000);
    postgres.thaw();
    await expect.poll(async () => (await read()).status).toBe(200);
    await expect.poll(async () => (await timed(`${staying.origin}/readyz`)).status).toBe(200);
    // Abandoned connections are not used again, and the number in use has not grown.
    await sleep(100);
    const [held] = await postgres.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where application_name = 'revenue-rail' and state <> 'idle'`,
    );
    expect(held!.count).toBe(0);
  });
});
