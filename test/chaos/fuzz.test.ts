import { describe, expect, it } from 'vitest';
import { makeActor } from '../harness/flow.ts';
import { fuzz } from '../harness/chaos/fuzzing.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail();

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

describe(`requests that follow from the description and from a seed (FUZZ_SEED=${seed})`, () => {
  it('are answered or refused in the forms of the API, and never with a fault of the rail', async () => {
    const who = { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') };
    expect(await fuzz(rail, who, { seed, count: 400, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});
