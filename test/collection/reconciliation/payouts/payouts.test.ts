import { beforeAll, describe, expect, it } from 'vitest';
import { classifyLines } from '../../../../src/collection/reconciliation/payouts/classify.ts';
import { settlePayouts } from '../../../../src/collection/reconciliation/payouts/search.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { addDays } from '../../../../src/kernel/time.ts';
import { type Actor, createConfirmed, makeActor } from '../../../harness/flow.ts';
import { testRail } from '../../../harness/rail.ts';
import { makeStaff, makeStaffOf } from '../../../harness/people/staff.ts';
import { bankStatement, explained, moveTo, systemOf } from './world.ts';

const rail = testRail();

/** What the agency's service costs; a payment of two lines pays it and URSB. */
const FEE = 450_000;
const FRIDAY = 5;

let actor: Actor;
let friday: string;
let [sunday, monday, tuesday] = ['', '', ''];

interface Row {
  readonly day: string;
  readonly state: string;
  readonly [amount: string]: unknown;
}

/** Logged in again each time: the clock is moved by days. */
const makeOfficer = () => makeStaffOf(rail, ['URA'], 'finance_officer');

const payoutsOf = async (query = '', mda = 'URA'): Promise<Row[]> => {
  const officer = await makeOfficer();
  const answer = await officer.ask(`/v1/agency/${mda}/payouts?from_date=${friday}&to_date=${tuesday}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data as Row[];
};

const states = async () => (await payoutsOf()).map(({ day, state }) => `${day} ${state}`);

const open = () =>
  rail.rows<{ kind: string; subject: string; status: string; resolution: string | null }>(sql`
    select kind, subject, status, resolution from anomaly where kind like 'payout_%' and mda = 'URA' order by subject, kind`);

beforeAll(async () => {
  await rail.rows(sql`update country set holidays = '[]'`);
  actor = await makeActor(rail);
  friday = moveTo(rail, FRIDAY);
  [sunday, monday, tuesday] = [2, 3, 4].map((days) => addDays(friday, days)) as [string, string, string];
  await createConfirmed(rail, actor);
  await createConfirmed(rail, actor);
  rail.advance(48);
  await createConfirmed(rail, actor);
});

describe('GET /v1/agency/{mda}/payouts', () => {
  it('says what is expected of each day, and when it is due', async () => {
    const nothing = {
      mda: 'URA',
      provider: 'mtn_momo',
      currency: 'UGX',
      fees: 0,
      refunded: 0,
      received: 0,
      arrived_on: null,
    };
    expect(await payoutsOf()).toEqual([
      { ...nothing, day: friday, expected: 2 * FEE, difference: -2 * FEE, due_on: monday, state: 'expected' },
      { ...nothing, day: sunday, expected: FEE, difference: -FEE, due_on: monday, state: 'expected' },
    ]);
  });

  it('has one page after another, and a filter by state', async () => {
    const [first] = await payoutsOf('&limit=1');
    expect(first!.day).toBe(friday);
    expect((await payoutsOf('&limit=1&start=1'))[0]!.day).toBe(sunday);
    expect(await payoutsOf('&state=missing')).toEqual([]);
  });

  it('refuses another agency, and too many days', async () => {
    const officer = await makeOfficer();
    expect((await officer.ask('/v1/agency/URSB/payouts')).status).toBe(403);
    const many = await officer.ask('/v1/agency/URA/payouts?from_date=2026-01-01&to_date=2026-12-31');
    expect([many.status, many.json.error.details[0].path]).toEqual([422, 'to_date']);
    const clerk = await makeStaffOf(rail, ['URA'], 'clerk');
    expect((await clerk.ask('/v1/agency/URA/payouts')).status).toBe(403);
  });

  it('leads from an event to its payout', async () => {
    const query = '{ paymentEvents(agency: "URA", first: 1) { nodes { payout { day state expected } } } }';
    const answer = await (await makeStaff(rail, 'admin')).post('/graphql', { query });
    expect(answer.json.data.paymentEvents.nodes).toEqual([
      { payout: { day: sunday, state: 'expected', expected: FEE } },
    ]);
  });
});

describe('lines of a bank', () => {
  it('are explained by the sum of a weekend, once it is the only one that fits', async () => {
    moveTo(rail, 1);
    const statement = await bankStatement(rail, 'URA', [
      { amount: 3 * FEE, valueOn: monday },
      { amount: 77, valueOn: monday },
      { amount: -500, valueOn: monday },
    ]);
    expect(await classifyLines(systemOf(rail), statement)).toBe(1);
    const weekend = `payout sum mtn_momo ${friday} ${sunday}`;
    expect(await explained(rail, statement)).toEqual([weekend, 'unknown', 'unknown']);
    expect(await classifyLines(systemOf(rail), statement)).toBe(0);
    expect(await states()).toEqual([`${friday} arrived`, `${sunday} arrived`]);
    expect(await payoutsOf()).toMatchObject([
      { received: 2 * FEE, difference: 0, arrived_on: monday },
      { received: FEE, difference: 0, arrived_on: monday },
    ]);
  });

  it('stay unknown where two of them fit one day', async () => {
    await createConfirmed(rail, actor);
    const statement = await bankStatement(rail, 'URA', [
      { amount: FEE, valueOn: tuesday },
      { amount: FEE, valueOn: tuesday },
    ]);
    expect(await classifyLines(systemOf(rail), statement)).toBe(0);
    await rail.rows(
      sql`update bank_line set kind = 'other', how = 'person', decided_by = 'a', decided_at = now() where name = ${`${statement}.1`}`,
    );
    expect(await classifyLines(systemOf(rail), statement)).toBe(1);
    expect(await explained(rail, statement)).toEqual(['other person', `payout sum mtn_momo ${monday} ${monday}`]);
  });

  it('are explained by the name of a payment, of a shift, and by the number of a payout', async () => {
    moveTo(rail, 3);
    const { intent } = await createConfirmed(rail, actor);
    const wednesday = addDays(monday, 2);
    await rail.rows(sql`
      insert into counter_shift (name, mda, clerk, counter_label, status, opened_at, opening_float, currency, revision, created_at, updated_at)
      select 'SHIFT-2026-11-01-901', 'URA', email, null, 'Open', now(), 0, 'UGX', 1, now(), now() from staff limit 1`);
    const statement = await bankStatement(rail, 'URA', [
      { amount: 100, valueOn: wednesday, text: `Pay ${intent.toLowerCase()}` },
      { amount: 200, valueOn: wednesday, text: 'cash SHIFT-2026-11-01-901' },
      { amount: -200, valueOn: wednesday, text: 'cash SHIFT-2026-11-01-901' },
    ]);
    await classifyLines(systemOf(rail), statement);
    expect(await explained(rail, statement)).toEqual([
      `payout reference mtn_momo ${wednesday} ${wednesday}`,
      'deposit deposit',
      'unknown',
    ]);
  });
});

describe('payouts that are due', () => {
  it('are raised where they are short or missing, and resolved once the money comes', async () => {
    const wednesday = addDays(monday, 2);
    moveTo(rail, 4);
    const thursday = addDays(monday, 3);
    await createConfirmed(rail, actor);
    await settlePayouts(systemOf(rail));
    expect(await open()).toEqual([]);
    moveTo(rail, 1);
    await settlePayouts(systemOf(rail));
    expect(await open()).toEqual([
      { kind: 'payout_short', subject: `URA:mtn_momo:${wednesday}`, status: 'Open', resolution: null },
      { kind: 'payout_missing', subject: `URA:mtn_momo:${thursday}`, status: 'Open', resolution: null },
    ]);
    const came = addDays(thursday, 4);
    await bankStatement(rail, 'URA', [
      { amount: FEE, valueOn: came, kind: 'payout', provider: 'mtn_momo', from: thursday, to: thursday },
    ]);
    await settlePayouts(systemOf(rail));
    expect((await open())[1]).toMatchObject({ status: 'Resolved', resolution: `UGX: The money arrived on ${came}` });
    const [row] = await rail.rows<{ status: string }>(sql`select status from anomaly where kind = 'payout_short'`);
    expect(row).toEqual({ status: 'Open' });
  });

  it('that a person explained are raised no more', async () => {
    await rail.rows(sql`
      update anomaly set status = 'Resolved', resolved_at = now(), resolved_by = 'officer@example.com', resolution = 'A fee'
      where kind = 'payout_short'`);
    await settlePayouts(systemOf(rail));
    expect((await open())[0]).toMatchObject({ status: 'Resolved', resolution: 'A fee' });
  });

  it('are taken back where a holiday moves the day on which they are due', async () => {
    const day = moveTo(rail, 2);
    await createConfirmed(rail, actor);
    moveTo(rail, 4);
    await settlePayouts(systemOf(rail));
    const of = async () => (await open()).filter(({ subject }) => subject.endsWith(day));
    expect(await of()).toMatchObject([{ kind: 'payout_missing', status: 'Open' }]);
    const free = [1, 2, 3].map((days) => ({ day: addDays(day, days), name: 'Mourning', names: {} }));
    await rail.rows(sql`update country set holidays = ${JSON.stringify(free)}::jsonb where code = 'UG'`);
    await settlePayouts(systemOf(rail));
    expect(await of()).toMatchObject([
      { status: 'Resolved', resolution: `UGX: It is not due before ${addDays(day, 6)}` },
    ]);
  });
});

describe('money at the bank that is nobody’s', () => {
  it('is booked once, after five days, and stays a matter of persons', async () => {
    const booked = () =>
      rail.rows<{ amount: number; txn: string }>(sql`
        select amount::float8 as amount, txn_id as txn from money_received where kind = 'bank_only' order by name`);
    const before = await booked();
    const statement = await bankStatement(rail, 'URA', [{ amount: 123, valueOn: addDays(monday, 9) }]);
    await settlePayouts(systemOf(rail));
    expect(await booked()).toEqual(before);
    rail.advance(5 * 24 + 1);
    await settlePayouts(systemOf(rail));
    await settlePayouts(systemOf(rail));
    expect((await booked()).filter(({ txn }) => txn.startsWith(statement))).toEqual([
      { amount: 123, txn: `${statement}.1` },
    ]);
    const admin = await makeStaff(rail, 'admin');
    const { data } = await admin.ask('/v1/ops/money-received?kind=bank_only&limit=1');
    expect(data).toMatchObject([{ kind: 'bank_only', provider: 'bank', txn_id: `${statement}.1`, amount: 123 }]);
  });
});
