import { expect, it } from 'vitest';
import { quantile } from '../../harness/chaos/overload.ts';
import { testRail } from '../../harness/rail.ts';
import { crowd } from './crowd.ts';

const rail = testRail();

it('a crowd that comes all at once is turned away in part; the others are answered soon, and so are probes', async () => {
  const { probes, shots, recoveredMs } = await crowd(rail, {
    arrived: (seconds) => 400 * (1 + Math.floor(seconds)),
    calibrateMs: 500,
    lastsMs: 2_500,
  });
  expect(quantile(probes, 0.5)).toBeLessThan(5_000);
  expect(quantile(shots, 0.5)).toBeLessThan(10_000);
  expect(recoveredMs).toBeLessThan(15_000);
});
