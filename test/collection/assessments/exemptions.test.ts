import { beforeAll, describe, expect, it } from 'vitest';
import { type InForce, waive } from '../../../src/collection/assessments/exemptions/apply.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { Decimal, zero } from '../../../src/kernel/money.ts';
import { DAY_MS, HOUR_MS, dayIn, formatDay, momentIn } from '../../../src/kernel/time.ts';
import { type Actor, createInitiated, createPendingFor, exempt, makeActor, serviceNamed } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail();

const FEE = 450_000;
const KAMPALA = 'Africa/Kampala';
const HASH = 'ab'.repeat(32);

let actor: Actor;
let supervisor: StaffActor;
let officer: StaffActor;
let service: string;
let citizen: string;
let citizens = 0;

const ok = ({ status, data, text }: Answer) => {
  if (status !== 200) throw new Error(text);
  return data;
};
/** A day by the clock of the agency, so many days from that of the rail. */
const day = (ahead = 0) => dayIn(new Date(rail.rail.now().getTime() + ahead * DAY_MS), KAMPALA);
const asking = (more: object = {}) => ({
  citizen,
  percent: 50,
  ground: 'disability',
  document_hash: HASH,
  valid_from: day(-1),
  valid_to: day(365),
  ...more,
});
const ask = (by: Pick<StaffActor, 'post'>, more: object = {}, mda = 'URA') =>
  by.post(`/v1/agency/${mda}/exemptions`, asking(more));
const approve = (by: StaffActor, name: string) => by.post(`/v1/ops/approvals/${name}:approve`);

const create = async (more: object = {}) =>
  ok(await actor.post('/v1/assessments', { citizen, lines: [{ service }], ...more }));
const assess = async (name: string) => ok(await actor.post(`/v1/assessments/${name}:assess`));
const createAssessed = () => create({ assess: true });
const usesOf = async (name: string) =>
  (await rail.rows<{ left: number | null }>(sql`select uses_left as left from exemption where name = ${name}`))[0]!
    .left;

/** A person of whom nothing is known yet. */
async function makeCitizen(): Promise<void> {
  const nin = `CM${String((citizens += 1)).padStart(8, '0')}EXM`;
  citizen = ok(await actor.post('/v1/citizens', { nin, full_name: 'Ann Exempt' })).name;
}

beforeAll(async () => {
  actor = await makeActor(rail);
  [supervisor, officer] = await Promise.all([
    makeStaff(rail, 'supervisor'),
    makeStaffOf(rail, ['URA'], 'finance_officer'),
  ]);
  service = await serviceNamed(rail, 'URA-PAYE');
  await makeCitizen();
});

describe('what an exemption waives of a line', () => {
  const line = (amount: number, more: object = {}) => ({
    service: 'SVC-2026-000001',
    mda: 'URA',
    category: null,
    amount: new Decimal(amount),
    waived: zero,
    exemption: null,
    ...more,
  });
  const one = (percent: number, more: Partial<InForce> = {}): InForce => ({
    name: 'EXM-2026-000001',
    mda: 'URA',
    service: null,
    category: null,
    percent: new Decimal(percent),
    usesLeft: null,
    ...more,
  });
  const shown = (lines: ReturnType<typeof line>[], exemptions: InForce[], currency = 'UGX') =>
    waive(lines, exemptions, currency).map(({ amount, waived, exemption }) => [
      Number(amount),
      Number(waived),
      exemption,
    ]);

  it.each([
    [450_000, 'UGX', 50, 225_000, 225_000],
    [450_000, 'UGX', 100, 0, 450_000],
    [450_000, 'UGX', 33.3333, 300_000, 150_000],
    // Halves go up, once.
    [5, 'UGX', 50, 3, 2],
    [40.05, 'USD', 12.5, 35.04, 5.01],
    [0.01, 'USD', 50, 0.01, 0],
    [1.005, 'KWD', 50, 0.503, 0.502],
    // Nothing would be waived, so that it is not used.
    [1, 'UGX', 0.0001, 1, 0],
    [0, 'UGX', 100, 0, 0],
  ])('%s %s at %s percent leaves %s, and waives %s', (amount, currency, percent, left, waived) => {
    expect(shown([line(amount)], [one(percent)], currency)).toEqual([
      [left, waived, waived === 0 ? null : 'EXM-2026-000001'],
    ]);
  });

  it.each([
    ['its service', { service: 'SVC-2026-000001' }, {}, true],
    ['another service', { service: 'SVC-2026-000002' }, {}, false],
    ['another agency', { mda: 'KCCA' }, {}, false],
    ['its category', { category: 'foreigner' }, { category: 'foreigner' }, true],
    ['another category', { category: 'foreigner' }, { category: 'standard' }, false],
    ['the standard category, and a plain fee', { category: 'standard' }, {}, true],
    ['no uses left', { usesLeft: 0 }, {}, false],
  ])('is for %s: %j', (_what, exemption, of, applies) => {
    expect(shown([line(100, of)], [one(50, exemption)])[0]![1]).toBe(applies ? 50 : 0);
  });

  it('takes the best one for each line, an uncounted and an older one first', () => {
    const [a, b, c] = ['EXM-2026-000001', 'EXM-2026-000002', 'EXM-2026-000003'];
    const best = (...exemptions: InForce[]) => shown([line(100)], exemptions)[0]![2];
    expect(best(one(20), one(50, { name: b }))).toBe(b);
    expect(best(one(50, { usesLeft: 3 }), one(50, { name: b }))).toBe(b);
    expect(best(one(50, { name: b }), one(50, { name: a }))).toBe(a);
    const lines = [line(100), line(100), line(100)];
    expect(shown(lines, [one(20, { name: c }), one(50, { name: b, usesLeft: 1 })])).toEqual([
      [50, 50, b],
      [80, 20, c],
      [80, 20, c],
    ]);
  });
});

