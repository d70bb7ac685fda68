import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/database/sql.ts';
import { varianceLifecycle } from '../../../src/shifts/lifecycle.ts';
import { newAccount } from '../../harness/accounts.ts';
import { collected, openShift, sentInShift } from '../../harness/counter.ts';
import { assessedFor, newActor } from '../../harness/flow.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { type StaffActor, newStaff } from '../../harness/staff.ts';

const rail = testRail({ DEV_REVEAL: 'on' });

const close = (clerk: Pick<StaffActor, 'post'>, shift: string, body: object) => clerk.post(`/v1/counter-shifts/${shift}:close`, body);

/** A shift that was closed with more or less in the till than expected. */
async function closedWith(variance: number, clerk?: StaffActor): Promise<{ shift: string; clerk: StaffActor }> {
  const who = clerk ?? (await newStaff(rail, 'clerk'));
  const shift = await openShift(who, { opening_float: 20_000 });
  const answer = await close(who, shift, { cash_counted: 20_000 + variance, variance_reason: 'Miscounted' });
  if (answer.status !== 200) throw new Error(answer.text);
  return { shift, clerk: who };
}

function expectMistake(answer: Answer, path: string): void {
  expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(answer.json.error.details).toMatchObject([{ path }]);
}

describe('POST /v1/counter-shifts', () => {
  it('200: opens a shift of the clerk, with defaults', async () => {
    const clerk = await newStaff(rail, 'clerk');
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
    const actor = await newActor(rail);
    const { data } = await actor.post('/v1/counter-shifts', { mda: 'URA', currency: 'kes', opening_float: 10.5 });
    expect(data).toMatchObject({ clerk: actor.integrator, currency: 'KES', opening_float: 10.5 });
    expect((await (await newActor(rail)).ask(`/v1/counter-shifts/${data.name}`)).status).toBe(404);
  });

  it('422: a second Open one of the same clerk at the same agency', async () => {
    const clerk = await newStaff(rail, 'clerk');
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
    const clerk = await newStaff(rail, 'clerk');
    const text = JSON.stringify(body).replace('null', '1e400');
    expectMistake(await clerk.ask('/v1/counter-shifts', { body: text }), path);
    expect(await rail.count(sql`select 1 from counter_shift where clerk = ${clerk.email}`)).toBe(0);
  });
});

