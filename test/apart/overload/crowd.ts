import { expect } from 'vitest';
import { findFreePort } from '../../../src/platform/database/cluster/free-port.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeActor, someCitizen, twoLines } from '../../harness/flow.ts';
import { type Load, type Overload, overload } from '../../harness/chaos/overload.ts';
import { serve } from '../../harness/processes.ts';
import type { TestRail } from '../../harness/rail.ts';
import { tally } from '../../harness/chaos/tally.ts';

/**
 * Sends more writes than it can answer to a process of its own; and holds that nothing is lost, doubled, or done
 * unasked.
 */
export async function crowd(
  rail: TestRail,
  load: Pick<Load, 'arrived' | 'calibrateMs' | 'lastsMs'>,
): Promise<Overload & { grewMiB: number }> {
  const opsPort = await findFreePort();
  // At the crowd's own port a new connection waits behind all others until it is accepted.
  const served = await serve('src/app/main.ts', {
    DATABASE_URL: rail.url,
    PORT: '0',
    OPS_PORT: String(opsPort),
    LOG_LEVEL: 'error',
    MAX_IN_FLIGHT: '',
  });
  try {
    const { key, integrator } = await makeActor(rail);
    const body = JSON.stringify({ citizen: await someCitizen(rail), lines: await twoLines(rail) });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    const before = served.memoryMiB();
    const ask = { method: 'POST', path: '/v1/assessments', headers, body };
    const result = await overload({ origin: served.origin, ops: `http://127.0.0.1:${opsPort}`, ask, ...load });
    const { '200': answered = 0, '503': shed = 0, ...others } = tally(result.shots.map(({ status }) => status));
    expect(others).toEqual({});
    expect(Math.min(answered, shed)).toBeGreaterThan(0);
    expect(new Set(result.probes.map(({ status }) => status))).toEqual(new Set([200]));
    // No refused request was run: the assessments are those of answered requests, including the ones before and after
    // it.
    const [row] = await rail.rows<{ made: number; booked: number }>(sql`
      select (select count(*)::int from assessment where integrator = ${integrator}) as made,
        (select count(*)::int from audit_log where integrator = ${integrator} and http_status = 200) as booked`);
    expect(row!.made).toBe(row!.booked);
    expect(row!.made).toBeGreaterThanOrEqual(answered);
    return { ...result, grewMiB: served.memoryMiB() - before };
  } finally {
    await served.kill();
  }
}
