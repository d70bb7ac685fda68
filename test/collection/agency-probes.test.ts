import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { purgeProbeDays } from '../../src/collection/agencies/probes/days.ts';
import { probeDue, startProbing } from '../../src/collection/agencies/probes/probing.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startOutsideRail } from '../harness/outside.ts';
import { makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const held = startOutsideRail({ PROBE_SECONDS: '3600' }, { breaker_failures: 100 });
const { rail } = held;
const unconnected = testRail({ PROBE_SECONDS: '3600' });

const open = (of = rail) => callOf(of.rail, actAsSystem('test'), randomUUID());

interface Endpoint {
  readonly id: string;
  readonly method: string;
  readonly availability: string;
  readonly probeIntervalSeconds: number | null;
  readonly probeDays: readonly {
    readonly day: string;
    readonly probes: number;
    readonly succeeded: number;
    readonly meanMs: number | null;
    readonly maxMs: number | null;
  }[];
}

async function list(of = rail): Promise<Endpoint[]> {
  const query =
    '{ agencyEndpoints { nodes { id method availability probeIntervalSeconds probeDays { day probes succeeded meanMs maxMs } } } }';
  const analyst = await makeStaff(of, 'oversight');
  const { json } = await analyst.post('/graphql', { query });
  expect(json.errors).toBeUndefined();
  return json.data.agencyEndpoints.nodes;
}

const makeDue = () => rail.rows(sql`update agency_endpoint set probe_claimed_at = now() - interval '2 hours'`);

describe('probing by itself', () => {
  it('calls what reads, once an interval, whoever looks and however often, and leaves no trace of an operator', async () => {
    const probing = [startProbing(rail.rail), startProbing(rail.rail)];
    await expect.poll(() => rail.count(sql`select 1 from agency_endpoint_day`)).toBe(7);
    await Promise.all(probing.map((one) => one.stop()));
    expect(await probeDue(open())).toBe(0);
    const endpoints = await list();
    const today = new Date().toISOString().slice(0, 10);
    for (const { id, method, availability, probeIntervalSeconds, probeDays } of endpoints) {
      expect([id, availability, probeIntervalSeconds]).toEqual([id, 'connected', method === 'GET' ? 3_600 : null]);
      const once = { day: today, probes: 1, succeeded: 1, meanMs: expect.any(Number), maxMs: expect.any(Number) };
      expect([id, probeDays]).toEqual([id, method === 'GET' ? [once] : []]);
    }
    expect(await rail.count(sql`select 1 from operator_audit where action like 'agency_endpoint%'`)).toBe(0);
    expect(await rail.count(sql`select 1 from agency_endpoint where probe_status = 'ok'`)).toBe(7);
  });

  it('is shared between those that look at once, and counts what fails; the status of the service says so', async () => {
    const { trouble } = held.outside.agencies['health ministry']!;
    trouble.down = 'refusing';
    await makeDue();
    const looked = await Promise.all(Array.from({ length: 3 }, () => probeDue(open())));
    expect(looked.reduce((sum, one) => sum + one)).toBe(7);
    trouble.down = 'no';
    const endpoints = await list();
    const facilities = endpoints.find(({ id }) => id === 'facilities-search')!;
    expect(facilities.probeDays).toMatchObject([{ probes: 2, succeeded: 1 }]);
    const { json } = await rail.ask('/graphql', {
      body: { query: '{ serviceHealth { agencyConnections { agencyKind health } } }' },
    });
    const healthOf = (kind: string) =>
      json.data.serviceHealth.agencyConnections.find((one: { agencyKind: string }) => one.agencyKind === kind).health;
    expect([healthOf('health ministry'), healthOf('tax authority')]).toEqual(['degraded', 'up']);
  });

  it('counts what operators find too, and forgets what is long past', async () => {
    const admin = await makeStaff(rail, 'admin');
    await admin.post('/v1/ops/agency-endpoints/tax-payment:probe');
    expect((await list()).find(({ id }) => id === 'tax-payment')!.probeDays).toMatchObject([{ probes: 1 }]);
    await rail.rows(sql`
      insert into agency_endpoint_day (endpoint, day, probes, succeeded, timed, total_ms)
      values ('tin-verify', current_date - 401, 1, 1, 0, 0)`);
    expect(await purgeProbeDays(open())).toBe(1);
    expect(await purgeProbeDays(open())).toBe(0);
  });

  it('leaves alone what a sandbox makes up', async () => {
    await startProbing(unconnected.rail).stop();
    expect(await probeDue(open(unconnected))).toBe(0);
    expect((await list(unconnected)).map((one) => [one.availability, one.probeIntervalSeconds])).toEqual(
      Array.from({ length: 10 }, () => ['stub', null]),
    );
  });
});

describe('agencyEndpoints', () => {
  it('says nothing to those who may not see operations', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { json } = await clerk.post('/graphql', { query: '{ agencyEndpoints { nodes { probeDays { day } } } }' });
    expect(json.errors[0].extensions.code).toBe('forbidden');
  });
});
