import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../harness/chaos/size.ts';
import { approveAlone } from '../../../src/collection/approvals/break-glass.ts';
import { expireApprovals } from '../../../src/collection/approvals/expire.ts';
import { actAsSystem, commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { tally } from '../../harness/chaos/tally.ts';
import { createConfirmed, createPending, createPendingFor, createSent, makeActor } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { planNext, startOutsideRail } from '../../harness/outside.ts';
import { closeShift, collectInShift, openShift, sendInShift } from '../../harness/people/counter.ts';
import { RELATIONS, SOME_RELATIONS } from '../../harness/people/relations.ts';
import { type StaffActor, enterStaff, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const verdictOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];
const DONE = [200, undefined];
const OWN = [403, 'own_reversal'];

interface Poster {
  post(path: string, body?: unknown): Promise<Answer>;
}

const reverse = async (by: Poster, assessment: string) =>
  verdictOf(await by.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Oops' }));

describe('on a live rail', () => {
  const held = startOutsideRail(LIVE);
  const { rail } = held;
  beforeAll(() => planNext(held.outside, 'mtn_momo', { callback: 'lost' }));

  const approve = (by: StaffActor, approval: string) => by.post(`/v1/ops/approvals/${approval}:approve`);
  const stateOf = async (by: StaffActor, { assessment, shift }: { assessment: string; shift: string }) => {
    const { data } = await by.ask(`/v1/assessments/${assessment}`);
    const { expected_cash: cash } = (await by.ask(`/v1/work/shifts/${shift}`)).data;
    const events = await rail.count(sql`select 1 from payment_event where assessment = ${assessment}`);
    return { status: data.status, reason: data.cancel_reason, cash, events };
  };
  /** Has a payment confirmed, once the payer has paid. */
  const confirm = (by: Poster, intent: string) =>
    expect.poll(async () => (await by.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
  /** A payment in the shift of a clerk at an agency, whose reversal a supervisor has asked for. */
  const asked = async (reason: string | null = 'Taken twice') => {
    const [clerk, asker] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(clerk);
    const { assessment, amount } = await collectInShift(rail, clerk, shift);
    const key = randomUUID();
    const ask = () => asker.post(`/v1/assessments/${assessment}:cancel`, { reason }, { 'idempotency-key': key });
    const { data } = await ask();
    return { clerk, asker, shift, assessment, amount, ask, approval: data.pending_approval.name as string };
  };

  it('a supervisor who takes cash can neither take it back out of the till nor ask for that', async () => {
    const [one, other] = [await makeStaff(rail, 'supervisor'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(one);
    const { assessment, amount } = await collectInShift(rail, one, shift);
    expect(await reverse(one, assessment)).toEqual(OWN);
    expect(await reverse(other, assessment)).toEqual(DONE);
    const { data } = await other.ask(`/v1/assessments/${assessment}`);
    expect([data.status, data.pending_approval.asked_by]).toEqual(['Paid', other.email]);
    expect(verdictOf(await approve(one, data.pending_approval.name))).toEqual(OWN);
    const unchanged = { status: 'Paid', reason: null, cash: amount, events: 1 };
    expect(await stateOf(other, { assessment, shift })).toEqual(unchanged);
  });

  it('one supervisor asks, which changes nothing, and another approves, which reverses it once', async () => {
    const { asker, amount, ask, approval, ...of } = await asked();
    const other = await makeStaff(rail, 'supervisor');
    const paid = { status: 'Paid', reason: null, cash: amount, events: 1 };
    expect(await stateOf(asker, of)).toEqual(paid);
    expect((await ask()).data).toMatchObject({ status: 'Paid', pending_approval: { name: approval } });
    expect(verdictOf(await approve(asker, approval))).toEqual([403, 'approval_by_asker']);
    expect(await reverse(other, of.assessment)).toEqual([422, 'approval_pending']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(other, approval)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 422: 9 });
    const cancelled = { status: 'Cancelled', reason: 'Taken twice', cash: 0, events: 2 };
    expect(await stateOf(asker, of)).toEqual(cancelled);
    // The request died before it could answer: its repetition answers what became of it.
    await rail.rows(
      sql`update idempotency set http_status = null, body = null, created_at = created_at - interval '1 hour' where subject = ${approval}`,
    );
    expect((await ask()).data).toMatchObject({ status: 'Cancelled', pending_approval: null });
    expect(await reverse(other, of.assessment)).toEqual([422, 'already_cancelled']);
    const trail = await rail.rows(
      sql`select action, actor, reason, before -> 'asked_by' as asker, after -> 'approval' as approval
        from operator_audit where subject = ${of.assessment} order by at, id`,
    );
    const { email } = other;
    expect(trail).toEqual([
      { action: 'approval.request', actor: asker.email, reason: 'Taken twice', asker: null, approval },
      { action: 'assessment.cancel', actor: email, reason: 'Taken twice', asker: asker.email, approval },
    ]);
  });

  it('supervisors of an agency see and approve what was paid to it alone', async () => {
    const { asker, approval, assessment } = await asked(null);
    const [own, others] = [
      await makeStaffOf(rail, ['URA'], 'supervisor'),
      await makeStaffOf(rail, ['KCCA'], 'supervisor'),
    ];
    const names = async (by: StaffActor) =>
      (await by.ask('/v1/ops/approvals?kind=reversal&status=Pending')).data.map(({ name }: { name: string }) => name);
    expect([await names(own), await names(others)]).toEqual([expect.arrayContaining([approval]), []]);
    expect((await approve(others, approval)).status).toBe(404);
    for (const role of ['system_manager', 'oversight'] as const)
      expect((await approve(await makeStaff(rail, role), approval)).status).toBe(403);
    expect((await approve(own, approval)).data).toMatchObject({ status: 'Approved', asked_by: asker.email });
    expect((await own.ask(`/v1/assessments/${assessment}`)).data).toMatchObject({
      status: 'Cancelled',
      cancel_reason: null,
    });
  });

  it('an account that may cancel asks too, and sees its request', async () => {
    const actor = await makeActor(rail);
    const { assessment, intent } = await createSent(rail, actor);
    await confirm(actor, intent);
    const { data } = await actor.post(`/v1/assessments/${assessment}:cancel`);
    expect([data.status, data.pending_approval.asked_by]).toEqual(['Paid', actor.integrator]);
    expect((await approve(await makeStaff(rail, 'admin'), data.pending_approval.name)).status).toBe(200);
    expect((await actor.ask(`/v1/assessments/${assessment}`)).data.status).toBe('Cancelled');
  });

  it('what was refused or has expired stays paid, and can be asked for again', async () => {
    const { asker, approval, ...of } = await asked();
    const other = await makeStaff(rail, 'supervisor');
    expect((await other.post(`/v1/ops/approvals/${approval}:refuse`, { reason: 'It was not' })).status).toBe(200);
    expect(verdictOf(await approve(other, approval))).toEqual([422, 'approval_decided']);
    expect(await stateOf(other, of)).toMatchObject({ status: 'Paid', events: 1 });
    expect(await reverse(asker, of.assessment)).toEqual(DONE);
    rail.advance(7 * 24 + 1);
    const again = await enterStaff(rail, other.email, ['supervisor']);
    const { pending_approval: waiting } = (await again.ask(`/v1/assessments/${of.assessment}`)).data;
    expect(verdictOf(await approve(again, waiting.name))).toEqual([422, 'approval_decided']);
    await expireApprovals(callOf(rail.rail, actAsSystem('job:expire_approvals'), 'a job'));
    expect(await stateOf(again, of)).toMatchObject({ status: 'Paid', events: 1 });
    expect(await reverse(again, of.assessment)).toEqual(DONE);
  });

  it('a shift that was counted or closed meanwhile keeps what it took', async () => {
    const { clerk, asker, shift, assessment, amount, approval } = await asked();
    const other = await makeStaff(rail, 'supervisor');
    expect((await closeShift(clerk, shift, { cash_counted: 1 })).status).toBe(422);
    expect(verdictOf(await approve(other, approval))).toEqual([422, 'shift_counted']);
    expect((await closeShift(clerk, shift, { cash_counted: 1, variance_reason: 'Lost' })).status).toBe(200);
    expect(verdictOf(await approve(other, approval))).toEqual([422, 'shift_closed']);
    expect(await stateOf(asker, { assessment, shift })).toMatchObject({ status: 'Paid', cash: amount, events: 1 });
  });

  it('a payment that arrived meanwhile is reversed with the first one only once that is asked for', async () => {
    const [clerk, asker] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const other = await makeStaff(rail, 'supervisor');
    const { assessment, intent, amount } = await sendInShift(rail, clerk, await openShift(clerk), 'mtn_momo');
    const second = await createPendingFor(clerk, assessment);
    const sent = await clerk.post(`/v1/payment-intents/${second}:initiate`, { payer_msisdn: '+256700123456' });
    expect(sent.status).toBe(200);
    await confirm(clerk, intent);
    const first = await asker.post(`/v1/assessments/${assessment}:cancel`);
    const { name: approval } = first.data.pending_approval;
    await confirm(clerk, second);
    expect(verdictOf(await approve(other, approval))).toEqual([422, 'payment_changed']);
    expect((await asker.post(`/v1/ops/approvals/${approval}:refuse`, { reason: 'More came' })).status).toBe(200);
    const { data } = await asker.post(`/v1/assessments/${assessment}:cancel`);
    expect(data.pending_approval.proposal.amount).toBe(String(2 * amount));
    expect((await approve(other, data.pending_approval.name)).status).toBe(200);
    const [sum] = await rail.rows(
      sql`select sum(amount)::float8 as left from payment_event where assessment = ${assessment}`,
    );
    expect(sum).toEqual({ left: 0 });
  });

  it('is done at the machine without a second person, which is flagged and in the audit', async () => {
    const { asker, approval, assessment } = await asked();
    const machine = callOf(rail.rail, commandLine, 'a command');
    await approveAlone(machine, { id: approval, reason: 'The only supervisor' });
    expect((await asker.ask(`/v1/assessments/${assessment}`)).data).toMatchObject({
      status: 'Cancelled',
      cancel_reason: 'Taken twice',
    });
    const raised = await rail.rows(
      sql`select kind from anomaly where subject = any(${[approval, assessment]}) order by kind`,
    );
    expect(raised).toEqual([{ kind: 'approved_alone' }, { kind: 'reversal' }]);
    const [row] = await rail.rows(sql`
      select actor, reason, before -> 'asked_by' as asker from operator_audit
      where subject = ${assessment} and action = 'assessment.cancel'`);
    expect(row).toEqual({ actor: 'command line', reason: 'The only supervisor', asker: asker.email });
  });

  it('what waits to be paid is cancelled at once', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { assessment } = await sendInShift(rail, clerk, await openShift(clerk));
    const { data } = await (await makeStaff(rail, 'supervisor')).post(`/v1/assessments/${assessment}:cancel`);
    expect(data).toMatchObject({ status: 'Cancelled', pending_approval: null });
  });
});

describe('in a sandbox', () => {
  const rail = testRail();
  let clerk: StaffActor;
  let shift: string;
  let supervisor: StaffActor;

  beforeAll(async () => {
    [clerk, supervisor] = [await makeStaff(rail, 'clerk', 'supervisor'), await makeStaff(rail, 'supervisor')];
    shift = await openShift(clerk);
  });

  it('nobody reverses a mobile money payment in a shift of their own', async () => {
    const { assessment } = await collectInShift(rail, clerk, shift, 'mtn_momo');
    expect(await reverse(clerk, assessment)).toEqual(OWN);
    expect(await reverse(supervisor, assessment)).toEqual(DONE);
  });

  it('nobody reverses cash that they confirmed in the shift of somebody else', async () => {
    const { assessment, intent } = await sendInShift(rail, clerk, shift);
    expect((await supervisor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(200);
    expect(await reverse(supervisor, assessment)).toEqual(OWN);
    expect(await reverse(await makeStaff(rail, 'supervisor'), assessment)).toEqual(DONE);
  });

  it('an account reverses what an aggregator reported to it, but not cash that it confirmed without a shift', async () => {
    const actor = await makeActor(rail);
    expect(await reverse(actor, (await createConfirmed(rail, actor)).assessment)).toEqual(DONE);
    const { assessment, intent } = await createPending(rail, actor, 'cash');
    for (const verb of ['initiate', 'confirm'])
      expect((await actor.post(`/v1/payment-intents/${intent}:${verb}`)).status).toBe(200);
    expect(await reverse(actor, assessment)).toEqual(OWN);
    expect(await reverse(supervisor, assessment)).toEqual(DONE);
  });

  it('what waits to be paid is cancelled by those who made it', async () => {
    const { assessment } = await sendInShift(rail, clerk, shift);
    expect(await reverse(clerk, assessment)).toEqual(DONE);
  });

  it.each(sizeOf({ fast: SOME_RELATIONS, long: RELATIONS }))(
    'cash is reversed by another who is $name: $independent',
    async (relation) => {
      const [taker, decider] = await relation.make(rail, 'supervisor');
      const { assessment } = await collectInShift(rail, taker, await openShift(taker));
      const refused = taker.email === decider.email ? OWN : [403, 'not_independent'];
      expect(await reverse(decider, assessment)).toEqual(relation.independent ? DONE : refused);
    },
  );
});
