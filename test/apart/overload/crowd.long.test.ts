import { expect, it } from 'vitest';
import { quantile } from '../../harness/chaos/overload.ts';
import { testRail } from '../../harness/rail.ts';
import { crowd } from './crowd.ts';

const rail = testRail();

it('a minute of four times what a rail can answer: probes within 500 ms, and well again within 5 s', async () => {
  const load = {
    arrived: (seconds: number, saturation: number) => 4 * saturation * seconds,
    calibrateMs: 8_000,
    lastsMs: 60_000,
  };
  const { probes, shots, recoveredMs, grewMiB, saturation } = await crowd(rail, load);
  const figures = {
    saturation,
    p50: quantile(shots, 0.5),
    p99: quantile(shots, 0.99),
    probe: quantile(probes, 0.99),
    recoveredMs,
    grewMiB,
  };
  const all = JSON.stringify(figures);
  expect(figures.probe, all).toBeLessThan(500);
  expect(recoveredMs, all).toBeLessThan(5_000);
  // From just after the start: what V8 lets lie until it needs it, and no more however long the crowd stays.
  expect(grewMiB, all).toBeLessThan(600);
});
