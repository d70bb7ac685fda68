import { beforeAll, describe, expect, it } from 'vitest';
import { createAssessedFor, makeActor } from '../harness/flow.ts';
import { closeWith, collectInShift, openShift } from '../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { type Ask, testRail } from '../harness/rail.ts';

const rail = testRail();

/** The answer of GraphQL to a session's cookie or a key. */
async function ask(who: StaffActor | string, query: string) {
  const credential: Ask = typeof who === 'string' ? { key: who } : { headers: { cookie: who.cookie } };
  return (await rail.ask('/graphql', { ...credential, body: { query } })).json;
}

async function supervisingKey(...supervises: string[]): Promise<string> {
  const [admin, { integrator }] = [await makeStaff(rail, 'admin'), await makeActor(rail)];
  const scopes = ['assessments.write'];
  return (await admin.post('/v1/ops/keys', { integrator, label: 'Supervision', scopes, supervises })).data.plaintext;
}

let clerk: StaffActor;
let shift: string;
let collected: string;
let cancelled: string;
beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
  shift = await openShift(clerk);
  collected = (await collectInShift(rail, clerk, shift)).assessment;
  cancelled = (await createAssessedFor(rail, clerk, 'URA-TCC', { shift })).assessment;
  const supervisor = await makeStaff(rail, 'supervisor');
  await supervisor.post(`/v1/assessments/${cancelled}:cancel`, { reason: 'Changed their mind' });
});

describe('a shift', () => {
  it('leads to its agency, clerk, assessments and cancellations, and each of them back', async () => {
    const { data, errors } = await ask(
      clerk,
      `{ counterShift(id: "${shift}") {
          agencyId agency { name }
          clerkId clerk { fullName shifts { nodes { id } } }
          assessments { totalCount nodes { id shiftId shift { status } } }
          cancellations { nodes { assessmentId assessment { status cancelReason } reason shift { id } agencyId clerkId } }
        } }`,
    );
    expect(errors).toBeUndefined();
    const back = { shiftId: shift, shift: { status: 'Open' } };
    expect(data.counterShift).toMatchObject({
      agencyId: 'URA',
      agency: { name: expect.any(String) },
      clerkId: clerk.email,
      clerk: { fullName: 'A clerk', shifts: { nodes: [{ id: shift }] } },
      assessments: {
        totalCount: 2,
        nodes: [
          { id: cancelled, ...back },
          { id: collected, ...back },
        ],
      },
      cancellations: {
        nodes: [
          {
            assessmentId: cancelled,
            assessment: { status: 'Cancelled', cancelReason: 'Changed their mind' },
            reason: 'Changed their mind',
            shift: { id: shift },
            agencyId: 'URA',
            clerkId: clerk.email,
          },
        ],
      },
    });
  });

  it('is a node for staff and for keys that supervise its agency, and for nobody else', async () => {
    const query = `{ node(id: "${shift}") { __typename id ... on CounterShift { status } } }`;
    const seen = { __typename: 'CounterShift', id: shift, status: 'Open' };
    for (const who of [
      clerk,
      await makeStaff(rail, 'supervisor'),
      await supervisingKey('URA'),
      await supervisingKey('*'),
    ])
      expect((await ask(who, query)).data).toEqual({ node: seen });
    for (const who of [await supervisingKey('KCCA'), (await rail.key('assessments.read')).plaintext])
      expect(await ask(who, query)).toEqual({ data: { node: null }, extensions: expect.anything() });
    for (const who of [await makeStaff(rail, 'system_manager'), (await rail.key('oversight.read')).plaintext])
      expect((await ask(who, query)).errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
  });

  it('of others is listed at its agency to whoever supervises it, without what belongs to other integrators', async () => {
    const shiftsAt =
      'agency { shifts(first: 50) { nodes { id cancellations(first: 5) { nodes { assessmentId assessment { status } } } } } }';
    const own = async (key: string) =>
      (await rail.ask('/v1/counter-shifts', { key, body: { mda: 'URA' } })).data.name as string;
    const at = async (key: string) => {
      const { data } = await ask(key, `{ counterShift(id: "${await own(key)}") { ${shiftsAt} } }`);
      return data.counterShift.agency.shifts.nodes as { id: string }[];
    };
    expect(await at(await supervisingKey('URA'))).toContainEqual({
      id: shift,
      cancellations: { nodes: [{ assessmentId: cancelled, assessment: null }] },
    });
    expect(await at(await supervisingKey('KCCA'))).toEqual([]);
    const unsupervising = await makeActor(rail);
    const { errors } = await ask(
      unsupervising.key,
      `{ counterShift(id: "${await own(unsupervising.key)}") { ${shiftsAt} } }`,
    );
    expect(errors).toMatchObject([{ path: ['counterShift', 'agency', 'shifts'], extensions: { code: 'forbidden' } }]);
  });

  it('of a key leads to its account, for those who may see accounts', async () => {
    const till = await makeActor(rail);
    const own = await openShift(till);
    const query = `{ counterShift(id: "${own}") { clerkId clerk { id } integratorId integrator { id tier } } }`;
    const seen = { clerkId: till.integrator, clerk: null, integratorId: till.integrator };
    const account = { id: till.integrator, tier: 'sandbox' };
    for (const who of [till.key, await makeStaff(rail, 'admin')])
      expect((await ask(who, query)).data).toEqual({ counterShift: { ...seen, integrator: account } });
    const { data, errors } = await ask(await makeStaff(rail, 'supervisor'), query);
    expect(data).toEqual({ counterShift: { ...seen, integrator: null } });
    expect(errors).toMatchObject([{ path: ['counterShift', 'integrator'], extensions: { code: 'forbidden' } }]);
  });

  it('is reviewed in the order of its variance, both ways through the list', async () => {
    const [supervisor, one] = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'clerk')];
    const variances = [300, -500, 100];
    for (const variance of variances) await closeWith(rail, variance, one);
    const list = async (args: string) =>
      (
        await ask(
          supervisor,
          `{ shiftReviews(clerk: "${one.email}", ${args}) { nodes { id variance } pageInfo { endCursor } } }`,
        )
      ).data.shiftReviews;
    const inOrder = async (args: string) =>
      (await list(args)).nodes.map(({ variance }: { variance: number }) => variance);
    expect(await inOrder('orderBy: variance_asc')).toEqual([-500, 100, 300]);
    expect(await inOrder('orderBy: variance_desc')).toEqual([300, 100, -500]);
    expect(await inOrder('orderBy: created_asc')).toEqual(variances);
    const first = await list('orderBy: variance_asc, first: 1');
    expect(await inOrder(`orderBy: variance_asc, first: 2, after: "${first.pageInfo.endCursor}"`)).toEqual([100, 300]);
  });
});

