import { describe, expect, it } from 'vitest';
import { createAssessment } from '../../../src/collection/assessments/create.ts';
import { closeShift as close } from '../../../src/counter/shifts/close.ts';
import { Decimal } from '../../../src/kernel/money.ts';
import { actAsSystem } from '../../../src/platform/access/viewer.ts';
import { type Call, callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import {
  closeShift,
  closeWith,
  collectInShift,
  expectMistake,
  openShift,
  sendInShift,
} from '../../harness/people/counter.ts';
import { createAssessedFor, makeActor, serviceNamed, someCitizen } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';

const rail = testRail();

/** A call of a clerk before whose first statement with some words something else happens. */
function interrupt({ email: actor }: StaffActor, words: string, happens: () => Promise<unknown>): Call {
  const call = callOf(rail.rail, { ...actAsSystem('test'), actor }, 'test');
  let next = happens;
  const row: typeof call.db.row = async (query) => {
    if (query.sql.includes(words)) {
      const now = next;
      next = async () => {};
      await now();
    }
    return call.db.row(query);
  };
  return { ...call, db: { ...call.db, row } };
}

describe('POST /v1/counter-shifts', () => {
  it('200: opens a shift of the clerk, with defaults', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const { status, data } = await clerk.post('/v1/counter-shifts', {
      mda: 'URA',
      counter_label: ' Window 3 ',
      opening_float: 50_000,
      opening_notes: 'Coins',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      name: expect.stringMatching(/^SHIFT-\d{4}-\d\d-\d\d-\d{3,}$/),
      mda: 'URA',
      clerk: clerk.email,
      counter_label: 'Window 3',
      status: 'Open',
      currency: 'UGX',
      opening_float: 50_000,
      opening_notes: 'Coins',
      cash_collected: 0,
      non_cash_collected: 0,
      collection_count: 0,
      expected_cash: 50_000,
      cash_counted: null,
      variance: null,
      variance_status: null,
      closed_at: null,
    });
    const other = await clerk.post('/v1/counter-shifts', { mda: 'KCCA' });
    expect(other.data).toMatchObject({ opening_float: 0, currency: 'UGX' });
  });

  it('200: by key, whose shifts are the integrator’s', async () => {
    const actor = await makeActor(rail);
    const { data } = await actor.post('/v1/counter-shifts', { mda: 'URA', currency: 'kes', opening_float: 10.5 });
    expect(data).toMatchObject({ clerk: actor.integrator, currency: 'KES', opening_float: 10.5 });
    expect((await (await makeActor(rail)).ask(`/v1/counter-shifts/${data.name}`)).status).toBe(404);
  });

  it('422: a second Open one of the same clerk at the same agency', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    await openShift(clerk);
    expectMistake(await clerk.post('/v1/counter-shifts', { mda: 'URA' }), 'mda');
  });

  it.each([
    ['mda', {}],
    ['mda', { mda: 'NOWHERE' }],
    ['opening_float', { mda: 'URA', opening_float: -1 }],
    ['opening_float', { mda: 'URA', opening_float: 0.5 }],
    ['opening_float', { mda: 'URA', opening_float: '5' }],
    ['opening_float', { mda: 'URA', opening_float: Number.POSITIVE_INFINITY }],
    ['currency', { mda: 'URA', currency: 'XXZ' }],
    ['counter_label', { mda: 'URA', counter_label: 'x'.repeat(101) }],
  ])('422: %s of %j', async (path, body) => {
    const clerk = await makeStaff(rail, 'clerk');
    const text = JSON.stringify(body).replace('null', '1e400');
    expectMistake(await clerk.ask('/v1/counter-shifts', { body: text }), path);
    expect(await rail.count(sql`select 1 from counter_shift where clerk = ${clerk.email}`)).toBe(0);
  });
});