describe('an assessment of somebody who is exempt', () => {
  beforeAll(makeCitizen);

  it('is without it as a Draft, and with it once it is Assessed; what is waived is kept on the line', async () => {
    const before = await create();
    const exemption = await exempt(rail, citizen);
    const made = await create();
    expect(made.lines[0]).toEqual(before.lines[0]);
    expect([made.total_amount, Object.keys(made.lines[0])]).toEqual([
      FEE,
      ['idx', 'service', 'service_name', 'mda', 'quantity', 'rate', 'amount'],
    ]);
    for (const draft of [before, made]) {
      const assessed = await assess(draft.name);
      expect(assessed.total_amount).toBe(FEE / 2);
      expect(assessed.lines).toEqual([{ ...made.lines[0], amount: FEE / 2, waived: FEE / 2, exemption }]);
    }
    const atOnce = await createAssessed();
    expect([atOnce.total_amount, atOnce.lines[0].exemption]).toEqual([FEE / 2, exemption]);
    expect(await usesOf(exemption)).toBeNull();
  });

  it('is paid as it was assessed, though the exemption is revoked while the payment is Sent', async () => {
    const exemption = await exempt(rail, citizen, { percent: 75 });
    const { name } = await createAssessed();
    const intent = await createPendingFor(actor, name);
    await createInitiated(actor, intent);
    const path = `/v1/agency/URA/exemptions/${exemption}:revoke`;
    const revoked = ok(await officer.post(path, { reason: 'The paper is forged' }));
    expect([revoked.status, revoked.revoked_reason]).toEqual(['Revoked', 'The paper is forged']);
    expect(ok(await officer.post(path, { reason: 'Again' })).revoked_reason).toBe('The paper is forged');
    ok(await actor.post(`/v1/payment-intents/${intent}:confirm`));
    const paid = ok(await actor.ask(`/v1/assessments/${name}`));
    expect([paid.status, paid.total_amount, paid.lines[0].exemption]).toEqual(['Paid', FEE / 4, exemption]);
    expect((await createAssessed()).lines[0].exemption).not.toBe(exemption);
  });

  it('of which all is waived is settled at zero', async () => {
    await exempt(rail, citizen, { percent: 100, service, uses_left: 1 });
    const { name, total_amount } = await createAssessed();
    expect(total_amount).toBe(0);
    expect(ok(await actor.post(`/v1/assessments/${name}:settle-zero`)).status).toBe('Paid');
  });
});

describe('an exemption with one use', () => {
  it.each(['assess', 'create'])('is had by one of two that %s at once; the other is priced without', async (verb) => {
    await makeCitizen();
    const exemption = await exempt(rail, citizen, { uses_left: 1 });
    const drafts = verb === 'assess' ? [await create(), await create()] : [];
    const made = await Promise.all(
      verb === 'assess' ? drafts.map(({ name }) => assess(name)) : [createAssessed(), createAssessed()],
    );
    expect(made.map(({ total_amount }) => Number(total_amount)).toSorted((a, b) => a - b)).toEqual([FEE / 2, FEE]);
    expect(await usesOf(exemption)).toBe(0);
    expect((await createAssessed()).total_amount).toBe(FEE);
  });

  it('is not used up by an assessment that is refused or already Assessed', async () => {
    await makeCitizen();
    const exemption = await exempt(rail, citizen, { uses_left: 2 });
    const { name } = await create();
    await Promise.all([assess(name), assess(name), assess(name)]);
    expect(await usesOf(exemption)).toBe(1);
    ok(await actor.post(`/v1/assessments/${name}:cancel`, { reason: 'Entered twice' }));
    expect((await actor.post(`/v1/assessments/${name}:assess`)).status).toBe(422);
    expect(await usesOf(exemption)).toBe(1);
  });
});

