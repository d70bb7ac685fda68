import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadTargets, readTargets } from '../../../src/oversight/targets/load.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { Engine } from '../../../src/platform/analytics/engine.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { type Actor, createConfirmed, makeActor } from '../../harness/flow.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
let actor: Actor;
let readers: Record<'analyst' | 'officer', StaffActor>;

beforeAll(async () => {
  actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  const targets = readTargets('agency,fiscal_year,currency,amount\nURA,2026/27,UGX,3650000000');
  await rail.rail.transaction((db) => loadTargets({ ...callOf(rail.rail, commandLine, 'test'), db }, targets));
  const [analyst, officer] = [await makeStaff(rail, 'oversight'), await makeStaffOf(rail, ['URA'], 'finance_officer')];
  readers = { analyst, officer };
});

describe('a page of figures', () => {
  it.each([
    ['/oversight', 'analyst', 4, 26],
    ['/oversight/channels', 'analyst', 2, 11],
    ['/oversight/channels/months', 'analyst', 3, 11],
    ['/oversight/counters', 'analyst', 3, 11],
    ['/oversight/counters/closes', 'analyst', 4, 11],
    ['/agency', 'officer', 7, 22],
  ] as const)('%s asks what several spans have alike by one statement', async (path, reader, most, mostOfDatabase) => {
    // The first to ask has the copy filled, and what is asked again without a change is known.
    await readers[reader].ask(path);
    await createConfirmed(rail, actor);
    await rail.rail.analytics.asOf();
    const asked = vi.spyOn(Engine.prototype, 'rows');
    const ofDatabase = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const { status } = await readers[reader].ask(path);
      expect(status).toBe(200);
      expect(asked).toHaveBeenCalled();
      expect(asked.mock.calls.length).toBeLessThanOrEqual(most);
      expect(ofDatabase.mock.calls.length).toBeLessThanOrEqual(mostOfDatabase);
    } finally {
      asked.mockRestore();
      ofDatabase.mockRestore();
    }
  });
});