describe('a member of staff', () => {
  it('is seen by operators and by themselves, from a shift and as a node', async () => {
    const query = `{ counterShift(id: "${shift}") { clerkId clerk { id fullName } } node(id: "${clerk.email}") { id ... on Staff { fullName } } }`;
    const them = { id: clerk.email, fullName: 'A clerk' };
    for (const who of [clerk, await makeStaff(rail, 'admin')])
      expect((await ask(who, query)).data).toEqual({ counterShift: { clerkId: clerk.email, clerk: them }, node: them });
    for (const who of [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')])
      expect((await ask(who, query)).data).toEqual({ counterShift: { clerkId: clerk.email, clerk: null }, node: null });
    const key = await supervisingKey('*');
    const { data, errors } = await ask(key, query);
    expect(data.node).toBeNull();
    expect(errors).toMatchObject([
      { path: ['node'], extensions: { code: 'forbidden' } },
      { path: ['counterShift'], extensions: { code: 'not_found' } },
    ]);
  });

  it('finds their own record and shifts from who they are', async () => {
    const { data } = await ask(clerk, '{ whoami { staffId staff { fullName active shifts { nodes { id } } } } }');
    expect(data.whoami).toEqual({
      staffId: clerk.email,
      staff: { fullName: 'A clerk', active: true, shifts: { nodes: [{ id: shift }] } },
    });
  });

  it('is one of a list that is paged through', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { data } = await ask(admin, '{ staff(first: 1) { nodes { id email } pageInfo { hasNextPage endCursor } } }');
    expect(data.staff).toEqual({
      nodes: [{ id: admin.email, email: admin.email }],
      pageInfo: { hasNextPage: true, endCursor: admin.email },
    });
  });
});
