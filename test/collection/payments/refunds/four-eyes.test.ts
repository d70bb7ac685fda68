import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/platform/access/needs.ts';
import { actAsSystem } from '../../../../src/platform/access/viewer.ts';
import { callOf } from '../../../../src/platform/call/call.ts';
import { expireApprovals } from '../../../../src/collection/approvals/expire.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { LIVE } from '../../../harness/live.ts';
import { catchUp, verifyAfter } from '../../../harness/ledger.ts';
import { collectInShift, openShift } from '../../../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../../harness/people/staff.ts';
import { type Answer, testRail } from '../../../harness/rail.ts';
import { beforeStatement } from '../../../harness/run/statements.ts';

const rail = testRail({ ...LIVE, SMTP_URL: 'smtp://127.0.0.1:9', REFUND_TRANSFER_LIMIT: '3000' });
const reasonOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];

let clerk: StaffActor;
let finance: StaffActor;
let supervisor: StaffActor;

beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
  finance = await makeStaff(rail, 'finance_officer');
  supervisor = await makeStaff(rail, 'supervisor');
});

/** Cash of 10,000 UGX for URA, that a clerk took. */
const paid = async (by = clerk) => (await collectInShift(rail, by, await openShift(by, { mda: 'URA' }))).intent;
const ask = async (by: StaffActor, intent: string) => {
  const answer = await by.post('/v1/refunds', {
    intent,
    amount: 4_000,
    reason_code: 'overpaid',
    method: 'transfer',
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as { name: string; status: string };
};
const waitingOf = async (name: string) => {
  const [row] = await rail.rows<{ name: string }>(
    sql`select name from approval where subject = ${name} order by name desc`,
  );
  return row!.name;
};
const decide = async (by: StaffActor, name: string, how: 'approve' | 'refuse') =>
  by.post(`/v1/ops/approvals/${await waitingOf(name)}:${how}`, how === 'refuse' ? { reason: 'Not owed' } : {});
const statusOf = async (name: string) => (await finance.ask(`/v1/refunds/${name}`)).data.status;
const typesOf = async (name: string) =>
  (await rail.rows<{ type: string }>(sql`select type from outbox where object = ${name} order by sequence`)).map(
    ({ type }) => type,
  );

describe('a refund on a live rail', () => {
  it('waits for somebody independent, and is paid after that', async () => {
    const { name, status } = await ask(finance, await paid(await makeStaff(rail, 'clerk')));
    expect(status).toBe('Requested');
    const today = rail.rail.now().toISOString().slice(0, 10);
    const prove = () => finance.post(`/v1/refunds/${name}:prove`, { reference: 'FT9', paid_on: today });
    expect(reasonOf(await prove())).toEqual([422, 'refund_not_possible']);
    expect((await decide(supervisor, name, 'approve')).status).toBe(200);
    expect(await statusOf(name)).toBe('Approved');
    expect((await prove()).data.status).toBe('Done');
    expect(await typesOf(name)).toEqual(['refund.requested', 'refund.approved', 'refund.done']);
  });

  it('is not approved by who asked for it', async () => {
    const { name } = await ask(supervisor, await paid(await makeStaff(rail, 'clerk')));
    expect(reasonOf(await decide(supervisor, name, 'approve'))).toEqual([403, 'approval_by_asker']);
    expect(await statusOf(name)).toBe('Requested');
  });

  it('is not approved by who took the cash', async () => {
    const both = await makeStaff(rail, 'supervisor');
    const { name } = await ask(finance, await paid(both));
    expect(reasonOf(await decide(both, name, 'approve'))).toEqual([403, 'own_account']);
  });

  it.each([
    ['clerk', 403],
    ['oversight', 403],
    ['system_manager', 403],
    ['supervisor', 200],
    ['finance_officer', 200],
    ['admin', 200],
  ] satisfies [Role, number][])('is decided by the role %s: %i', async (role, status) => {
    const { name } = await ask(finance, await paid(await makeStaff(rail, 'clerk')));
    expect((await decide(await makeStaff(rail, role), name, 'approve')).status).toBe(status);
  });

  it('is not seen, and so not decided, by staff of other agencies', async () => {
    const { name } = await ask(finance, await paid(await makeStaff(rail, 'clerk')));
    const elsewhere = await makeStaffOf(rail, ['KCCA'], 'finance_officer');
    expect((await decide(elsewhere, name, 'approve')).status).toBe(404);
    expect((await elsewhere.ask(`/v1/refunds/${name}`)).status).toBe(404);
  });

  it('is Declined once it is refused, withdrawn or expired, and can be asked for again', async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    const refused = await ask(finance, intent);
    expect((await decide(supervisor, refused.name, 'refuse')).status).toBe(200);
    const withdrawn = await ask(finance, intent);
    expect((await supervisor.post(`/v1/refunds/${withdrawn.name}:withdraw`)).status).toBe(403);
    expect((await finance.post(`/v1/refunds/${withdrawn.name}:withdraw`)).data.status).toBe('Declined');
    const expired = await ask(finance, intent);
    await rail.rows(sql`update approval set expires_at = created_at where subject = ${expired.name}`);
    await expireApprovals(callOf(rail.rail, actAsSystem('job:test'), 'expire'));
    for (const { name } of [refused, withdrawn, expired]) {
      expect(await statusOf(name)).toBe('Declined');
      expect(await typesOf(name)).toEqual(['refund.requested', 'refund.declined']);
    }
    expect(await ask(finance, intent)).toMatchObject({ status: 'Requested' });
  });

  it('is either approved or withdrawn, where both are tried at once', async () => {
    const { name } = await ask(finance, await paid(await makeStaff(rail, 'clerk')));
    const answers = await Promise.all([
      decide(supervisor, name, 'approve'),
      finance.post(`/v1/refunds/${name}:withdraw`),
    ]);
    const [lost] = answers.filter(({ status }) => status !== 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(reasonOf(lost!)).toEqual([422, 'approval_decided']);
  });

  const cancel = async (intent: string) => {
    const { data } = await supervisor.ask(`/v1/payment-intents/${intent}`);
    const answer = await supervisor.post(`/v1/assessments/${data.assessment}:cancel`, { reason: 'Wrong service' });
    if (answer.status !== 200) throw new Error(answer.text);
    return data.assessment as string;
  };
  const reversedOf = async (intent: string) => {
    const [row] = await rail.rows<{ amount: number | null }>(sql`
      select -sum(amount)::int as amount from payment_event where intent = ${intent} and kind = 'reversal'`);
    return row!.amount;
  };

  it('is Declined by the cancellation of its assessment, which reverses all of the payment', async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    const { name } = await ask(finance, intent);
    const assessment = await cancel(intent);
    expect(await statusOf(name)).toBe('Requested');
    expect((await decide(await makeStaff(rail, 'supervisor'), assessment, 'approve')).status).toBe(200);
    expect(await statusOf(name)).toBe('Declined');
    expect(await typesOf(name)).toEqual(['refund.requested', 'refund.declined']);
    expect(reasonOf(await decide(supervisor, name, 'approve'))).toEqual([422, 'approval_decided']);
    expect(await reversedOf(intent)).toBe(10_000);
  });

  it('is either Approved or Declined by a cancellation at the same time', async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    const { name } = await ask(finance, intent);
    const assessment = await cancel(intent);
    const second = await makeStaff(rail, 'supervisor');
    const [approved, cancelled] = await Promise.all([
      decide(supervisor, name, 'approve'),
      decide(second, assessment, 'approve'),
    ]);
    // What was to be given back by the cancellation is no longer what was asked for.
    const isApproved = approved.status === 200;
    expect(reasonOf(isApproved ? cancelled : approved)).toEqual([
      422,
      isApproved ? 'payment_changed' : 'approval_decided',
    ]);
    expect(await statusOf(name)).toBe(isApproved ? 'Approved' : 'Declined');
    expect(await reversedOf(intent)).toBe(isApproved ? null : 10_000);
  });

  it('is not given back twice, at any statement of a cancellation that it is approved before', async () => {
    const second = await makeStaff(rail, 'supervisor');
    const outcomes = new Set<string>();
    let nth = 0;
    for (let reached = true; reached;) {
      const intent = await paid(await makeStaff(rail, 'clerk'));
      const { name } = await ask(finance, intent);
      const assessment = await cancel(intent);
      let [approved, cancelled]: (Answer | null)[] = [null, null];
      reached = await beforeStatement(
        rail.rail.db,
        ++nth,
        async () => (approved = await decide(supervisor, name, 'approve')),
        async () => (cancelled = await decide(second, assessment, 'approve')),
      );
      outcomes.add(JSON.stringify([approved && reasonOf(approved), reasonOf(cancelled!)]));
    }
    expect([...outcomes].toSorted()).toEqual([
      '[[200,null],[422,"payment_changed"]]',
      '[[422,"approval_decided"],[200,null]]',
      // The last, which was over before.
      '[null,[200,null]]',
    ]);
  });

  it('is not in the cash of the shift that took the payment', async () => {
    const taker = await makeStaff(rail, 'clerk');
    const shift = await openShift(taker, { mda: 'URA', opening_float: 10_000 });
    const { intent } = await collectInShift(rail, taker, shift);
    const { name } = await ask(finance, intent);
    await decide(supervisor, name, 'approve');
    const paid_on = rail.rail.now().toISOString().slice(0, 10);
    expect((await finance.post(`/v1/refunds/${name}:prove`, { reference: 'FT10', paid_on })).status).toBe(200);
    expect((await taker.post(`/v1/counter-shifts/${shift}:refresh`)).data.expected_cash).toBe(20_000);
  });
});