describe('GET /v1/counter-shifts', () => {
  it('200: all for staff, newest first, by clerk, agency, state and time; a summary each', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const first = await openShift(clerk);
    await closeShift(clerk, first, { cash_counted: 0 });
    const second = await openShift(clerk, { mda: 'KCCA' });
    const names = async (query: string) =>
      (await clerk.ask(`/v1/counter-shifts?${query}`)).data.map(({ name }: { name: string }) => name);
    const mine = `clerk=${encodeURIComponent(clerk.email)}`;
    expect(await names(mine)).toEqual([second, first]);
    expect(await names(`${mine}&mda=KCCA`)).toEqual([second]);
    expect(await names(`${mine}&status=Closed`)).toEqual([first]);
    expect(await names(`${mine}&status=Cancelled`)).toEqual([]);
    expect(await names(`${mine}&to_date=2020-01-01T00:00:00Z`)).toEqual([]);
    expect(await names(`${mine}&from_date=2020-01-01T00:00:00Z`)).toHaveLength(2);
    const [row] = (await clerk.ask(`/v1/counter-shifts?${mine}`)).data;
    expect(row).not.toHaveProperty('opening_notes');
    const page = await clerk.ask(`/v1/counter-shifts?${mine}&limit=1`);
    expect(page.headers.get('link')).toContain(`after=${second}`);
    for (const query of [
      'limit=201',
      'limit=0',
      'start=-1',
      'status=Done',
      'from_date=x',
      'after=SHIFT-2020-01-01-001',
    ]) {
      expect((await clerk.ask(`/v1/counter-shifts?${query}&${mine}`)).status, query).toBe(422);
    }
  });

  it('200: one by name, the active one, or null; 404', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.ask('/v1/counter-shifts/active?mda=URA')).json).toEqual({ data: null });
    const shift = await openShift(clerk);
    expect((await clerk.ask('/v1/counter-shifts/active?mda=URA')).data.name).toBe(shift);
    expect((await clerk.ask('/v1/counter-shifts/active?mda=KCCA')).data).toBeNull();
    expect((await clerk.ask('/v1/counter-shifts/active')).status).toBe(422);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data.denominations).toBeNull();
    expect((await clerk.ask('/v1/counter-shifts/SHIFT-2020-01-01-001')).status).toBe(404);
    expect((await clerk.ask('/v1/counter-shifts/nonsense')).status).toBe(404);
  });
});

describe('what a shift collects', () => {
  it('is counted as it is confirmed, cash and other apart, and what is reversed is taken out', async () => {
    const [clerk, supervisor] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'supervisor')];
    const shift = await openShift(clerk, { opening_float: 1_000 });
    const cash = await collectInShift(rail, clerk, shift);
    const mobile = await collectInShift(rail, clerk, shift, 'mtn_momo', 'URA-PAYE');
    const undone = await collectInShift(rail, clerk, shift);
    const read = async () => (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
    expect(await read()).toMatchObject({
      cash_collected: cash.amount + undone.amount,
      non_cash_collected: mobile.amount,
      collection_count: 3,
      expected_cash: 1_000 + cash.amount + undone.amount,
    });
    const cancelled = await supervisor.post(`/v1/assessments/${undone.assessment}:cancel`, { reason: 'Wrong person' });
    expect(cancelled.status).toBe(200);
    const after = {
      cash_collected: cash.amount,
      non_cash_collected: mobile.amount,
      collection_count: 2,
      expected_cash: 1_000 + cash.amount,
    };
    expect(await read()).toMatchObject(after);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject(after);
    expect((await clerk.ask(`/v1/assessments?shift=${shift}`)).data).toHaveLength(3);
  });

  it('422: an assessment in another clerk’s shift, one that is over, or one of another currency', async () => {
    const [clerk, other] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'clerk')];
    const [mine, theirs, foreign] = [
      await openShift(clerk),
      await openShift(other),
      await openShift(clerk, { mda: 'KCCA', currency: 'KES' }),
    ];
    await closeShift(clerk, mine, { cash_counted: 0 });
    for (const shift of [mine, theirs, foreign, 'SHIFT-2020-01-01-001']) {
      await expect(createAssessedFor(rail, clerk, 'URA-TCC', { shift })).rejects.toThrow(/422.*shift/);
    }
  });

  it('422: cash once the shift is over; what an aggregator collected is recorded all the same, and in no count', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const cash = await sendInShift(rail, clerk, shift);
    const mobile = await sendInShift(rail, clerk, shift, 'mtn_momo');
    await closeShift(clerk, shift, { cash_counted: 0 });
    const refused = await clerk.post(`/v1/payment-intents/${cash.intent}:confirm`);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(refused.json.error.message).toContain(`${shift} is Closed`);
    expect((await clerk.post(`/v1/payment-intents/${mobile.intent}:confirm`)).status).toBe(200);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({
      cash_collected: 0,
      non_cash_collected: 0,
      collection_count: 0,
    });
    expect(await rail.count(sql`select 1 from payment_event where intent = ${cash.intent}`)).toBe(0);
  });
});

