import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeActor } from '../../harness/flow.ts';
import { makeAgency } from '../../harness/people/agency.ts';
import { collectInShift, openShift } from '../../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sendForm } from '../../site/forms/sending.ts';

const rail = testRail();
let clerk: StaffActor;
let count = 0;

beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
});
afterEach(() => vi.restoreAllMocks());

/** TINs that the tax authority of a sandbox knows, and does not. */
const knownTin = () => `10000${String(++count).padStart(4, '0')}1`;
const unknownTin = () => `10000${String(++count).padStart(4, '0')}0`;
const create = (body: object, by: Pick<StaffActor, 'post'> = clerk) => by.post('/v1/organisations', body);
const nameAtAuthority = async (tin: string) =>
  (await clerk.ask(`/v1/work/taxpayers?tin=${tin}`)).data.full_name as string;

describe('POST /v1/organisations', () => {
  it('200: as the tax authority knows it, whatever name is given', async () => {
    const tin = knownTin();
    const { status, data } = await create({ tin, name: 'Another name', phone: '+256414000001' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ kind: 'organisation', nin: tin, verified: true, phone: '+256414000001' });
    expect(data.full_name).toBe(await nameAtAuthority(tin));
    expect((await clerk.ask(`/v1/citizens?nin=${tin}`)).data).toMatchObject([
      { name: data.name, kind: 'organisation' },
    ]);
    expect(await rail.count(sql`select 1 from consent_event where citizen = ${data.name}`)).toBe(0);
  });

  it('200: by hand and unverified where the authority does not know it; 404 without a name', async () => {
    const tin = unknownTin();
    expect((await create({ tin })).status).toBe(404);
    expect((await create({ tin, name: '  ' })).status).toBe(404);
    const { status, data } = await create({ tin, name: 'Kyaliwajjala Growers Cooperative' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ verified: false, full_name: 'Kyaliwajjala Growers Cooperative', phone: null });
    expect((await create({ tin, name: 'Others', phone: '+256414000002' })).data).toMatchObject({
      name: data.name,
      full_name: 'Kyaliwajjala Growers Cooperative',
      phone: '+256414000002',
    });
  });

  it("200: by an agency's token that may assess; 403 by one that may not", async () => {
    const by = async (...scopes: ('assessments.read' | 'assessments.write')[]) => {
      const key = await (await makeAgency(rail, 'KCCA', scopes)).token();
      return rail.ask('/v1/organisations', { key, body: { tin: knownTin() } });
    };
    const made = await by('assessments.write');
    expect([made.status, made.data.kind, made.data.verified]).toEqual([200, 'organisation', true]);
    expect((await by('assessments.read')).status).toBe(403);
  });

  it('200: one record for the same TIN by several clerks at once, and the same answer under a key', async () => {
    const tin = knownTin();
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ tin })));
    expect(new Set(answers.map(({ data }) => data.name)).size).toBe(1);
    const once = { 'idempotency-key': tin };
    const [first, again] = [
      await clerk.post('/v1/organisations', { tin }, once),
      await clerk.post('/v1/organisations', { tin }, once),
    ];
    expect(again.json).toEqual(first.json);
  });

  it('422: what is no TIN, a phone that is none, and the number of a person', async () => {
    expect((await create({ tin: 'a-b' })).json.error.details[0].path).toBe('tin');
    expect((await create({ tin: knownTin(), phone: '12' })).json.error.details[0].path).toBe('phone');
    const nin = 'CM12345678ORGA';
    await clerk.post('/v1/work/citizens', { nin });
    expect(await create({ tin: nin })).toMatchObject({ status: 422, json: { error: { details: [{ path: 'tin' }] } } });
  });

  it('401, 403: nobody, an account, whose key opens no counter, and an auditor', async () => {
    expect((await rail.ask('/v1/organisations', { body: { tin: knownTin() } })).status).toBe(401);
    expect((await create({ tin: knownTin() }, await makeActor(rail))).status).toBe(401);
    expect((await create({ tin: knownTin() }, await makeStaff(rail, 'auditor'))).status).toBe(403);
  });
});

