import { describe, expect, it } from 'vitest';
import { drawSeed } from '../harness/run/seed.ts';
import { makeAccount, signIn } from '../harness/people/accounts.ts';
import { makeActor } from '../harness/flow.ts';
import { fuzz, fuzzForms } from '../harness/chaos/fuzz/fuzz.ts';
import { testRail } from '../harness/rail.ts';
import { makeStaff } from '../harness/people/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const seed = drawSeed('requests and forms');

describe(`requests that follow from the description and from a seed (SEED=${seed})`, () => {
  it('are answered or refused in the forms of the API, and never with a fault of the rail', async () => {
    const who = { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') };
    expect(await fuzz(rail, who, { seed, more: (sent) => sent < 400, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});

describe(`forms and pages that follow from a seed (SEED=${seed})`, () => {
  it('are answered or refused as pages, and never with a fault of the rail', async () => {
    const admin = await makeStaff(rail, 'admin', 'clerk', 'supervisor');
    const cookies = [
      admin.cookie,
      (await makeStaff(rail, 'clerk')).cookie,
      await signIn(rail, await makeAccount(rail)),
    ];
    expect(await fuzzForms(rail, cookies, { seed, more: (sent) => sent < 150, hands: 2 })).toEqual([]);
    expect(rail.logged.filter((line) => line.includes('a request failed'))).toEqual([]);
  });
});
