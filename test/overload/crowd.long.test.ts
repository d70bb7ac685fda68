import { expect, it } from 'vitest';
import { quantile } from '../harness/overload.ts';
import { testRail } from '../harness/rail.ts';
import { crowd } from './crowd.ts';

const rail = testRail();

it('a minute of four times what a rail can answer: probes within 500 ms, and well again within 5 s', async () => {
  const { probes, shots, recoveredMs, grewMiB, saturation } = await crowd(rail, {
    arrived: (seconds, saturation) => 4 * saturation * seconds,
    calibrateMs: 8_000,
    lastsMs: 60_000,
  });
  const figures = { saturation, p50: quantile(shots, 0.5), p99: quantile(shots, 0.99), probe: quantile(probes, 0.99), recoveredMs, grewMiB };
  console.info(figures);
  expect(figures.probe).toBeLessThan(500);
  expect(recoveredMs).toBeLessThan(5_000);
  expect(grewMiB).toBeLessThan(300);
});
