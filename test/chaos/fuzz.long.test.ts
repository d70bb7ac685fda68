import { describe, expect, it } from 'vitest';
import { makeAccount, signIn } from '../harness/people/accounts.ts';
import { makeActor } from '../harness/flow.ts';
import { fuzz, fuzzForms } from '../harness/chaos/fuzz/fuzz.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

describe('20,000 requests that follow from the description and from a seed', () => {
  it.each([1, 2, 3])('are never answered with a fault of the rail (seed %i)', async (seed) => {
    const who = { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') };
    expect(await fuzz(rail, who, { seed, more: (sent) => sent < 20_000, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});

describe('5,000 forms and pages that follow from a seed', () => {
  it.each([4, 5])('are never answered with a fault of the rail (seed %i)', async (seed) => {
    const admin = await makeStaff(rail, 'admin', 'clerk', 'supervisor');
    const cookies = [
      admin.cookie,
      (await makeStaff(rail, 'clerk')).cookie,
      await signIn(rail, await makeAccount(rail)),
    ];
    expect(await fuzzForms(rail, cookies, { seed, more: (sent) => sent < 5000, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});
