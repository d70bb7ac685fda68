import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Counter } from '../../../src/platform/call/limits/counter.ts';
import { Limits } from '../../../src/platform/call/limits/limits.ts';
import type { Database } from '../../../src/platform/database/sql.ts';
import { readConfig } from '../../../src/platform/config/config.ts';

/** Limits of one process count without it. */
const NO_DATABASE: Database = { rows: async () => [], row: async () => null };
const limitsOf = (settings: Record<string, string>) => new Limits(readConfig(settings).limits, NO_DATABASE);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

it(
  '200,000 networks take no more memory than a bound, and one that keeps asking is counted all along',
  { tags: 'long' },
  async () => {
    const limits = limitsOf({ RATE_LIMIT_ANONYMOUS: '600' });
    const before = heapMiB();
    for (let i = 0; i < 200_000; i++) {
      await limits.countAnonymous(`2001:db8:${(i >> 16).toString(16)}:${(i & 65_535).toString(16)}::1`);
      if (i % 1_000 === 0) await limits.countAnonymous('203.0.113.9');
    }
    expect(heapMiB() - before).toBeLessThan(24);
    const { remaining } = await limits.countAnonymous('203.0.113.9');
    expect(remaining).toBe(600 - 201);
  },
);

it('counts the addresses of an IPv6 network (/64) as one', async () => {
  const limits = limitsOf({ RATE_LIMIT_ANONYMOUS: '2' });
  const ask = (address: string) => limits.countAnonymous(address).then(({ remaining }) => remaining);
  expect([await ask('2001:db8:0:1::1'), await ask('2001:db8:0:1:ffff::2')]).toEqual([1, 0]);
  await expect(ask('2001:db8:0:1::3')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await ask('2001:db8:0:2::1')).toBe(1);
});

it('begins again after the window that the first request began, however often somebody came since', async () => {
  const counter = new Counter(0.2);
  const seen = [];
  for (let i = 0; i < 3; i++) seen.push((await counter.consume('somebody')).consumedPoints);
  expect(seen).toEqual([1, 2, 3]);
  await expect.poll(async () => (await counter.consume('somebody')).consumedPoints, { interval: 20 }).toBe(1);
});