describe('who asks and who decides', () => {
  it('is somebody independent of who asked: a finance officer of the agency, or an operator', async () => {
    const asked = ok(await ask(officer));
    const codes = async (by: StaffActor) => {
      const { status, json } = await approve(by, asked.name);
      return [status, json.error?.details?.[0]?.code];
    };
    expect(await codes(officer)).toEqual([403, 'approval_by_asker']);
    expect((await codes(supervisor))[0]).toBe(404);
    expect((await codes(await makeStaffOf(rail, ['KCCA'], 'finance_officer')))[0]).toBe(404);
    expect((await codes(await makeStaff(rail, 'system_manager')))[0]).toBe(200);
    expect(await codes(await makeStaffOf(rail, ['URA'], 'finance_officer'))).toEqual([422, 'approval_decided']);
  });

  it('asks by the token of the agency too, which sees its own exemptions', async () => {
    const key = await (await makeAgency(rail, 'URA', ['assessments.write'])).token();
    const token = { post: (path: string, body: unknown) => rail.ask(path, { key, body }) };
    const asked = ok(await ask(token));
    expect([asked.kind, asked.status, asked.asked_by]).toEqual(['exemption', 'Pending', 'URA']);
    ok(await approve(officer, asked.name));
    const listed = ok(await rail.ask(`/v1/agency/URA/exemptions?citizen=${citizen}`, { key }));
    expect(listed.map(({ name }: { name: string }) => name)).toContain(asked.subject);
    expect((await ask(token, {}, 'KCCA')).status).toBe(403);
    const revoke = { key, body: { reason: 'No' } };
    expect((await rail.ask(`/v1/agency/URA/exemptions/${asked.subject}:revoke`, revoke)).status).toBe(401);
  });

  it('asks, sees and revokes within walls alone', async () => {
    const exemption = await exempt(rail, citizen);
    const other = await makeStaffOf(rail, ['KCCA'], 'supervisor', 'finance_officer');
    expect((await ask(other)).status).toBe(403);
    expect(ok(await other.ask('/v1/agency/URA/exemptions'))).toEqual([]);
    for (const mda of ['URA', 'KCCA'])
      expect((await other.post(`/v1/agency/${mda}/exemptions/${exemption}:revoke`, { reason: 'No' })).status).toBe(404);
    expect((await actor.post('/v1/agency/URA/exemptions', asking())).status).not.toBe(200);
    expect((await actor.ask('/v1/agency/URA/exemptions')).status).not.toBe(200);
    expect((await supervisor.post(`/v1/agency/URA/exemptions/${exemption}:revoke`, { reason: 'No' })).status).toBe(403);
    expect((await officer.post(`/v1/agency/KCCA/exemptions/${exemption}:revoke`, { reason: 'No' })).status).toBe(404);
  });
});

describe('bad input', () => {
  it.each([
    ['percent', { percent: 101 }],
    ['percent', { percent: 0 }],
    ['percent', { percent: -1 }],
    ['percent', { percent: 12.34567 }],
    ['valid_to', { valid_to: '2020-01-01' }],
    ['valid_to', { valid_to: '2026-02-30' }],
    ['citizen', { citizen: 'CITIZEN-2020-999999' }],
    ['service', { service: 'SVC-2020-999999' }],
    ['document_hash', { document_hash: 'AB'.repeat(32) }],
    ['document_hash', { document_hash: undefined }],
    ['ground', { ground: 'because' }],
    ['reason', { ground: 'other' }],
    ['category', { category: 'Not one' }],
    ['uses_left', { uses_left: 0 }],
    ['uses_left', { uses_left: 1.5 }],
  ])('422: %s of %j', async (path, more) => {
    const { status, json } = await ask(supervisor, more);
    expect([status, json.error.details[0].path]).toEqual([422, path]);
  });

  it('422: a service of another agency', async () => {
    const { status, json } = await ask(supervisor, { service: await serviceNamed(rail, 'URSB-COMPANY') });
    expect([status, json.error.details]).toMatchObject([422, [{ path: 'service', message: 'is no service of URA' }]]);
  });

  it('404: an agency that there is not', async () => {
    expect((await ask(supervisor, {}, 'NOBODY')).status).toBe(404);
  });
});

