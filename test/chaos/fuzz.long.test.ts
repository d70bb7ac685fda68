import { describe, expect, it } from 'vitest';
import { makeActor } from '../harness/flow.ts';
import { fuzz } from '../harness/chaos/fuzzing.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail();

describe('20,000 requests that follow from the description and from a seed', () => {
  it.each([1, 2, 3])('are never answered with a fault of the rail (seed %i)', async (seed) => {
    const who = { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') };
    expect(await fuzz(rail, who, { seed, count: 20_000, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});
