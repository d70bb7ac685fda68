import { beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/platform/access/needs.ts';
import { initialsOf } from '../../src/kernel/text/names.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { readAsked } from '../../src/console/find/asked.ts';
import { createAssessedFor, createConfirmed, makeActor } from '../harness/flow.ts';
import { collectInShift, openShift } from '../harness/people/counter.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';

const rail = testRail();

interface Found {
  readonly kind: string;
  readonly name: string;
  readonly title: string | null;
  readonly status: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly at: string | null;
  readonly whose: string | null;
}

const find = async (who: Pick<StaffActor, 'ask'>, q: string): Promise<Found[]> => {
  const { status, data, text } = await who.ask(`/v1/ops/find?q=${encodeURIComponent(q)}`);
  expect(status, text).toBe(200);
  return data as Found[];
};
const namesIn = (found: readonly Found[], kind: string) =>
  found.filter((one) => one.kind === kind).map(({ name }) => name);

let paid: { intent: string; assessment: string; reference: string; txn: string; receipt: string };
let shift: string;
let colleague: string;
let citizen: { name: string; nin: string; fullName: string; phone: string };
let integrator: { code: string; organisation: string };
const staff = {} as Record<Role, StaffActor>;

beforeAll(async () => {
  const made = await createConfirmed(rail, await makeActor(rail));
  await rail.rows(sql`update propagation set receipt = 'RCPT-77' where assessment = ${made.assessment}`);
  const [row] = await rail.rows<typeof paid>(sql`
    select i.name as intent, i.assessment, i.aggregator_reference as reference, 'RCPT-77' as receipt,
      (select min(txn_id) from payment_event e where e.intent = i.name) as txn
    from payment_intent i where i.name = ${made.intent}`);
  paid = row!;
  const [person] = await rail.rows<typeof citizen>(sql`
    update citizen set phone = '+256700010003', search_text = search_text || ' +256700010003'
    where name = (select citizen from assessment where name = ${paid.assessment})
    returning name, nin, full_name as "fullName", phone`);
  citizen = person!;
  const [account] = await rail.rows<typeof integrator>(sql`
    select code, organisation from integrator where code = (select integrator from assessment where name = ${paid.assessment})`);
  integrator = account!;
  for (const role of ROLES) staff[role] = await makeStaff(rail, role);
  colleague = (await makeStaff(rail, 'clerk')).email;
  shift = await openShift(staff.clerk);
});

const PEOPLE: readonly Role[] = ['clerk', 'supervisor', 'admin'];
const PAYMENTS: readonly Role[] = [...PEOPLE, 'finance_officer', 'system_manager'];
/** Roles that see payments and no people: they find the payments of a person whom they can name. */
const MASKED: readonly Role[] = ['finance_officer', 'system_manager'];
const ASSESSMENTS: readonly Role[] = [...PEOPLE, 'finance_officer'];
const NOTICES: readonly Role[] = ['admin', 'system_manager', 'oversight', 'finance_officer'];
const OPERATORS: readonly Role[] = ['admin', 'system_manager', 'oversight'];

describe('what is looked for', () => {
  it.each([
    ['UGX 143,000', '143000 UGX'],
    ['143 000', '143000 null'],
    ['1775.50 kes', '1775.5 KES'],
    ['0700010003', null],
    ['Kato Opio', null],
  ])('%s is the amount %s', (text, amount) => {
    const read = readAsked(text).amount;
    expect(read && `${String(read.value)} ${read.currency}`).toBe(amount);
  });

  it.each([
    ['0700 010 003', { q: '0700 010 003' }],
    ['+256 700-010-003', { q: '+256 700-010-003' }],
    ['cm93042100abcd', { nin: 'cm93042100abcd' }],
    ['Nakato', { q: 'Nakato' }],
    ['Ng‘ang`a', { q: 'Ng‘ang`a' }],
    // Fewer digits than a phone number has are part of too many people's.
    ['143000', null],
    ['PI-2026-11-000001', null],
  ])('%s is a person by %j', (text, person) => expect(readAsked(text).person).toEqual(person));
});

describe('GET /v1/ops/find', () => {
  /** By what each is found, and the roles that see it. */
  const CASES: readonly (readonly [string, () => string, string, () => string, readonly Role[]])[] = [
    ['a payment, in any case', () => paid.intent.toLowerCase(), 'payment', () => paid.intent, PAYMENTS],
    ['a payment, with blanks around it', () => ` ${paid.intent} `, 'payment', () => paid.intent, PAYMENTS],
    ['a payment by its provider’s reference', () => paid.reference, 'payment', () => paid.intent, PAYMENTS],
    ['a payment by its transaction', () => paid.txn, 'payment', () => paid.intent, PAYMENTS],
    ['a payment by its amount', () => 'UGX 585,000', 'payment', () => paid.intent, PAYMENTS],
    ['an assessment', () => paid.assessment.toLowerCase(), 'assessment', () => paid.assessment, ASSESSMENTS],
    ['an assessment by its amount', () => '585000', 'assessment', () => paid.assessment, ASSESSMENTS],
    ['a notice by the receipt of the agency', () => 'RCPT-77', 'notice', () => `${paid.assessment}.URA`, NOTICES],
    ['a shift', () => shift, 'record', () => shift, ['clerk', 'supervisor', 'admin', 'finance_officer']],
    ['a person by a phone number as people write it', () => '0700 010 003', 'person', () => citizen.name, PEOPLE],
    ['a person by a phone number with its country', () => '+256700010003', 'person', () => citizen.name, PEOPLE],
    ['a person by NIN', () => citizen.nin.toLowerCase(), 'person', () => citizen.name, PEOPLE],
    ['a person by name', () => citizen.fullName.toLowerCase(), 'person', () => citizen.name, PEOPLE],
    ['a payment by its payer’s phone', () => '0700 010 003', 'payment', () => paid.intent, MASKED],
    ['a payment by its payer’s NIN', () => citizen.nin.toLowerCase(), 'payment', () => paid.intent, MASKED],
    ['a payment by its payer’s name', () => citizen.fullName.toLowerCase(), 'payment', () => paid.intent, MASKED],
    ['an organisation', () => integrator.organisation, 'account', () => integrator.code, OPERATORS],
    ['a member of staff', () => colleague.toUpperCase(), 'staff', () => colleague, OPERATORS],
    ['an agency by its code', () => 'ura', 'agency', () => 'URA', ROLES],
    [
      'an agency by its name',
      () => 'revenue authority',
      'agency',
      () => 'URA',
      ROLES.filter((one) => one !== 'auditor'),
    ],
  ];

  it.each(CASES)('%s is found by who may see it, and by nobody else', async (_what, q, kind, name, roles) => {
    const finders: Role[] = [];
    for (const role of ROLES) if (namesIn(await find(staff[role], q()), kind).includes(name())) finders.push(role);
    expect(finders.toSorted()).toEqual([...roles].toSorted());
  });

  it('says of what was found its status, amount, time and whose it is, to who may see people', async () => {
    const [seen] = (await find(staff.supervisor, paid.intent)) as [Found];
    expect(seen).toMatchObject({ kind: 'payment', status: 'Confirmed', amount: 585_000, currency: 'UGX' });
    expect([seen.whose, seen.at === null]).toEqual([citizen.fullName, false]);
    const [masked] = (await find(staff.system_manager, paid.intent)) as [Found];
    expect([masked.amount, masked.whose]).toEqual([585_000, null]);
  });

  it('finds with a person what they paid last, and books each person shown', async () => {
    const booked = () => rail.count(sql`select 1 from citizen_access where actor = ${staff.clerk.email}`);
    await rail.rail.citizenAccess.flush();
    const before = await booked();
    const found = await find(staff.clerk, citizen.nin);
    expect(namesIn(found, 'assessment')).toContain(paid.assessment);
    await rail.rail.citizenAccess.flush();
    expect(await booked()).toBe(before + 1);
  });

  it('masks the payer of payments that a phone number finds, and books the look-up', async () => {
    const booked = () =>
      rail.count(sql`
        select 1 from citizen_access
        where actor = ${staff.system_manager.email} and citizen = ${citizen.name} and purpose = 'lookup'`);
    await rail.rail.citizenAccess.flush();
    const before = await booked();
    const [seen] = await find(staff.system_manager, '0700 010 003');
    expect([seen!.kind, seen!.name, seen!.whose]).toEqual(['payment', paid.intent, initialsOf(citizen.fullName)]);
    await rail.rail.citizenAccess.flush();
    expect(await booked()).toBe(before + 1);
  });

  it('finds a payment event with its payment', async () => {
    const [event] = await rail.rows<{ name: string }>(
      sql`select name from payment_event where intent = ${paid.intent} limit 1`,
    );
    expect(namesIn(await find(staff.admin, event!.name), 'payment')).toEqual([paid.intent]);
  });

  it('finds a receipt with its payment, and a payment reference with its assessment', async () => {
    const [receipt] = await rail.rows<{ name: string }>(sql`select name from receipt where intent = ${paid.intent}`);
    expect(namesIn(await find(staff.clerk, receipt!.name), 'payment')).toEqual([paid.intent]);
    const actor = await makeActor(rail);
    const { assessment } = await createAssessedFor(rail, actor, 'URA-PAYE');
    const { number } = (await actor.post(`/v1/assessments/${assessment}:issue-reference`)).data;
    expect(namesIn(await find(staff.clerk, number), 'assessment')).toContain(assessment);
  });

  it('finds within walls alone', async () => {
    const { intent, assessment } = await collectInShift(rail, staff.clerk, shift);
    const [own, other] = [
      await makeStaffOf(rail, ['URA'], 'supervisor'),
      await makeStaffOf(rail, ['KCCA'], 'supervisor'),
    ];
    for (const q of [intent, assessment, shift, 'UGX 10,000', 'URA-TCC', 'URA']) {
      expect([q, (await find(own, q)).length > 0]).toEqual([q, true]);
      const names = (await find(other, q)).map(({ name }) => name);
      expect([q, names.filter((name) => [intent, assessment, shift].includes(name))]).toEqual([q, []]);
    }
  });

  it('finds nothing by what is too short, or is nothing', async () => {
    for (const q of ['', ' ', 'x', '%', "'; drop table citizen --", '\\', 'ASMT-2020-01-000001'])
      expect([q, await find(staff.admin, q)]).toEqual([q, []]);
  });
});
