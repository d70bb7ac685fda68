import { beforeAll, expect, it } from 'vitest';
import { VERIFIED } from '../../../src/app/development/inventory/verified.ts';
import { verifyLedger } from '../../../src/oversight/seals/verify.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { type Tampering, dropObstacles, seedRandom, tamperingsOf } from '../../harness/chaos/tampering.ts';
import { fillLedger, verifyAfter } from '../../harness/ledger.ts';
import { testRail } from '../../harness/rail.ts';
import { drawSeed } from '../../harness/run/seed.ts';

const rail = testRail();
beforeAll(async () => {
  await fillLedger(rail, 20, 2);
  // Once, and not in the transaction of each.
  await dropObstacles(rail.rail.db, Object.keys(VERIFIED));
});

it('finds a change of each column, and the removal of a row, but for what is named with its reason', async () => {
  expect((await verifyLedger(rail.rail)).findings).toEqual([]);
  const random = seedRandom(drawSeed('tamperings'));
  const { found, unfound } = await tamperingsOf(rail.rail.db);
  const wrong = new Set<string>();
  const verify = async (tampering: Tampering) => {
    const { hit, verification } = await verifyAfter(rail, tampering, random);
    if (hit === null) wrong.add(`${tampering.name}: there is no row`);
    return verification.right;
  };
  for (let round = 0; round < sizeOf({ fast: 1, long: 5 }); round++) {
    for (const tampering of found)
      if (await verify(tampering))
        wrong.add(
          `${tampering.name}, and not found: check it in src/oversight/seals, or name it with the reason in src/app/development/inventory/verified.ts`,
        );
    for (const tampering of unfound)
      if (!(await verify(tampering))) wrong.add(`${tampering.name}, and found: verified.ts says that it is not`);
  }
  expect([...wrong]).toEqual([]);
});
