import { expect, it } from 'vitest';
import { drawSeed } from '../harness/run/seed.ts';
import { fillLedger, tamperAtRandom } from '../harness/ledger.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

it('ledger:verify finds each of 1,000 random tamperings', async () => {
  await fillLedger(rail, 1_000);
  expect(await tamperAtRandom(rail, (tried) => tried < 1_000, drawSeed('tamperings'))).toEqual({
    tried: 1_000,
    missed: [],
  });
});
