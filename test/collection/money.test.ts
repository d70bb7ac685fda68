import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookForAnomalies } from '../../src/collection/anomalies/search.ts';
import { actAsSystem } from '../../src/platform/access/viewer.ts';
import { callOf } from '../../src/platform/call/call.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { createAssessedFor, makeActor } from '../harness/flow.ts';
import { verifyAfter } from '../harness/ledger.ts';
import { LIVE } from '../harness/live.ts';
import { makePoint } from '../harness/people/biller.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { type Answer, type TestRail, testRail } from '../harness/rail.ts';
import { sendForm } from '../site/forms/sending.ts';

const rail = testRail({ WRITE_OFF_LIMIT: '500' });
const folder = mkdtempSync(join(tmpdir(), 'rail-money-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const SECRET = 'signs-for-the-bank-now';
const CONNECTIONS = join(folder, 'connections.json');
writeFileSync(
  CONNECTIONS,
  JSON.stringify({ billers: [{ name: 'stanbic', country: 'UG', currencies: ['UGX'], channels: ['bank'] }] }),
);
const live = testRail({ ...LIVE, SMTP_URL: 'smtp://127.0.0.1:9', CONNECTIONS, WEBHOOK_SECRET_STANBIC: SECRET });
const reasonOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];

/** The people of a rail, and money that its bank has. */
async function open(of: TestRail, bank = makePoint(of)) {
  const [actor, finance] = await Promise.all([makeActor(of), makeStaff(of, 'finance_officer')]);
  const assess = (code = 'URA-PAYE') => createAssessedFor(of, actor, code);
  const issue = async (assessment: string) =>
    (await actor.post(`/v1/assessments/${assessment}:issue-reference`)).data.number as string;
  /** Money that paid nothing of an assessment. */
  const receive = async (reference: string, amount: number) => {
    const { data } = await bank.pay({ reference, amount });
    const [row] = await of.rows<{ name: string }>(sql`select name from money_received order by name desc limit 1`);
    expect(data.decision).not.toBe('confirmed');
    return row!.name;
  };
  const moneyOf = async (name: string) => (await finance.ask(`/v1/ops/money-received/${name}`)).data;
  return { actor, finance, assess, issue, receive, moneyOf };
}

const allocate = (by: StaffActor, assessment: string, parts: readonly object[]) =>
  by.post('/v1/ops/money-received:allocate', { assessment, parts });
const close = (by: StaffActor, name: string, more: object) =>
  by.post(`/v1/ops/money-received/${name}:close`, { reason: 'The bank sent it back', ...more });
const findings = async (of: TestRail) => {
  const nothing = { name: 'nothing', run: async () => 'nothing' };
  return (await verifyAfter(of, nothing, Math.random)).verification.findings;
};

const pageOf = async (name: string) => {
  const headers = { cookie: at.finance.cookie, accept: 'text/html' };
  return (await fetch(`${rail.origin}/console/money/${name}`, { headers })).text();
};

let at: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  at = await open(rail);
});