describe('POST /v1/counter-shifts/{name}:refresh', () => {
  it('200: counts anew from the payment events', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const { amount } = await collectInShift(rail, clerk, shift);
    await rail.rows(sql`update counter_shift set cash_collected = 1, collection_count = 7 where name = ${shift}`);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject({
      cash_collected: amount,
      collection_count: 1,
    });
  });

  it('403: another clerk; 404: no such shift; 422: one that is over', async () => {
    const [clerk, other] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'clerk')];
    const shift = await openShift(clerk);
    expect((await other.post(`/v1/counter-shifts/${shift}:refresh`)).status).toBe(403);
    expect((await closeShift(other, shift, { cash_counted: 0 })).status).toBe(403);
    expect((await clerk.post('/v1/counter-shifts/SHIFT-2020-01-01-001:refresh')).status).toBe(404);
    await closeShift(clerk, shift, { cash_counted: 0 });
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).status).toBe(422);
  });
});

describe('POST /v1/counter-shifts/{name}:close', () => {
  it('200: without a variance, nothing is to be decided', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk, { opening_float: 20_000 });
    const { amount } = await collectInShift(rail, clerk, shift);
    const denominations = [
      { value: 20_000, count: 1 },
      { value: amount, count: 1 },
      { value: 500, count: 0 },
    ];
    const { data } = await closeShift(clerk, shift, {
      cash_counted: 20_000 + amount,
      denominations,
      closing_notes: 'Quiet',
    });
    expect(data).toMatchObject({
      status: 'Closed',
      expected_cash: 20_000 + amount,
      cash_counted: 20_000 + amount,
      variance: 0,
      variance_status: null,
      closing_notes: 'Quiet',
      closed_at: expect.any(String),
      denominations,
    });
    expect(await rail.count(sql`select 1 from anomaly where subject = ${shift}`)).toBe(0);
  });

  it.each([
    [-10_000, false],
    [-10_001, true],
    [10_001, true],
    [1, false],
  ])('200: a variance of %i waits for a supervisor; material: %s', async (variance, material) => {
    const { shift, clerk } = await closeWith(rail, variance);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({
      variance,
      variance_reason: 'Miscounted',
      variance_status: 'Pending',
    });
    const anomalies = await rail.rows(
      sql`select kind, mda, evidence ->> 'variance' as variance from anomaly where subject = ${shift}`,
    );
    expect(anomalies).toEqual(material ? [{ kind: 'cash_variance', mda: 'URA', variance: String(variance) }] : []);
  });

  it('is material over 1 % of what is expected, where that is more', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    for (const [variance, material] of [
      [-50_000, 0],
      [-50_001, 1],
    ] as const) {
      const shift = await openShift(clerk, { opening_float: 5_000_000 });
      await closeShift(clerk, shift, { cash_counted: 5_000_000 + variance, variance_reason: 'x' });
      expect(await rail.count(sql`select 1 from anomaly where subject = ${shift}`)).toBe(material);
    }
  });

  it.each([
    ['cash_counted', {}],
    ['cash_counted', { cash_counted: -1 }],
    ['cash_counted', { cash_counted: 0.5 }],
    ['cash_counted', { cash_counted: '0' }],
    ['variance_reason', { cash_counted: 1 }],
    ['variance_reason', { cash_counted: 1, variance_reason: '  ' }],
    ['denominations', { cash_counted: 0, denominations: [{ value: 1_000, count: 1 }] }],
    ['denominations[0].value', { cash_counted: 0, denominations: [{ value: 0, count: 1 }] }],
    ['denominations[0].count', { cash_counted: 0, denominations: [{ value: 1_000, count: -1 }] }],
  ])('422: %s of %j; the shift stays Open', async (path, body) => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    expectMistake(await closeShift(clerk, shift, body), path);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data.status).toBe('Open');
  });

  it('leaves nothing unpaid that is entered meanwhile, where it is to leave nothing', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const call = interrupt(clerk, 'update counter_shift', () => createAssessedFor(rail, clerk, 'URA-TCC', { shift }));
    const input = { name: shift, cashCounted: new Decimal(0), leaveUnpaid: false };
    await expect(close(call, input)).rejects.toThrow('1 unpaid');
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data.status).toBe('Open');
  });

  it('has nothing entered in it from then on', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const call = interrupt(clerk, 'insert into assessment', () => closeShift(clerk, shift, { cash_counted: 0 }));
    const lines = [{ service: await serviceNamed(rail, 'URA-TCC') }];
    await expect(createAssessment(call, { citizen: await someCitizen(rail), lines, shift })).rejects.toThrow(
      'no Open shift',
    );
    expect(await rail.count(sql`select from assessment where shift = ${shift}`)).toBe(0);
  });

  it('422: one that is over; 404: no such shift', async () => {
    const { shift, clerk } = await closeWith(rail, 0);
    expect((await closeShift(clerk, shift, { cash_counted: 20_000 })).status).toBe(422);
    expect((await closeShift(clerk, 'SHIFT-2020-01-01-001', { cash_counted: 0 })).status).toBe(404);
    await expect(rail.rows(sql`update counter_shift set cash_counted = 1 where name = ${shift}`)).rejects.toThrow(
      /counted/,
    );
  });
});