describe('a refund to another payee than who paid', () => {
  const another = { reason_code: 'overpaid', payee_hint: 'The heirs, account 0140', note: 'The payer died' };
  const askFor = async (amount: number) =>
    finance.post('/v1/refunds', { ...another, amount, intent: await paid(await makeStaff(rail, 'clerk')) });

  it('takes a second approval, by a third person, above the limit', async () => {
    const { data } = await askFor(3_001);
    expect(data).toMatchObject({ status: 'Requested', method: 'transfer', payee_hint: another.payee_hint });
    const { name } = data;
    expect((await decide(supervisor, name, 'approve')).status).toBe(200);
    expect(await statusOf(name)).toBe('Requested');
    expect(
      await rail.rows(sql`select kind, asked_by from approval where subject = ${name} and status = 'Pending'`),
    ).toEqual([{ kind: 'refund_payee', asked_by: supervisor.email }]);
    expect(reasonOf(await decide(supervisor, name, 'approve'))).toEqual([403, 'approval_by_asker']);
    expect(reasonOf(await decide(finance, name, 'approve'))).toEqual([403, 'own_account']);
    expect((await decide(await makeStaff(rail, 'finance_officer'), name, 'approve')).status).toBe(200);
    expect(await statusOf(name)).toBe('Approved');
    expect(await typesOf(name)).toEqual(['refund.requested', 'refund.approved']);
  });

  it('takes one approval up to the limit', async () => {
    const { name } = (await askFor(3_000)).data;
    expect((await decide(supervisor, name, 'approve')).status).toBe(200);
    expect(await statusOf(name)).toBe('Approved');
  });

  it('is Declined where its second approval is refused, withdrawn, or overtaken by a cancellation', async () => {
    const third = await makeStaff(rail, 'supervisor');
    const approvedOnce = async () => {
      const { data } = await askFor(3_001);
      expect((await decide(supervisor, data.name, 'approve')).status).toBe(200);
      return data as { name: string; assessment: string };
    };
    const refused = await approvedOnce();
    expect((await decide(third, refused.name, 'refuse')).status).toBe(200);
    const withdrawn = await approvedOnce();
    expect((await finance.post(`/v1/refunds/${withdrawn.name}:withdraw`)).status).toBe(200);
    const cancelled = await approvedOnce();
    await supervisor.post(`/v1/assessments/${cancelled.assessment}:cancel`, { reason: 'Wrong' });
    expect((await decide(third, cancelled.assessment, 'approve')).status).toBe(200);
    for (const { name } of [refused, withdrawn, cancelled]) {
      expect(await statusOf(name)).toBe('Declined');
      expect(await rail.count(sql`select from approval where subject = ${name} and status = 'Pending'`)).toBe(0);
    }
  });

  it('422: in another way than by transfer, or without a note', async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    const refused = (body: object) => finance.post('/v1/refunds', { ...another, intent, amount: 5, ...body });
    expect(reasonOf(await refused({ method: 'cash' }))).toEqual([422, 'refund_not_possible']);
    const { status, json } = await refused({ note: undefined });
    expect([status, json.error?.details?.[0]?.path]).toEqual([422, 'note']);
  });
});

