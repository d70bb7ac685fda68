import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../harness/chaos/size.ts';
import { areIndependent } from '../../../src/platform/access/independence.ts';
import { closeShift, closeWith, openShift } from '../../harness/people/counter.ts';
import { RELATIONS, SOME_RELATIONS } from '../../harness/people/relations.ts';
import { type StaffActor, enterStaff, makeStaff } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();

const verdictOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
const independent = (one: string, other: string) => areIndependent(rail.rail, [one], [other]);
const decide = (by: StaffActor, shift: string) => by.post(`/v1/supervisor/shifts/${shift}:approve`);
const issueTo = (by: StaffActor, integrator: string, more: object = {}) =>
  by.post('/v1/ops/keys', { integrator, label: 'A key', scopes: ['assessments.write'], ...more });

describe('two people are', () => {
  it.each(sizeOf({ fast: SOME_RELATIONS, long: RELATIONS }))(
    '$name: independent $independent, in either order',
    async (relation) => {
      const [one, other] = await relation.make(rail, 'admin');
      expect([await independent(one.email, other.email), await independent(other.email, one.email)]).toEqual([
        relation.independent,
        relation.independent,
      ]);
    },
  );
});

describe('a key', () => {
  it('acts for who issued it, for as long as it works and 90 days more', async () => {
    const [admin, { integrator }] = [await makeStaff(rail, 'admin'), await rail.key('catalogue.read')];
    expect(await independent(admin.email, integrator)).toBe(true);
    const { key } = (await issueTo(admin, integrator)).data;
    expect(await independent(admin.email, integrator)).toBe(false);
    rail.advance(91 * 24);
    expect(await independent(admin.email, integrator)).toBe(false);
    const again = await enterStaff(rail, admin.email, ['admin']);
    expect((await again.post(`/v1/ops/keys/${key.name}:revoke`, { reason: 'Done' })).status).toBe(200);
    expect(await independent(admin.email, integrator)).toBe(false);
    rail.advance(91 * 24);
    expect(await independent(admin.email, integrator)).toBe(true);
  });
});

describe('the variance of a shift', () => {
  it.each(sizeOf({ fast: SOME_RELATIONS, long: RELATIONS }))(
    'is decided by another who is $name: $independent',
    async (relation) => {
      const [clerk, supervisor] = await relation.make(rail, 'supervisor');
      const { shift } = await closeWith(rail, 500, clerk);
      const answer = verdictOf(await decide(supervisor, shift));
      if (relation.independent) expect(answer).toEqual([200, undefined]);
      else expect(answer).toEqual([403, clerk.email === supervisor.email ? undefined : 'not_independent']);
    },
  );

  it('is not decided by who invited the one that issued the key it was worked with', async () => {
    const [first, { integrator }] = [await makeStaff(rail, 'admin'), await rail.key('catalogue.read')];
    const email = `second-${first.email}`;
    await first.post('/v1/ops/staff', { email, name: 'Second', roles: ['clerk'] });
    const second = await enterStaff(rail, email, ['admin']);
    const { plaintext: key } = (await issueTo(second, integrator, { counters: ['*'] })).data;
    const till = { post: (path: string, body: unknown = {}) => rail.ask(path, { key, body }) };
    const shift = await openShift(till);
    await closeShift(till, shift, { cash_counted: 5, variance_reason: 'Found' });
    expect(verdictOf(await decide(first, shift))).toEqual([403, 'not_independent']);
    expect(verdictOf(await decide(second, shift))).toEqual([403, 'not_independent']);
    expect((await decide(await makeStaff(rail, 'supervisor'), shift)).status).toBe(200);
  });
});