describe('the first count', () => {
  it('is kept with its notes and coins; the same count again is no second one', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk, { opening_float: 1_000 });
    const body = { cash_counted: 900, denominations: [{ value: 100, count: 9 }] };
    for (let time = 0; time < 2; time++) expectMistake(await closeShift(clerk, shift, body), 'variance_reason');
    expectMistake(await closeShift(clerk, shift, { cash_counted: 0.5 }), 'cash_counted');
    const kept = { status: 'Open', cash_counted: null, variance: null, counts: [900] };
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject(kept);
    const again = { cash_counted: 1_000, denominations: [{ value: 100, count: 10 }], variance_reason: 'Found a note' };
    expect((await closeShift(clerk, shift, again)).data).toMatchObject({
      status: 'Closed',
      ...body,
      counts: [900, 1_000],
      variance: -100,
    });
  });

  it('stays alone where it is right', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk, { opening_float: 1_000 });
    expect((await closeShift(clerk, shift, { cash_counted: 1_000 })).data).toMatchObject({
      counts: [1_000],
      variance: 0,
      variance_status: null,
    });
  });

  it('is one of 10 at once, and all of them are known', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const tried = Array.from({ length: 10 }, (_, nth) => nth + 1);
    await Promise.all(tried.map((cash_counted) => closeShift(clerk, shift, { cash_counted })));
    const { counts } = (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
    expect([...counts].toSorted((a, b) => a - b)).toEqual(tried);
    const closed = await closeShift(clerk, shift, { cash_counted: 0, variance_reason: 'Guessed' });
    expect(closed.data).toMatchObject({ cash_counted: counts[0], variance: counts[0], counts: [...counts, 0] });
  });

  it('is kept where it comes while a right one is compared', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await openShift(clerk, { opening_float: 1_000 });
    const call = interrupt(clerk, 'from assessment a join payment_event', () =>
      closeShift(clerk, shift, { cash_counted: 900 }),
    );
    await expect(close(call, { name: shift, cashCounted: new Decimal(1_000) })).rejects.toThrow(/variance_?reason/i);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({
      status: 'Open',
      counts: [900, 1_000],
    });
  });

  it('422: cash taken or given back after it; what an aggregator collects is counted', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const supervisor = await makeStaff(rail, 'supervisor');
    const shift = await openShift(clerk);
    const paid = await collectInShift(rail, clerk, shift);
    const [cash, mobile] = [await sendInShift(rail, clerk, shift), await sendInShift(rail, clerk, shift, 'mtn_momo')];
    await closeShift(clerk, shift, { cash_counted: 1 });
    for (const refused of [
      await clerk.post(`/v1/payment-intents/${cash.intent}:confirm`),
      await supervisor.post(`/v1/assessments/${paid.assessment}:cancel`, { reason: 'Wrong person' }),
    ]) {
      expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(refused.json.error.details).toMatchObject([{ code: 'shift_counted' }]);
    }
    expect((await clerk.post(`/v1/payment-intents/${mobile.intent}:confirm`)).status).toBe(200);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({
      cash_collected: paid.amount,
      non_cash_collected: mobile.amount,
    });
  });
});