describe('GET /v1/counter-shifts', () => {
  it('200: all for staff, newest first, by clerk, agency, state and time; a summary each', async () => {
    const clerk = await newStaff(rail, 'clerk');
    const first = await openShift(clerk);
    await close(clerk, first, { cash_counted: 0 });
    const second = await openShift(clerk, { mda: 'KCCA' });
    const names = async (query: string) => (await clerk.ask(`/v1/counter-shifts?${query}`)).data.map(({ name }: { name: string }) => name);
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
    for (const query of ['limit=201', 'limit=0', 'start=-1', 'status=Done', 'from_date=x', 'after=SHIFT-2020-01-01-001']) {
      expect((await clerk.ask(`/v1/counter-shifts?${query}&${mine}`)).status, query).toBe(422);
    }
  });

  it('200: one by name, the active one, or null; 404', async () => {
    const clerk = await newStaff(rail, 'clerk');
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
    const clerk = await newStaff(rail, 'clerk', 'supervisor');
    const shift = await openShift(clerk, { opening_float: 1_000 });
    const cash = await collected(rail, clerk, shift);
    const mobile = await collected(rail, clerk, shift, 'mtn_momo', 'URA-PAYE');
    const undone = await collected(rail, clerk, shift);
    const read = async () => (await clerk.ask(`/v1/counter-shifts/${shift}`)).data;
    expect(await read()).toMatchObject({
      cash_collected: cash.amount + undone.amount,
      non_cash_collected: mobile.amount,
      collection_count: 3,
      expected_cash: 1_000 + cash.amount + undone.amount,
    });
    expect((await clerk.post(`/v1/assessments/${undone.assessment}:cancel`, { reason: 'Wrong person' })).status).toBe(200);
    const after = { cash_collected: cash.amount, non_cash_collected: mobile.amount, collection_count: 2, expected_cash: 1_000 + cash.amount };
    expect(await read()).toMatchObject(after);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject(after);
    expect((await clerk.ask(`/v1/assessments?shift=${shift}`)).data).toHaveLength(3);
  });

  it('422: an assessment in another clerk’s shift, one that is over, or one of another currency', async () => {
    const [clerk, other] = [await newStaff(rail, 'clerk'), await newStaff(rail, 'clerk')];
    const [mine, theirs, foreign] = [await openShift(clerk), await openShift(other), await openShift(clerk, { mda: 'KCCA', currency: 'KES' })];
    await close(clerk, mine, { cash_counted: 0 });
    for (const shift of [mine, theirs, foreign, 'SHIFT-2020-01-01-001']) {
      await expect(assessedFor(rail, clerk, 'URA-TCC', { shift })).rejects.toThrow(/422.*shift/);
    }
  });

  it('422: cash once the shift is over; what an aggregator collected is recorded all the same, and in no count', async () => {
    const clerk = await newStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const cash = await sentInShift(rail, clerk, shift);
    const mobile = await sentInShift(rail, clerk, shift, 'mtn_momo');
    await close(clerk, shift, { cash_counted: 0 });
    const refused = await clerk.post(`/v1/payment-intents/${cash.intent}:confirm`);
    expect(refused).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(refused.json.error.message).toContain(`${shift} is Closed`);
    expect((await clerk.post(`/v1/payment-intents/${mobile.intent}:confirm`)).status).toBe(200);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({ cash_collected: 0, non_cash_collected: 0, collection_count: 0 });
    expect(await rail.count(sql`select 1 from payment_event where intent = ${cash.intent}`)).toBe(0);
  });
});

describe('POST /v1/counter-shifts/{name}:refresh', () => {
  it('200: counts anew from the payment events', async () => {
    const clerk = await newStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    const { amount } = await collected(rail, clerk, shift);
    await rail.rows(sql`update counter_shift set cash_collected = 1, collection_count = 7 where name = ${shift}`);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject({ cash_collected: amount, collection_count: 1 });
  });

  it('403: another clerk; 404: no such shift; 422: one that is over', async () => {
    const [clerk, other] = [await newStaff(rail, 'clerk'), await newStaff(rail, 'clerk')];
    const shift = await openShift(clerk);
    expect((await other.post(`/v1/counter-shifts/${shift}:refresh`)).status).toBe(403);
    expect((await close(other, shift, { cash_counted: 0 })).status).toBe(403);
    expect((await clerk.post('/v1/counter-shifts/SHIFT-2020-01-01-001:refresh')).status).toBe(404);
    await close(clerk, shift, { cash_counted: 0 });
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).status).toBe(422);
  });
});