describe('a chargeback on a live rail', () => {
  /** The same as if a provider had collected it. */
  const collected = async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    await rail.rows(sql`update payment_intent set channel = 'card' where name = ${intent}`);
    return intent;
  };
  const enter = (by: StaffActor, intent: string, more: object = {}) =>
    by.post('/v1/refunds', {
      intent,
      reason_code: 'not_delivered',
      method: 'chargeback',
      provider_reference: 'CB-1',
      ...more,
    });

  it('is Done in the statement by which somebody independent approves it, and ends the dispute', async () => {
    const intent = await collected();
    const due = { provider_reference: 'D-1', answer_by: '2026-12-01' };
    expect((await finance.post(`/v1/payment-intents/${intent}:dispute`, due)).status).toBe(200);
    const { data } = await enter(finance, intent);
    expect(data).toMatchObject({ status: 'Requested', amount: 10_000, provider_reference: 'CB-1' });
    expect(reasonOf(await decide(finance, data.name, 'approve'))).toEqual([403, 'approval_by_asker']);
    expect(await rail.count(sql`select from payment_event where refund = ${data.name}`)).toBe(0);
    expect((await decide(supervisor, data.name, 'approve')).status).toBe(200);
    const refund = (await finance.ask(`/v1/refunds/${data.name}`)).data;
    expect(refund).toMatchObject({ status: 'Done', approved_at: refund.done_at });
    expect(await typesOf(data.name)).toEqual(['refund.requested', 'refund.approved', 'refund.done']);
    const events = await rail.rows(sql`
      select amount::int, txn_id from payment_event where refund = ${data.name}`);
    expect(events).toEqual([{ amount: -10_000, txn_id: 'CB-1' }]);
    const anomalies = await rail.rows(sql`select status, resolution from anomaly where subject = ${intent}`);
    expect(anomalies).toEqual([{ status: 'Resolved', resolution: `Chargeback ${data.name}` }]);
    await catchUp(rail);
    const nothing = { name: 'nothing', run: async () => 'a row' };
    const { verification } = await verifyAfter(rail, nothing, Math.random);
    expect(verification.findings.filter(({ check }) => /refund|anomaly|approval/.test(check))).toEqual([]);
  });

  it('is Declined where it is refused, and can be entered again by its number', async () => {
    const intent = await collected();
    const { data } = await enter(finance, intent);
    expect((await enter(finance, intent)).status).toBe(422);
    expect((await decide(supervisor, data.name, 'refuse')).status).toBe(200);
    expect((await enter(finance, intent)).data.status).toBe('Requested');
  });

  it('is refused of cash', async () => {
    const intent = await paid(await makeStaff(rail, 'clerk'));
    expect(reasonOf(await enter(finance, intent))).toEqual([422, 'refund_not_possible']);
  });
});
