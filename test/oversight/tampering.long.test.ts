import { expect, it } from 'vitest';
import { fillLedger, tamperAtRandom } from '../harness/ledger.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

it('ledger:verify finds each of 1,000 random tamperings', async () => {
  const seed = Math.floor(Math.random() * 1e9);
  process.stdout.write(`seed ${seed}\n`);
  await fillLedger(rail, 1_000);
  expect(await tamperAtRandom(rail, (tried) => tried < 1_000, seed)).toEqual({ tried: 1_000, missed: [] });
});
