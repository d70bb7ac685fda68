import { beforeAll, describe, expect, it } from 'vitest';
import { cancelAssessment } from '../../../src/collection/payments/cancellation/cancel.ts';
import { runChecks } from '../../../src/oversight/seals/verify.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { catchUp, notifyAgencies } from '../../harness/ledger.ts';
import { type Actor, createAssessedFor, createConfirmed, draft, makeActor } from '../../harness/flow.ts';
import { closeShift, openShift } from '../../harness/people/counter.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectInvariants } from '../../harness/chaos/invariants.ts';
import { sendForm } from '../../site/forms/sending.ts';

const rail = testRail();
let actor: Actor;
/** A service of an agency with a system of its own, of which a certificate costs nothing. */
const FREE = 'URSB-FREE';

beforeAll(async () => {
  actor = await makeActor(rail);
  const admin = await makeStaff(rail, 'admin');
  const free = { mda: 'URSB', code: FREE, service_name: 'Certificate for refugees', sector: 'civil', family: 'x' };
  expect((await admin.post('/v1/ops/services', { ...free, fee_amount: 0 })).status).toBe(200);
});

const assessedFree = async (by: Pick<Actor, 'post'> = actor, more: object = {}) =>
  (await createAssessedFor(rail, by, FREE, more)).assessment;
const settle = (name: string, by: Pick<Actor, 'post'> = actor, headers = {}) =>
  by.post(`/v1/assessments/${name}:settle-zero`, {}, headers);
const reasonOf = ({ status, json }: { status: number; json: { error: { details?: { code: string }[] } } }) =>
  [status, json.error.details?.[0]?.code] as const;
const verify = () => runChecks(rail.rail.db, []);

describe('POST /v1/assessments/{name}:settle-zero', () => {
  it('200: Paid without intent, event or receipt; agencies and integrators are told as of any other', async () => {
    const name = await assessedFree();
    const { status, data } = await settle(name);
    expect([status, data.status, data.total_amount]).toEqual([200, 'Paid', 0]);
    expect(data.paid_at).not.toBeNull();
    for (const table of ['payment_intent', 'payment_event', 'receipt'])
      expect((await rail.query(`select 1 from ${table} where assessment = '${name}'`)).length).toBe(0);
    expect(
      await rail.rows(sql`select type, sequence, payload ->> 'status' as status from outbox where object = ${name}`),
    ).toEqual([{ type: 'assessment.paid', sequence: 3, status: 'Paid' }]);
    expect(
      await rail.rows(sql`select detail from trace_row where assessment = ${name} order by id desc limit 1`),
    ).toEqual([{ detail: { from: 'Assessed', to: 'Paid' } }]);
    await notifyAgencies(rail);
    expect(await rail.rows(sql`select mda, kind, status from propagation where assessment = ${name}`)).toEqual([
      { mda: 'URSB', kind: 'payment', status: 'done' },
    ]);
  });

  it('200: the same answer under the same key, and once for two at once', async () => {
    const name = await assessedFree();
    const first = await settle(name, actor, { 'idempotency-key': name });
    const again = await settle(name, actor, { 'idempotency-key': name });
    expect(again.json).toEqual(first.json);
    const other = await assessedFree();
    const both = await Promise.all([settle(other), settle(other)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 422]));
    expect(await rail.count(sql`select 1 from outbox where object = ${other} and type = 'assessment.paid'`)).toBe(1);
  });

  it('404, 422: of another account, of a total above zero, Draft, Paid and Cancelled', async () => {
    expect((await settle(await assessedFree(), await makeActor(rail))).status).toBe(404);
    const owed = (await createAssessedFor(rail, actor, 'URA-PAYE')).assessment;
    expect(reasonOf(await settle(owed))).toEqual([422, 'total_not_zero']);
    expect(reasonOf(await settle(await draft(rail, actor)))).toEqual([422, 'assessment_not_payable']);
    const { assessment: paid } = await createConfirmed(rail, actor);
    expect(reasonOf(await settle(paid))).toEqual([422, 'assessment_not_payable']);
    const cancelled = await assessedFree();
    await actor.post(`/v1/assessments/${cancelled}:cancel`);
    expect(reasonOf(await settle(cancelled))).toEqual([422, 'assessment_not_payable']);
  });
});

describe('one that is settled at zero', () => {
  it('is cancelled without a reversal, also on a live rail, and its agencies are told', async () => {
    const name = await assessedFree();
    await settle(name);
    await notifyAgencies(rail);
    const live = { ...rail.rail, config: { ...rail.rail.config, mode: 'live' as const } };
    const cancelled = await cancelAssessment(callOf(live, actAsSystem('test'), 'r'), { name, reason: 'By mistake' });
    expect(cancelled.status).toBe('Cancelled');
    expect(await rail.count(sql`select 1 from anomaly where subject = ${name}`)).toBe(0);
    await notifyAgencies(rail);
    expect(await rail.rows(sql`select kind, status from propagation where assessment = ${name} order by kind`)).toEqual(
      [
        { kind: 'payment', status: 'done' },
        { kind: 'reversal', status: 'done' },
      ],
    );
  });

  it('is in the order of the ledger, and nothing else without a payment is', async () => {
    await settle(await assessedFree());
    await catchUp(rail);
    expect((await verify()).findings).toEqual([]);
    await expectInvariants(rail);
    const unsettled = await assessedFree();
    const [zero, { assessment }] = [await assessedFree(), await createAssessedFor(rail, actor, 'URA-PAYE')];
    await settle(zero);
    await rail.rows(
      sql`update assessment set status = 'Paid', paid_at = now() where name = any(${[unsettled, assessment]})`,
    );
    const found = (await verify()).findings.find(({ check }) => check === 'paid_without_confirmation');
    expect(found?.rows.map(({ row }) => row).toSorted()).toEqual([unsettled, assessment].toSorted());
    await rail.rows(
      sql`update assessment set status = 'Assessed', paid_at = null where name = any(${[unsettled, assessment]})`,
    );
  });

  it('is among the paid ones of figures, and neither unpaid nor a payment that took time', async () => {
    const name = await assessedFree();
    const factsOf = () =>
      rail.rows(sql`
        select status, channel, milliseconds, name is null as settled from oversight.fact_assessed where document = ${name}`);
    expect(await factsOf()).toEqual([{ status: 'Assessed', channel: '', milliseconds: null, settled: false }]);
    await settle(name);
    expect(await factsOf()).toEqual([{ status: 'Paid', channel: '', milliseconds: null, settled: true }]);
    for (const fact of ['payer', 'cancellation', 'payment'])
      expect(await rail.query(`select 1 from oversight.fact_${fact} where document = '${name}'`)).toEqual([]);
  });

  it('is settled at a counter by a button, and leaves the shift as it is', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const name = await assessedFree(clerk, { shift });
    const path = `/counter/assessments/${name}`;
    const page = await clerk.ask(path, { headers: { accept: 'text/html' } });
    expect(page.text).toContain('Settle without payment');
    expect(page.text).not.toContain('name="tendered"');
    await sendForm(rail, `${path}/settle`, clerk.cookie, { _page: path });
    const settled = await clerk.ask(path, { headers: { accept: 'text/html' } });
    expect(settled.text).toContain('tag Paid');
    expect(settled.text).not.toContain('Settle without payment');
    expect((await closeShift(clerk, shift, { cash_counted: 0 })).data).toMatchObject({
      collection_count: 0,
      variance: 0,
    });
  });
});
