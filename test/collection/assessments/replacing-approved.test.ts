import { beforeAll, describe, expect, it } from 'vitest';
import { formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createAssessedFor, someCitizen } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);
let supervisor: StaffActor;
let officer: StaffActor;
let admin: StaffActor;

type Poster = Pick<StaffActor, 'post'>;

const day = (days: number) => formatDay(new Date(Date.now() + days * 86_400_000));
const ok = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
};
const verdictOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
/** An assessment of 450,000 UGX. */
const paye = async (more = {}, by: Poster = supervisor) =>
  (await createAssessedFor(rail, by, 'URA-PAYE', more)).assessment;
const instalments = { count: 3, first_due_on: day(30), every: 'month' };
const replace = (name: string, body: object = { instalments }, by: Poster = supervisor) =>
  by.post(`/v1/assessments/${name}:replace`, { reason: 'Agreed with the payer', ...body });
const approve = (by: Poster, name: string) => by.post(`/v1/ops/approvals/${name}:approve`);
const waitingOf = async (name: string) => ok(await admin.ask(`/v1/assessments/${name}`)).pending_approval;
const bornOf = (name: string) =>
  rail.rows(sql`select total_amount::float8 as amount from assessment where replaces = ${name} order by due_on`);
const partOf = async (quantity: number, due_on: string) => {
  const [{ name }] = (await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-PAYE'`)) as [
    { name: string },
  ];
  return { due_on, lines: [{ service: name, quantity }] };
};

beforeAll(async () => {
  supervisor = await makeStaff(rail, 'supervisor');
  officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
  admin = await makeStaff(rail, 'admin');
});

describe('a replacement on a live rail', () => {
  it('waits, where less is owed then or later, for a finance officer of the agency who did not ask', async () => {
    const name = await paye();
    const asked = ok(await replace(name, undefined, officer));
    expect(asked).toMatchObject({ status: 'Assessed', replaced_by: [] });
    const { name: approval, proposal } = asked.pending_approval;
    expect(proposal).toMatchObject({ amount: '450000', new_amount: '450000', number: 3, first_due_on: day(30) });
    expect(verdictOf(await replace(name))).toEqual([422, 'approval_pending']);
    expect(verdictOf(await approve(officer, approval))).toEqual([403, 'approval_by_asker']);
    expect((await approve(supervisor, approval)).status).toBe(404);
    expect((await approve(await makeStaffOf(rail, ['KCCA'], 'finance_officer'), approval)).status).toBe(404);
    expect(await bornOf(name)).toEqual([]);
    const other = await makeStaffOf(rail, ['URA'], 'finance_officer');
    expect(ok(await approve(other, approval)).status).toBe('Approved');
    expect(await bornOf(name)).toEqual(Array.from({ length: 3 }, () => ({ amount: 150_000 })));
    expect(ok(await supervisor.ask(`/v1/assessments/${name}`))).toMatchObject({
      status: 'Cancelled',
      cancel_reason: 'Agreed with the payer',
      pending_approval: null,
    });
    const audited = sql`select actor, before ->> 'asked_by' as asked_by from operator_audit where subject = ${name} and action = 'assessment.replace'`;
    expect(await rail.rows(audited)).toEqual([{ actor: other.email, asked_by: officer.email }]);
  });

  it('is carried out at once where as much is owed by the same day', async () => {
    const due_on = day(20);
    const ofThree = async () => {
      const { service } = (await partOf(3, due_on)).lines[0]!;
      const lines = [{ service, quantity: 3 }];
      return ok(
        await supervisor.post('/v1/assessments', { citizen: await someCitizen(rail), lines, due_on, assess: true }),
      ).name;
    };
    const [same, sooner, more, less, later] = [
      await ofThree(),
      await ofThree(),
      await ofThree(),
      await ofThree(),
      await ofThree(),
    ];
    expect(ok(await replace(same, { parts: [await partOf(1, due_on), await partOf(2, due_on)] })).status).toBe(
      'Cancelled',
    );
    expect(ok(await replace(sooner, { parts: [await partOf(3, day(5))] })).status).toBe('Cancelled');
    expect(ok(await replace(more, { parts: [await partOf(4, due_on)] })).status).toBe('Cancelled');
    // A sum that does not add up, or a part that is due later, takes a second person.
    expect(ok(await replace(less, { parts: [await partOf(2, due_on)] })).status).toBe('Assessed');
    expect(ok(await replace(later, { parts: [await partOf(2, due_on), await partOf(1, day(21))] })).status).toBe(
      'Assessed',
    );
    expect(ok(await approve(admin, (await waitingOf(less)).name)).status).toBe('Approved');
    expect(await bornOf(less)).toEqual([{ amount: 900_000 }]);
  });

  it('is asked for by an agency, and refused or overtaken by a cancellation leaves it as it is', async () => {
    const agency = await makeAgency(rail, 'URA', ['assessments.write', 'assessments.cancel']);
    const key = await agency.token();
    const own = { post: (path: string, body: unknown = {}) => rail.ask(path, { key, body }) };
    const name = await paye({}, own);
    const { name: approval } = ok(await replace(name, undefined, own)).pending_approval;
    ok(await officer.post(`/v1/ops/approvals/${approval}:refuse`, { reason: 'Not agreed' }));
    expect([await waitingOf(name), await bornOf(name)]).toEqual([null, []]);
    const { name: again } = ok(await replace(name, undefined, own)).pending_approval;
    ok(await own.post(`/v1/assessments/${name}:cancel`, { reason: 'By mistake' }));
    expect(verdictOf(await approve(officer, again))).toEqual([422, 'not_assessed']);
  });

  it('is refused where the services charge otherwise by then', async () => {
    const name = await paye();
    const { name: approval } = ok(await replace(name, { parts: [await partOf(1, day(9))] })).pending_approval;
    const setFee = (fee: number) => rail.rows(sql`update service set fee_amount = ${fee} where code = 'URA-PAYE'`);
    await setFee(460_000);
    expect(verdictOf(await approve(officer, approval))).toEqual([422, 'charges_changed']);
    await setFee(450_000);
    expect(ok(await approve(officer, approval)).status).toBe('Approved');
    expect(await bornOf(name)).toEqual([{ amount: 450_000 }]);
  });
});