describe('POST /v1/ops/money-received:allocate', () => {
  it('200: pays an assessment with what arrived, and the rest is given back', async () => {
    const { assessment, amount } = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount + 5_000);
    expect(await at.moneyOf(money)).toMatchObject({ kind: 'over', open: amount + 5_000, outcomes: [] });
    const paid = await allocate(at.finance, assessment, [{ money, amount }]);
    expect([paid.status, paid.data.status]).toEqual([200, 'Paid']);
    const asked = await at.finance.post('/v1/refunds', { money, reason_code: 'overpaid', payee_hint: '+256700000001' });
    expect(asked.data).toMatchObject({ status: 'Approved', method: 'transfer', amount: 5_000, intent: null, money });
    expect((await at.moneyOf(money)).open).toBe(0);
    const today = rail.rail.now().toISOString().slice(0, 10);
    const done = await at.finance.post(`/v1/refunds/${asked.data.name}:prove`, { reference: 'FT1', paid_on: today });
    expect(done.data.status).toBe('Done');
    const { open: left, outcomes } = await at.moneyOf(money);
    expect(left).toBe(0);
    expect(outcomes).toMatchObject([
      { kind: 'allocated', amount, refund: null },
      { kind: 'returned', amount: 5_000, refund: asked.data.name, intent: null },
    ]);
    const { intent } = outcomes[0];
    expect((await at.actor.ask(`/v1/payment-intents/${intent}`)).data).toMatchObject({ status: 'Confirmed', amount });
    expect((await at.actor.ask(`/v1/payment-intents/${intent}/live-status`)).data).toMatchObject({
      live: { status: 'UNKNOWN' },
      match: null,
    });
    expect(
      await rail.rows(sql`select type, payload ->> 'intent' as intent from outbox where object = ${intent}
        and type = 'money_received.allocated' and integrator is not null`),
    ).toEqual([{ type: 'money_received.allocated', intent }]);
    expect(await findings(rail)).toEqual([]);
  });

  it('200: of several parts that were each too little', async () => {
    const { assessment, amount } = await at.assess();
    const number = await at.issue(assessment);
    const [one, two] = [await at.receive(number, amount - 10_000), await at.receive(number, 10_000)];
    const parts = [
      { money: one, amount: amount - 10_000 },
      { money: two, amount: 10_000 },
    ];
    expect((await allocate(at.finance, assessment, parts)).data.status).toBe('Paid');
    expect(reasonOf(await allocate(at.finance, assessment, parts))).toEqual([422, 'assessment_not_payable']);
    expect(await findings(rail)).toEqual([]);
  });

  it('422: what does not add up, is closed, twice there, or not there', async () => {
    const { assessment, amount } = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount - 1);
    const refused = async (...parts: object[]) => reasonOf(await allocate(at.finance, assessment, parts));
    expect(await refused({ money, amount: amount - 1 })).toEqual([422, 'money_not_exact']);
    expect(await refused({ money, amount })).toEqual([422, 'money_closed']);
    expect((await refused({ money, amount: 1 }, { money, amount: amount - 1 }))[0]).toBe(422);
    expect((await refused({ money, amount: 0 }))[0]).toBe(422);
    expect((await refused())[0]).toBe(422);
    expect((await refused({ money: 'MON-2026-11-999999', amount }))[0]).toBe(404);
    expect((await refused(...Array.from({ length: 11 }, () => ({ money, amount: 1 }))))[0]).toBe(422);
    expect((await at.moneyOf(money)).outcomes).toEqual([]);
  });

  it('gives money one outcome, where two people settle it at once', async () => {
    const { assessment, amount } = await at.assess();
    const other = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount + 1);
    const answers = await Promise.all([
      allocate(at.finance, assessment, [{ money, amount }]),
      allocate(at.finance, other.assessment, [{ money, amount }]),
      close(at.finance, money, { as: 'transferred', amount }),
      at.finance.post('/v1/refunds', { money, amount, reason_code: 'overpaid' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 422)).toHaveLength(3);
    expect((await at.moneyOf(money)).open).toBe(1);
    expect(await findings(rail)).toEqual([]);
  });

  it('403: to supervisors, and to people of another agency', async () => {
    const { assessment, amount } = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount + 1);
    expect((await allocate(await makeStaff(rail, 'supervisor'), assessment, [{ money, amount }])).status).toBe(403);
    const stranger = await makeStaffOf(rail, ['URSB'], 'finance_officer');
    expect((await allocate(stranger, assessment, [{ money, amount }])).status).toBe(404);
    expect((await close(stranger, money, { as: 'transferred', amount: 1 })).status).toBe(404);
  });
});

describe('GET /v1/ops/money-received', () => {
  it('suggests on the page of money what a mistyped reference may have paid', async () => {
    const { assessment, amount } = await at.assess();
    const number = await at.issue(assessment);
    const swapped = number.split('');
    const first = swapped.findIndex((digit, index) => index > 0 && digit !== swapped[index + 1]);
    [swapped[first], swapped[first + 1]] = [swapped[first + 1]!, swapped[first]!];
    const mistyped = await at.receive(swapped.join(''), amount);
    const link = `href="/console/assessments/${assessment}"`;
    expect(await pageOf(mistyped)).toContain(link);
    expect(await pageOf(await at.receive('4820917365183', amount))).not.toContain(link);
  });

  it('200: lists what is open alone', async () => {
    const { assessment, amount } = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount + 7);
    const listed = async (isOpen: boolean) =>
      ((await at.finance.ask(`/v1/ops/money-received?open=${isOpen}&limit=200`)).data as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await listed(true)).toContain(money);
    await close(at.finance, money, { as: 'transferred', amount: amount + 7 });
    expect([(await listed(true)).includes(money), (await listed(false)).includes(money)]).toEqual([false, true]);
  });
});