describe('an organisation', () => {
  it('is never asked about at the identity authority, and its TIN is no NIN of a person', async () => {
    const [find, tin] = [vi.spyOn(rail.rail.identity, 'find'), unknownTin()];
    const { data } = await create({ tin, name: 'Growers' });
    expect((await clerk.post('/v1/work/citizens', { nin: tin, full_name: 'Jo Doe' })).data).toMatchObject({
      created: false,
      citizen: { name: data.name, kind: 'organisation', full_name: 'Growers' },
    });
    expect((await clerk.ask(`/v1/citizens/search?nin=${tin}`)).data.source).toBe('local');
    expect((await clerk.post(`/v1/work/citizens/${data.name}:confirm`)).status).toBe(404);
    expect((await clerk.post('/v1/citizens', { nin: tin, full_name: 'Jo Doe' })).status).toBe(422);
    expect(find).not.toHaveBeenCalled();
  });

  it('that was entered by hand becomes verified once the tax authority knows its TIN by the same name', async () => {
    const enter = async () => {
      const [{ name }, tin] = [(await create({ tin: unknownTin(), name: 'Growers' })).data, knownTin()];
      const full = await nameAtAuthority(tin);
      // As if the authority had come to know it since.
      await rail.rows(sql`update citizen set nin = ${tin}, full_name = ${full} where name = ${name}`);
      return { name: name as string, tin };
    };
    const again = await enter();
    expect((await create({ tin: again.tin })).data).toMatchObject({ name: again.name, verified: true });
    const confirmed = await enter();
    expect((await clerk.post(`/v1/work/citizens/${confirmed.name}:confirm`)).data.verified).toBe(true);
    const other = await enter();
    await rail.rows(sql`update citizen set full_name = 'Somebody else' where name = ${other.name}`);
    const differs = await clerk.post(`/v1/work/citizens/${other.name}:confirm`);
    expect(differs.json.error.details[0].code).toBe('identity_mismatch');
    expect((await create({ tin: other.tin })).data).toMatchObject({ name: other.name, verified: false });
  });

  it('pays as people do: its initials are the first letters of its name, and no figure counts it as a person', async () => {
    const { data: organisation } = await create({ tin: unknownTin(), name: 'Pearl Logistics and Sons Ltd' });
    const shift = await openShift(clerk);
    const made = await collectInShift(rail, clerk, shift);
    const owner = sql`select citizen from assessment where name = ${made.assessment}`;
    const payersOf = () => rail.query(`select 1 from oversight.fact_payer where document = '${made.assessment}'`);
    expect(await payersOf()).toHaveLength(1);
    await rail.rows(sql`update assessment set citizen = ${organisation.name} where name = ${made.assessment}`);
    expect(await rail.rows(owner)).toEqual([{ citizen: organisation.name }]);
    expect(await payersOf()).toHaveLength(0);
    const by = () =>
      rail.rows<{ people: number }>(
        sql`select people from oversight.fact_registration where source = 'by_hand' and day = (now() at time zone 'utc')::date`,
      );
    const before = await by();
    await create({ tin: unknownTin(), name: 'Others' });
    expect(await by()).toEqual(before);
    const lines = [
      { service: (await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-TCC'`))[0]!.name },
    ];
    const { data: owed } = await clerk.post('/v1/assessments', {
      citizen: organisation.name,
      lines,
      shift,
      assess: true,
    });
    const { data: intent } = await clerk.post('/v1/payment-intents', {
      assessment: owed.name,
      channel: 'cash',
      initiate: true,
    });
    await clerk.post(`/v1/payment-intents/${intent.name}:confirm`);
    const [receipt] = (await clerk.ask(`/v1/assessments/${owed.name}/receipts`)).data;
    expect(receipt.contents.payer_initials).toBe('PLAS');
  });

  it('is offered with the taxpayer that it is', async () => {
    const tin = knownTin();
    expect((await clerk.ask(`/v1/work/taxpayers?tin=${tin}`)).data.organisation).toBeNull();
    const { data } = await create({ tin });
    expect((await clerk.ask(`/v1/work/taxpayers?tin=${tin}`)).data.organisation).toBe(data.name);
    const query = `{ taxpayer(tin: "${tin}") { organisationId organisation { id kind fullName } } }`;
    expect((await clerk.post('/graphql', { query })).data.taxpayer).toEqual({
      organisationId: data.name,
      organisation: { id: data.name, kind: 'organisation', fullName: data.full_name },
    });
  });

  it('is registered at the counter by a form of its own, and found there', async () => {
    const [shift, tin] = [await openShift(await makeStaff(rail, 'clerk')), knownTin()];
    const path = `/counter/shifts/${shift}/people/organisation`;
    const headers = { accept: 'text/html' };
    const page = await clerk.ask(`/counter/shifts/${shift}/people?q=${tin}`, { headers });
    expect(page.text).toContain(`${path}?tin=${tin}`);
    const sent = await sendForm(rail, path, clerk.cookie, { _page: path, tin, name: '', phone: '' });
    expect(sent.headers.get('location')).toMatch(/\/basket\/CITIZEN-.*done=organisationRegistered/);
    expect((await clerk.ask(`/counter/shifts/${shift}/people?q=${tin}`, { headers })).text).toContain('Organisation ·');
  });
});