describe('POST /v1/counter-shifts/{name}:close', () => {
  it('200: without a variance, nothing is to be decided', async () => {
    const clerk = await newStaff(rail, 'clerk');
    const shift = await openShift(clerk, { opening_float: 20_000 });
    const { amount } = await collected(rail, clerk, shift);
    const denominations = [
      { value: 20_000, count: 1 },
      { value: amount, count: 1 },
      { value: 500, count: 0 },
    ];
    const { data } = await close(clerk, shift, { cash_counted: 20_000 + amount, denominations, closing_notes: 'Quiet' });
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
    const { shift, clerk } = await closedWith(variance);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject({
      variance,
      variance_reason: 'Miscounted',
      variance_status: 'Pending',
    });
    const anomalies = await rail.rows(sql`select kind, mda, evidence ->> 'variance' as variance from anomaly where subject = ${shift}`);
    expect(anomalies).toEqual(material ? [{ kind: 'cash_variance', mda: 'URA', variance: String(variance) }] : []);
  });

  it('is material over 1 % of what is expected, where that is more', async () => {
    const clerk = await newStaff(rail, 'clerk');
    for (const [variance, material] of [
      [-50_000, 0],
      [-50_001, 1],
    ] as const) {
      const shift = await openShift(clerk, { opening_float: 5_000_000 });
      await close(clerk, shift, { cash_counted: 5_000_000 + variance, variance_reason: 'x' });
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
    const clerk = await newStaff(rail, 'clerk');
    const shift = await openShift(clerk);
    expectMistake(await close(clerk, shift, body), path);
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data.status).toBe('Open');
  });

  it('422: one that is over; 404: no such shift', async () => {
    const { shift, clerk } = await closedWith(0);
    expect((await close(clerk, shift, { cash_counted: 20_000 })).status).toBe(422);
    expect((await close(clerk, 'SHIFT-2020-01-01-001', { cash_counted: 0 })).status).toBe(404);
    await expect(rail.rows(sql`update counter_shift set cash_counted = 1 where name = ${shift}`)).rejects.toThrow(/counted/);
  });
});

describe('a blind count', () => {
  const blind = testRail({ BLIND_COUNT: 'on' });

  it('keeps what is expected from the clerk until the shift is closed, and from no supervisor', async () => {
    const [clerk, both, supervisor] = [
      await newStaff(blind, 'clerk'),
      await newStaff(blind, 'clerk', 'supervisor'),
      await newStaff(blind, 'supervisor'),
    ];
    const shift = await openShift(clerk, { opening_float: 5_000 });
    const { amount } = await collected(blind, clerk, shift);
    const hidden = { expected_cash: null, cash_collected: null, variance: null, collection_count: 1 };
    expect((await clerk.ask(`/v1/counter-shifts/${shift}`)).data).toMatchObject(hidden);
    expect((await clerk.post(`/v1/counter-shifts/${shift}:refresh`)).data).toMatchObject(hidden);
    expect((await clerk.ask('/v1/counter-shifts/active?mda=URA')).data).toMatchObject(hidden);
    expect((await clerk.ask('/v1/counter-shifts')).data).toMatchObject([hidden]);
    const query = { query: `{ counterShift(name: "${shift}") { expectedCash cashCollected } }` };
    expect((await clerk.post('/graphql', query)).json.data.counterShift).toEqual({ expectedCash: null, cashCollected: null });
    expect((await supervisor.ask(`/v1/work/shifts/${shift}`)).data.expected_cash).toBe(5_000 + amount);
    const wrong = await close(clerk, shift, { cash_counted: 1 });
    expect(wrong.status).toBe(422);
    expect(wrong.text).not.toContain(String(5_000 + amount));
    expect((await close(clerk, shift, { cash_counted: 5_000 + amount })).data).toMatchObject({
      expected_cash: 5_000 + amount,
      cash_collected: amount,
      variance: 0,
    });
    const own = await openShift(both, { opening_float: 7 });
    expect((await both.ask(`/v1/counter-shifts/${own}`)).data.expected_cash).toBe(7);
  });
});