describe('a quote', () => {
  beforeAll(makeCitizen);
  const quote = (by: Pick<Actor, 'post'>, more: object = {}) =>
    by.post('/v1/assessments:quote', { lines: [{ service }], ...more });
  const nobody = { post: (path: string, body: unknown) => rail.ask(path, { body }) };

  it('shows what an exemption of the citizen would change, and uses none', async () => {
    const exemption = await exempt(rail, citizen, { uses_left: 1, valid_to: day(365) });
    const { total_amount, lines } = ok(await quote(actor, { citizen }));
    expect([total_amount, lines[0].waived, lines[0].exemption]).toEqual([FEE / 2, FEE / 2, exemption]);
    expect(await usesOf(exemption)).toBe(1);
    const without = ok(await quote(nobody));
    expect([without.total_amount, Object.keys(without.lines[0]).includes('waived')]).toEqual([FEE, false]);
    expect(ok(await quote(actor, { citizen, on: day(400) })).total_amount).toBe(FEE);
    expect(ok(await quote(actor, { citizen, on: day(100) })).total_amount).toBe(FEE / 2);
  });

  it('names a citizen for those alone who may read one', async () => {
    expect((await quote(nobody, { citizen })).status).toBe(401);
    const key = await rail.key('assessments.write');
    const other = await rail.ask('/v1/assessments:quote', {
      key: key.plaintext,
      body: { lines: [{ service }], citizen },
    });
    expect(other.status).toBe(403);
    expect((await quote(actor, { citizen: 'CITIZEN-2020-999999' })).status).toBe(404);
  });
});

describe('an exemption with two uses', () => {
  it('is used by as many rows of a file, and by what replaces an assessment', async () => {
    await makeCitizen();
    const exemption = await exempt(rail, citizen, { uses_left: 2 });
    const key = await (await makeAgency(rail, 'URA', ['assessments.import'])).token();
    const body = `key,citizen,service\n${[1, 2, 3].map((row) => `${citizen}-${row},${citizen},${service}\n`).join('')}`;
    const send = (query = '') =>
      rail.ask(`/v1/agency/URA/assessments:import${query}`, { key, body, headers: { 'content-type': 'text/csv' } });
    const totals = [FEE / 2, FEE / 2, FEE];
    const totalsOf = ({ data }: Answer) => data.map((row: { total_amount: number }) => row.total_amount);
    expect([totalsOf(await send('?dry_run=true')), await usesOf(exemption)]).toEqual([totals, 2]);
    expect([totalsOf(await send()), await usesOf(exemption)]).toEqual([totals, 0]);
    expect([totalsOf(await send()), await usesOf(exemption)]).toEqual([totals, 0]);

    const whole = await createAssessed();
    const other = await exempt(rail, citizen, { uses_left: 1, percent: 100 });
    const parts = [{ due_on: day(30), lines: [{ service }, { service }] }];
    const replaced = await supervisor.post(`/v1/assessments/${whole.name}:replace`, { reason: 'Objection', parts });
    expect(ok(replaced).replaced_by).toMatchObject([{ total_amount: FEE }]);
    expect(await usesOf(other)).toBe(0);
  });
});

describe('the days of an exemption', () => {
  it('begin and end at midnight by the clock of the agency', async () => {
    await makeCitizen();
    const tomorrow = formatDay(new Date(Date.parse(day()) + DAY_MS));
    await exempt(rail, citizen, { valid_from: tomorrow, valid_to: tomorrow });
    const moveTo = (local: string, minutes: number) =>
      rail.advance((momentIn(local, KAMPALA).getTime() + minutes * 60_000 - rail.rail.now().getTime()) / HOUR_MS);
    const total = async () => (await createAssessed()).total_amount;
    moveTo(`${tomorrow}T00:00:00`, -2);
    expect(await total()).toBe(FEE);
    moveTo(`${tomorrow}T00:00:00`, 0);
    expect(await total()).toBe(FEE / 2);
    const after = formatDay(new Date(Date.parse(tomorrow) + DAY_MS));
    moveTo(`${after}T00:00:00`, -2);
    expect(await total()).toBe(FEE / 2);
    moveTo(`${after}T00:00:00`, 0);
    expect(await total()).toBe(FEE);
  });
});
