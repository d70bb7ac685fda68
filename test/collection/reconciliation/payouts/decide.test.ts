import { beforeAll, describe, expect, it } from 'vitest';
import { classifyAll } from '../../../../src/collection/reconciliation/payouts/classify.ts';
import { settlePayouts } from '../../../../src/collection/reconciliation/payouts/search.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { addDays, dayIn } from '../../../../src/kernel/time.ts';
import { createConfirmed, makeActor } from '../../../harness/flow.ts';
import { testRail } from '../../../harness/rail.ts';
import { makeStaffOf } from '../../../harness/people/staff.ts';
import { bankStatement, systemOf } from './world.ts';

const rail = testRail();
let today: string;
let line: string;

const officer = (mda = 'URA') => makeStaffOf(rail, [mda], 'finance_officer');

const decide = async (verb: string, body: object, name = line, mda = 'URA') =>
  (await officer(mda)).post(`/v1/agency/${mda}/bank-lines/${name}:${verb}`, body);

const refusalOf = async (body: object, name = line) => {
  const { status, json } = await decide('classify', body, name);
  return [status, json.error?.details?.[0].path];
};

const payout = () => ({ kind: 'payout', provider: 'mtn_momo', from_on: today, to_on: today });

beforeAll(async () => {
  await createConfirmed(rail, await makeActor(rail));
  today = dayIn(rail.rail.now(), 'Africa/Kampala');
  const lines = [
    { amount: 1_000, valueOn: today },
    { amount: -70, valueOn: today },
  ];
  line = `${await bankStatement(rail, 'URA', lines)}.1`;
});

describe('POST /v1/agency/{mda}/bank-lines/{name}:classify', () => {
  it('refuses what does not fit the line', async () => {
    expect(await refusalOf({ kind: 'unknown' })).toEqual([422, 'kind']);
    expect(await refusalOf({ kind: 'fee' })).toEqual([422, 'kind']);
    expect(await refusalOf({ kind: 'other' })).toEqual([422, 'note']);
    expect(await refusalOf({ kind: 'payout' })).toEqual([422, 'provider']);
    expect(await refusalOf({ ...payout(), provider: 'nobody' })).toEqual([422, 'provider']);
    expect(await refusalOf({ ...payout(), from_on: addDays(today, -40) })).toEqual([422, 'to_on']);
    expect(await refusalOf({ ...payout(), to_on: addDays(today, 1) })).toEqual([422, 'to_on']);
    expect(await refusalOf({ ...payout(), to_on: addDays(today, -1) })).toEqual([422, 'to_on']);
    expect(await refusalOf({ kind: 'deposit', from_on: today, to_on: today })).toEqual([422, 'from_on']);
    // A debit of days with more payments than refunds.
    expect(await refusalOf(payout(), line.replace('.1', '.2'))).toEqual([422, 'kind']);
    expect((await decide('classify', payout(), line, 'URSB')).status).toBe(404);
    expect((await decide('classify', payout(), 'BST-2026-01-000001.1')).status).toBe(404);
  });

  it('says what it is, which then counts, and which no rule and no other person changes', async () => {
    const { data } = await decide('classify', { ...payout(), note: 'In two parts' });
    const said = { kind: 'payout', how: 'person', provider: 'mtn_momo', from_on: today, to_on: today };
    expect(data).toMatchObject({ ...said, note: 'In two parts' });
    const listed = await (await officer()).ask('/v1/agency/URA/payouts');
    expect(listed.data).toMatchObject([{ state: 'short', received: 1_000, difference: -449_000, arrived_on: today }]);
    await classifyAll(systemOf(rail));
    const again = await decide('classify', payout());
    expect([again.status, again.json.error.details[0].code]).toEqual([422, 'line_decided']);
  });
});

describe('POST /v1/agency/{mda}/bank-lines/{name}:release', () => {
  it('makes it unknown again, with a note, until a person says what it is', async () => {
    expect((await decide('release', {})).status).toBe(422);
    const { data } = await decide('release', { note: 'The wrong day' });
    expect(data).toMatchObject({ kind: 'unknown', how: null, provider: null, from_on: null, note: 'The wrong day' });
    await classifyAll(systemOf(rail));
    const fixed = await decide('classify', { kind: 'other', note: 'Interest' });
    expect(fixed.data).toMatchObject({ kind: 'other', how: 'person' });
  });

  it('is refused once its day is confirmed', async () => {
    await rail.rows(sql`
      insert into agency_day (name, mda, day, payload, signature, kid, confirmed_by, confirmed_at, created_at, updated_at)
      values (${`URA.${today}`}, 'URA', ${today}::date, '{}', 's', 'k', 'o@example.com', now(), now(), now())`);
    const late = await decide('release', { note: 'Too late' });
    expect([late.status, late.json.error.details[0].code]).toEqual([422, 'line_decided']);
  });
});

it('money that was booked of a line is settled by saying what it is', async () => {
  const credit = `${await bankStatement(rail, 'URA', [{ amount: 55, valueOn: today }])}.1`;
  rail.advance(5 * 24 + 1);
  await settlePayouts(systemOf(rail));
  await decide('classify', { kind: 'deposit', note: 'By hand' }, credit);
  const money = await rail.rows(sql`
    select m.kind, o.kind as outcome, o.amount::int as amount from money_received m join money_outcome o on o.money = m.name
    where m.txn_id = ${credit}`);
  expect(money).toEqual([{ kind: 'bank_only', outcome: 'transferred', amount: 55 }]);
});
