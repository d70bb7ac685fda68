import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pair } from '../../harness/chaos/database/pair.ts';
import { type Exposed, expose } from '../../harness/chaos/kills.ts';
import { Payer, lostOf } from '../../harness/people/payer.ts';
import { run } from '../../harness/processes.ts';

let pair: Pair;
let exposed: Exposed;

beforeAll(async () => {
  pair = await Pair.start();
  exposed = await expose(pair.primary, 2, { DATABASE_URL: pair.url, DRAIN_SECONDS: '0' });
}, 120_000);

afterAll(async () => {
  await Promise.all(exposed.processes.map((one) => one.stop()));
  await pair.remove();
});

const probe = async () => {
  const since = Date.now();
  const statuses = await Promise.all(
    exposed.shop.origins.map(async (origin) => (await fetch(`${origin}/readyz`)).status),
  );
  expect(Date.now() - since).toBeLessThan(1_500);
  return statuses;
};

describe('a rail on a synchronous pair', () => {
  it('does not start on the standby alone, and says so in one line', async () => {
    expect(await run('src/app/main.ts', [], { LOG_LEVEL: 'error', DATABASE_URL: pair.standby.url, PORT: '0' })).toEqual(
      {
        code: 1,
        output: '',
        errors:
          'The rail does not start. DATABASE_URL: the server is a standby, which takes no writes; name the primary, or both and target_session_attrs=read-write\n',
      },
    );
  }, 60_000);

  it('is not ready while no commit returns, and takes no more connections by finding out', async () => {
    expect(await probe()).toEqual([200, 200]);
    await pair.standby.kill();
    await expect.poll(probe).toEqual([503, 503]);
    const held = `select from pg_stat_activity where application_name = 'revenue-rail probe'`;
    for (let i = 0; i < 30; i++) {
      expect(await probe()).toEqual([503, 503]);
      expect((await pair.primary.query(held)).length).toBeLessThanOrEqual(4);
      await sleep(500);
    }
    await pair.standby.startAgain();
    await expect.poll(probe, { timeout: 30_000 }).toEqual([200, 200]);
  }, 120_000);

  it('goes on with the standby once that is promoted, and has lost nothing that was answered', async () => {
    const payers = Array.from({ length: 4 }, () => new Payer(exposed.shop));
    let over = false;
    const paying = Promise.all(payers.map((payer) => payer.payUntil(() => over)));
    await sleep(3_000);
    await pair.failOver();
    const promoted = Date.now();
    const made = () => payers.flatMap(({ acknowledged }) => acknowledged.create).length;
    const before = made();
    await expect.poll(probe, { timeout: 10_000 }).toEqual([200, 200]);
    await expect.poll(made, { timeout: 10_000 }).toBeGreaterThan(before + 4);
    const aloneMs = Date.now() - promoted;
    await sleep(3_000);
    over = true;
    await paying;
    expect(payers.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(await lostOf(payers, (query, values) => pair.standby.query<{ n: string }>(query, values))).toEqual([]);
    expect(aloneMs).toBeLessThan(10_000);
    await pair.primary.startAgain();
  }, 120_000);
});