describe('a blind count', () => {
  const blind = testRail({ BLIND_COUNT: 'on' });

  it('keeps what is expected from the clerk until the shift is closed, and from no supervisor', async () => {
    const [clerk, both, supervisor] = [
      await makeStaff(blind, 'clerk'),
      await makeStaff(blind, 'clerk', 'supervisor'),
      await makeStaff(blind, 'supervisor'),
    ];
    const shift = await openShift(clerk, { opening_float: 5_000 });
    const { amount } = await collectInShift(blind, clerk, shift);
    const hidden = { expected_cash: null, cash_collected: null, variance: null, collection_count: 1 };
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject(hidden);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject(hidden);
    expect((await clerk.ask('/v1/counter-shifts/active?mda=URA')).data).toMatchObject(hidden);
    expect((await clerk.ask('/v1/counter-shifts')).data).toMatchObject([hidden]);
    const query = { query: `{ counterShift(id: "${shift}") { expectedCash cashCollected } }` };
    expect((await clerk.post('/graphql', query)).json.data.counterShift).toEqual({
      expectedCash: null,
      cashCollected: null,
    });
    expect((await supervisor.ask(`/v1/work/shifts/${shift}`)).data.expected_cash).toBe(5_000 + amount);
    const wrong = await closeShift(clerk, shift, { cash_counted: 1 });
    expect(wrong.status).toBe(422);
    expect(wrong.text).not.toContain(String(5_000 + amount));
    // A count that is right only at the second try does not count: the first is kept, and its variance must be
    // explained.
    const tried = await closeShift(clerk, shift, { cash_counted: 5_000 + amount });
    expectMistake(tried, 'variance_reason');
    expect(tried.text).not.toContain(String(5_000 + amount));
    const counts = [1, 5_000 + amount];
    const closed = await closeShift(clerk, shift, { cash_counted: 5_000 + amount, variance_reason: 'Miscounted' });
    const first = { cash_counted: 1, variance: 1 - 5_000 - amount, variance_status: 'Pending', counts };
    expect(closed.data).toMatchObject({ expected_cash: 5_000 + amount, cash_collected: amount, ...first });
    expect((await supervisor.ask(`/v1/work/shifts/${shift}`)).data).toMatchObject(first);
    const own = await openShift(both, { opening_float: 7 });
    expect((await both.ask(`/v1/counter-shifts/${own}`)).data.expected_cash).toBe(7);
  });
});
