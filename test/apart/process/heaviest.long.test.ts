import { describe, expect, it } from 'vitest';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { BEARABLE_MS, findHeaviest } from '../../harness/chaos/worst.ts';

const rail = testRail();

describe('the heaviest requests', () => {
  it('do not keep the process from answering others', async () => {
    const held = await findHeaviest(
      rail,
      { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') },
      16,
    );
    expect(held.length).toBeGreaterThan(100);
    expect(held.filter(({ ms }) => ms > BEARABLE_MS)).toEqual([]);
    expect(held.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