describe('POST /v1/ops/money-received/{name}:close', () => {
  it('200: transferred, and written off up to the limit', async () => {
    const money = await at.receive('4820917365183', 600);
    expect(reasonOf(await close(at.finance, money, { as: 'written_off', amount: 501 }))).toEqual([
      422,
      'money_not_exact',
    ]);
    expect((await close(at.finance, money, { as: 'written_off', amount: 500 })).data.open).toBe(100);
    expect(reasonOf(await close(at.finance, money, { as: 'written_off', amount: 1 }))).toEqual([
      422,
      'money_not_exact',
    ]);
    expect(reasonOf(await close(at.finance, money, { as: 'transferred', amount: 101 }))).toEqual([422, 'money_closed']);
    const closed = await close(at.finance, money, { as: 'transferred', amount: 100 });
    expect(closed.data).toMatchObject({ open: 0, outcomes: [{ kind: 'written_off' }, { kind: 'transferred' }] });
    expect((await close(at.finance, money, { as: 'transferred', amount: 1, reason: ' ' })).status).toBe(422);
  });

  it('answers a repetition as the first time', async () => {
    const money = await at.receive('4820917365183', 600);
    const again = { 'idempotency-key': randomUUID() };
    const send = () =>
      at.finance.post(
        `/v1/ops/money-received/${money}:close`,
        { as: 'transferred', amount: 600, reason: 'Sent back' },
        again,
      );
    expect([(await send()).data.open, (await send()).data.open]).toEqual([0, 0]);
  });
});

describe('money that nobody settles', () => {
  it('is raised after 5 days', async () => {
    const money = await at.receive('4820917365183', 900);
    await rail.rows(sql`alter table money_received disable trigger append_only`);
    await rail.rows(sql`update money_received set created_at = created_at - interval '6 days' where name = ${money}`);
    await rail.rows(sql`alter table money_received enable trigger append_only`);
    await lookForAnomalies(callOf(rail.rail, actAsSystem('test'), randomUUID()));
    expect(await rail.rows(sql`select kind from anomaly where subject = ${money} order by kind`)).toEqual([
      { kind: 'money_open' },
      { kind: 'money_unmatched' },
    ]);
  });
});

describe('on a live rail', () => {
  it('money is settled once an independent person approves it', async () => {
    const here = await open(live, makePoint(live, 'stanbic', SECRET));
    const supervisor = await makeStaff(live, 'supervisor');
    const { assessment, amount } = await here.assess();
    const money = await here.receive(await here.issue(assessment), amount + 3);
    const waiting = async (subject: string) =>
      (
        await live.rows<{ name: string }>(
          sql`select name from approval where subject = ${subject} and status = 'Pending'`,
        )
      )[0]!.name;
    const decide = async (by: StaffActor, subject: string) =>
      by.post(`/v1/ops/approvals/${await waiting(subject)}:approve`, {});
    expect((await allocate(here.finance, assessment, [{ money, amount }])).data.status).toBe('Assessed');
    expect(reasonOf(await allocate(here.finance, assessment, [{ money, amount }]))).toEqual([422, 'approval_pending']);
    expect(reasonOf(await decide(here.finance, assessment))).toEqual([403, 'approval_by_asker']);
    expect((await decide(supervisor, assessment)).status).toBe(200);
    expect((await here.moneyOf(money)).open).toBe(3);
    expect((await close(here.finance, money, { as: 'transferred', amount: 3 })).data.open).toBe(3);
    expect((await decide(supervisor, money)).status).toBe(200);
    expect((await here.moneyOf(money)).open).toBe(0);
    expect(
      await live.rows(
        sql`select action from operator_audit where action like 'money.%' and after ? 'approval' order by id`,
      ),
    ).toEqual([{ action: 'money.allocate' }, { action: 'money.close' }]);
    expect(await findings(live)).toEqual([]);
  });
});

describe('/console/money/{id}', () => {
  it('settles money by its forms', async () => {
    const { assessment, amount } = await at.assess();
    const money = await at.receive(await at.issue(assessment), amount + 2_000);
    expect(await pageOf(money)).toContain('Pay an assessment with it');
    const send = (path: string, form: Record<string, string>) =>
      sendForm(rail, `/console/money/${money}/${path}`, at.finance.cookie, form);
    expect((await send('allocate', { assessment, amount: String(amount) })).status).toBe(303);
    expect((await send('refund', { amount: '1500', reasonCode: 'overpaid' })).status).toBe(303);
    expect((await send('close', { as: 'transferred', amount: '500', reason: 'Sent back' })).status).toBe(303);
    const after = await pageOf(money);
    expect(after).toContain('Paid an assessment');
    expect(after).not.toContain('Pay an assessment with it');
  });
});