describe('the review of a variance', () => {
  const decide = (who: Pick<StaffActor, 'post'>, shift: string, action: string, body: object = { note: 'Seen' }) =>
    who.post(`/v1/work/shifts/${shift}:${action}`, body);

  it('200: is listed for supervisors, and approved, rejected or escalated with a note', async () => {
    const supervisor = await newStaff(rail, 'supervisor');
    const { shift, clerk } = await closedWith(-700);
    const queue = `/v1/work/shifts?clerk=${encodeURIComponent(clerk.email)}`;
    expect((await supervisor.ask(`${queue}&variance_status=Pending`)).data).toMatchObject([{ name: shift, variance: -700 }]);
    expect((await decide(supervisor, shift, 'escalate', { note: 'Above me' })).data).toMatchObject({
      variance_status: 'Escalated',
      variance_note: 'Above me',
      variance_decided_by: supervisor.email,
    });
    const admin = await newStaff(rail, 'admin');
    expect((await decide(admin, shift, 'approve', {})).data).toMatchObject({
      variance_status: 'Approved',
      variance_note: 'Above me',
      variance_decided_by: admin.email,
    });
    expect((await supervisor.ask(`${queue}&variance_status=Pending`)).data).toEqual([]);
    const entries = (await admin.ask(`/v1/ops/audit?subject=${shift}`)).data;
    expect(entries).toMatchObject([
      { actor: admin.email, action: 'variance.approve', before: { variance_status: 'Escalated' }, after: { variance_status: 'Approved' } },
      { actor: supervisor.email, action: 'variance.escalate', reason: 'Above me' },
    ]);
  });

  for (const [action, { from }] of Object.entries(varianceLifecycle)) {
    it.each(['Pending', 'Approved', 'Rejected', 'Escalated', null])(`${action} of one that is %s`, async (state) => {
      const supervisor = await newStaff(rail, 'supervisor');
      const { shift } = await closedWith(state === null ? 0 : 500);
      if (state !== null) await rail.rows(sql`update counter_shift set variance_status = ${state}::variance_status where name = ${shift}`);
      const allowed = (from as readonly (string | null)[]).includes(state);
      expect((await decide(supervisor, shift, action)).status).toBe(allowed ? 200 : 422);
    });
  }

  it('403: of a shift of one’s own, admins included; the database holds it too', async () => {
    const admin = await newStaff(rail, 'admin', 'clerk', 'supervisor');
    const { shift } = await closedWith(500, admin);
    for (const action of Object.keys(varianceLifecycle)) expect(await decide(admin, shift, action)).toMatchObject({ status: 403, code: 'forbidden' });
    await expect(rail.rows(sql`update counter_shift set variance_decided_by = clerk where name = ${shift}`)).rejects.toThrow(/four_eyes/);
  });

  it('422: without a note, where one is needed; 404: no such shift', async () => {
    const supervisor = await newStaff(rail, 'supervisor');
    const { shift } = await closedWith(500);
    for (const action of ['reject', 'escalate']) expectMistake(await decide(supervisor, shift, action, {}), 'note');
    expect((await decide(supervisor, 'SHIFT-2020-01-01-001', 'approve')).status).toBe(404);
    const open = await openShift(await newStaff(rail, 'clerk'));
    expect((await decide(supervisor, open, 'approve')).status).toBe(422);
  });

  it('is decided once, by one of ten at a time', async () => {
    const { shift } = await closedWith(500);
    const supervisors = [await newStaff(rail, 'supervisor'), await newStaff(rail, 'supervisor')];
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => decide(supervisors[i % 2]!, shift, i % 3 ? 'approve' : 'reject')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('may be done by a key that an operator issued, its successors included, and by no other', async () => {
    const { plaintext, name } = await rail.key('assessments.write');
    const { shift } = await closedWith(500);
    const path = `/v1/supervisor/shifts/${shift}:approve`;
    const { key: standard } = await newAccount(rail);
    expect(await rail.ask(path, { key: standard, body: {} })).toMatchObject({ status: 403, code: 'forbidden' });
    const successor = (await rail.ask(`/v1/me/keys/${name}:rotate`, { key: plaintext, body: {} })).data.plaintext;
    expect((await rail.ask('/v1/supervisor/dashboard', { key: successor })).status).toBe(200);
    const further = (await rail.ask('/v1/me/keys', { key: successor, body: { label: 'x', scopes: ['assessments.write'] } })).data.plaintext;
    expect((await rail.ask(path, { key: further, body: {} })).status).toBe(403);
    expect((await rail.ask(path, { key: successor, body: {} })).data.variance_status).toBe('Approved');
  });
});

describe('POST /v1/work/shifts/{name}:cancel', () => {
  it('200: an Open shift without collections; 422: any other', async () => {
    const [clerk, supervisor] = [await newStaff(rail, 'clerk'), await newStaff(rail, 'supervisor')];
    const empty = await openShift(clerk);
    const cancel = (shift: string, body: object = { reason: 'Opened by mistake' }) => supervisor.post(`/v1/work/shifts/${shift}:cancel`, body);
    expectMistake(await cancel(empty, {}), 'reason');
    expect((await cancel(empty)).data).toMatchObject({ status: 'Cancelled', cancel_reason: 'Opened by mistake', closed_at: expect.any(String) });
    expect((await cancel(empty)).status).toBe(422);
    const busy = await openShift(clerk);
    await collected(rail, clerk, busy);
    expect((await cancel(busy)).status).toBe(422);
    expect((await cancel('SHIFT-2020-01-01-001')).status).toBe(404);
  });
});

describe('GET /v1/supervisor/dashboard', () => {
  it('200: open shifts, variances that wait, and today’s collections and cancellations; over GraphQL too', async () => {
    const [clerk, supervisor] = [await newStaff(rail, 'clerk', 'supervisor'), await newStaff(rail, 'supervisor')];
    const { shift: waiting } = await closedWith(900, clerk);
    const open = await openShift(clerk);
    const cash = await collected(rail, clerk, open);
    const mobile = await collected(rail, clerk, open, 'mtn_momo');
    const { assessment, amount } = await assessedFor(rail, clerk, 'URA-TCC', { shift: open });
    await clerk.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Changed their mind' });
    const { data } = await supervisor.ask('/v1/supervisor/dashboard');
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
    expect(names(data.open_shifts)).toContain(open);
    expect(names(data.pending_variances)).toContain(waiting);
    const mine = <Row extends { clerk: string }>(rows: Row[]) => rows.filter((row) => row.clerk === clerk.email);
    expect(mine(data.takings)).toEqual([
      { mda: 'URA', clerk: clerk.email, currency: 'UGX', cash: cash.amount, non_cash: mobile.amount, collections: 2 },
    ]);
    expect(mine(data.cancellations)).toMatchObject([{ assessment, shift: open, mda: 'URA', amount, reason: 'Changed their mind' }]);
    const query = { query: '{ supervisorDashboard { openShifts { name } takings { clerk cash } } }' };
    const answer = await supervisor.post('/graphql', query);
    expect(names(answer.json.data.supervisorDashboard.openShifts)).toContain(open);
  });
});

describe('a clerk at the counter', () => {
  it('lists the Active agencies, and registers people as the authority knows them or by hand', async () => {
    const clerk = await newStaff(rail, 'clerk');
    const mdas = (await clerk.ask('/v1/work/mdas')).data;
    expect(mdas.length).toBeGreaterThan(5);
    expect(new Set(mdas.map(({ status }: { status: string }) => status))).toEqual(new Set(['Active']));
    expect(Object.keys(mdas[0])).toEqual(['name', 'mda_name', 'interaction_mode', 'country', 'mda_type', 'status']);
    const known = await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCD' });
    expect(known.data).toMatchObject({
      created: true,
      source: 'nira',
      citizen: { verified: true },
      consent_event: expect.stringMatching(/^CONSENT-/),
    });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCD' })).data).toMatchObject({ created: false, source: 'local' });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCX' })).status).toBe(404);
    const byHand = { nin: 'CM88888888ABCX', full_name: 'Akello Grace', phone: '+256700000009' };
    expect((await clerk.post('/v1/work/citizens', byHand)).data).toMatchObject({
      created: true,
      source: 'local',
      consent_event: null,
      citizen: { full_name: 'Akello Grace', verified: false },
    });
    expect((await clerk.post('/v1/work/citizens', { nin: 'CM88888888ABCE', full_name: 'X' })).status).toBe(502);
    expect((await clerk.post('/v1/work/citizens', { nin: '1' })).status).toBe(422);
  });
});
