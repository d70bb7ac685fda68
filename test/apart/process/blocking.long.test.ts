import { describe, expect, it } from 'vitest';
import { makeActor } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { AIM_MS, findHeaviest } from '../../harness/chaos/worst/requests.ts';

const rail = testRail();

describe('the heaviest request of each endpoint', () => {
  it(`keeps the process from answering others for no more than ${AIM_MS} ms`, async () => {
    const held = await findHeaviest(rail, { integrator: await makeActor(rail), staff: await makeStaff(rail, 'admin') });
    expect(held.length).toBeGreaterThan(300);
    expect(held.filter(({ ms }) => ms > AIM_MS)).toEqual([]);
    expect(held.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
