import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadTargets, readTargets } from '../../../src/oversight/targets/load.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { Engine } from '../../../src/platform/analytics/engine.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let readers: Record<'analyst' | 'officer', StaffActor>;

beforeAll(async () => {
  await createConfirmed(rail, await makeActor(rail));
  const targets = readTargets('agency,fiscal_year,currency,amount\nURA,2026/27,UGX,3650000000');
  await rail.rail.transaction((db) => loadTargets({ ...callOf(rail.rail, commandLine, 'test'), db }, targets));
  const [analyst, officer] = [await makeStaff(rail, 'oversight'), await makeStaffOf(rail, ['URA'], 'finance_officer')];
  readers = { analyst, officer };
});

describe('a page of figures', () => {
  it.each([
    ['/oversight', 'analyst', 6],
    ['/oversight/channels', 'analyst', 5],
    ['/oversight/counters', 'analyst', 7],
    ['/agency', 'officer', 10],
  ] as const)('%s asks what several spans have alike by one statement', async (path, reader, most) => {
    const asked = vi.spyOn(Engine.prototype, 'rows');
    try {
      const { status } = await readers[reader].ask(path);
      expect(status).toBe(200);
      expect(asked).toHaveBeenCalled();
      expect(asked.mock.calls.length).toBeLessThanOrEqual(most);
    } finally {
      asked.mockRestore();
    }
  });
});
