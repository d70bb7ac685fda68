import { beforeAll, describe, expect, it } from 'vitest';
import { getRefund } from '../../../../src/collection/payments/refunds/find.ts';
import { finishRefund } from '../../../../src/collection/payments/refunds/paying/finish.ts';
import { commandLine } from '../../../../src/platform/access/viewer.ts';
import { callOf } from '../../../../src/platform/call/call.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { verifyAfter } from '../../../harness/ledger.ts';
import { LIVE } from '../../../harness/live.ts';
import { closeShift, collectInShift, openShift } from '../../../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../../harness/people/staff.ts';
import { type Answer, testRail } from '../../../harness/rail.ts';
import { sendForm } from '../../../site/forms/sending.ts';

const rail = testRail({ ...LIVE, SMTP_URL: 'smtp://127.0.0.1:9' });
const reasonOf = ({ status, json }: Answer) => [status, json.error?.details?.[0]?.code];

let clerk: StaffActor;
let finance: StaffActor;
let supervisor: StaffActor;

beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
  finance = await makeStaff(rail, 'finance_officer');
  supervisor = await makeStaff(rail, 'supervisor');
});

const AMOUNT = 4_000;
/** An Approved refund of a part of cash that the first clerk took; the shift is closed since. */
async function approved(more: object = {}) {
  const shift = await openShift(clerk, { mda: 'URA' });
  const { intent, amount: taken } = await collectInShift(rail, clerk, shift);
  const { cash_collected: cash } = (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
  await closeShift(clerk, shift, { cash_counted: cash });
  const { data } = await finance.post('/v1/refunds', { intent, amount: AMOUNT, reason_code: 'overpaid', ...more });
  const [waiting] = await rail.rows<{ name: string }>(sql`select name from approval where subject = ${data.name}`);
  expect((await supervisor.post(`/v1/ops/approvals/${waiting!.name}:approve`, {})).status).toBe(200);
  return { name: data.name as string, intent, taken, shift, method: data.method as string };
}
const findings = async () => {
  const nothing = { name: 'nothing', run: async () => 'nothing' };
  return (await verifyAfter(rail, nothing, Math.random)).verification.findings;
};
const pay = (by: StaffActor, name: string, shift: string) => by.post(`/v1/refunds/${name}:pay-cash`, { shift });
const shiftOf = async (name: string) => (await supervisor.ask(`/v1/counter-shifts/${name}`)).data;

/** An Open shift of another clerk. */
async function openAnother(options: object = {}) {
  const other = await makeStaff(rail, 'clerk');
  return { other, shift: await openShift(other, { mda: 'URA', opening_float: 10_000, ...options }) };
}

describe('a refund in cash', () => {
  it('is paid by another clerk, out of their shift alone, and again by nobody', async () => {
    const { name, shift: before, intent, taken: amount, method } = await approved();
    expect(method).toBe('cash');
    const taken = await shiftOf(before);
    const { other, shift } = await openAnother();
    expect((await pay(other, name, shift)).data).toMatchObject({ status: 'Done', shift });
    const after = { cash_collected: -AMOUNT, expected_cash: 10_000 - AMOUNT, collection_count: 0 };
    expect(await shiftOf(shift)).toMatchObject(after);
    await other.post(`/v1/counter-shifts/${shift}:refresh`);
    expect(await shiftOf(shift)).toMatchObject(after);
    expect(reasonOf(await pay(other, name, shift))).toEqual([422, 'refund_not_possible']);
    expect((await closeShift(other, shift, { cash_counted: 10_000 - AMOUNT })).data.variance).toBe(0);
    expect(await shiftOf(before)).toEqual(taken);
    expect(await rail.rows(sql`select sum(amount)::int as left from payment_event where intent = ${intent}`)).toEqual([
      { left: amount - AMOUNT },
    ]);
    expect(await findings()).toEqual([]);
  });

  it('is not paid by the one who took it', async () => {
    const { name } = await approved();
    const shift = await openShift(clerk, { mda: 'URA', opening_float: 10_000 });
    expect(reasonOf(await pay(clerk, name, shift))).toEqual([403, 'refund_own']);
    await closeShift(clerk, shift, { cash_counted: 10_000 });
  });

  it.each([
    ['without so much cash', { opening_float: AMOUNT - 1 }, [422, 'refund_not_possible']],
    ['at another agency', { mda: 'URSB' }, [403, 'cash_needs_shift']],
  ])('is not paid from a shift %s', async (_what, options, refused) => {
    const { name } = await approved();
    const { other, shift } = await openAnother(options);
    expect(reasonOf(await pay(other, name, shift))).toEqual(refused);
    expect((await finance.ask(`/v1/refunds/${name}`)).data.status).toBe('Approved');
  });

  it("is not paid from somebody else's shift, nor from one that is counted or closed", async () => {
    const { name } = await approved();
    const { other, shift } = await openAnother();
    const { other: third } = await openAnother();
    expect(reasonOf(await pay(third, name, shift))).toEqual([403, 'cash_needs_shift']);
    await closeShift(other, shift, { cash_counted: 1 });
    expect(reasonOf(await pay(other, name, shift))).toEqual([422, 'shift_counted']);
    await closeShift(other, shift, { cash_counted: 1, variance_reason: 'Miscounted' });
    expect(reasonOf(await pay(other, name, shift))).toEqual([422, 'shift_closed']);
  });

  it('is paid once, where two clerks pay it at once, and one closes their shift meanwhile', async () => {
    const { name, intent } = await approved();
    const [one, two] = await Promise.all([openAnother(), openAnother()]);
    await Promise.all([
      pay(one.other, name, one.shift),
      pay(two.other, name, two.shift),
      closeShift(one.other, one.shift, { cash_counted: 10_000, variance_reason: 'Miscounted' }),
    ]);
    await pay(two.other, name, two.shift);
    const back = sql`select count(*)::int as events, sum(amount)::int as amount from payment_event
      where intent = ${intent} and kind = 'reversal'`;
    expect(await rail.rows(back)).toEqual([{ events: 1, amount: -AMOUNT }]);
    expect(await findings()).toEqual([]);
  });

  it('takes nothing from a shift where another one has paid it since it was read', async () => {
    const { name } = await approved();
    const [one, two] = await Promise.all([openAnother(), openAnother()]);
    const call = callOf(rail.rail, commandLine, 'a request');
    const stale = await getRefund(call, name);
    expect((await pay(one.other, name, one.shift)).status).toBe(200);
    expect(await finishRefund(call, stale, { providerReference: `CASH-${name}`, shift: two.shift })).toBeUndefined();
    expect(await shiftOf(two.shift)).toMatchObject({ cash_collected: 0, expected_cash: 10_000 });
    expect(await findings()).toEqual([]);
  });

  it('is refused to a clerk of another agency, and where it is to be transferred', async () => {
    const { name } = await approved();
    const stranger = await makeStaffOf(rail, ['URSB'], 'clerk');
    expect((await pay(stranger, name, 'SHIFT-2026-01-01-001')).status).toBe(404);
    const transfer = await approved({ method: 'transfer' });
    const { other, shift } = await openAnother();
    expect(reasonOf(await pay(other, transfer.name, shift))).toEqual([422, 'refund_not_possible']);
  });

  it('is paid on its page, which becomes a slip to sign', async () => {
    const { name } = await approved();
    const { other, shift } = await openAnother();
    const headers = { cookie: other.cookie, accept: 'text/html' };
    const open = async () => (await fetch(`${rail.origin}/counter/refunds/${name}`, { headers })).text();
    expect(await open()).toContain('in cash');
    const paid = await sendForm(rail, `/counter/refunds/${name}/pay`, other.cookie, { shift });
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `/counter/refunds/${name}?done=refundPaid`]);
    expect(await open()).toContain('Received by (signature)');
  });
});
