import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { readShippedProfiles } from '../../src/collection/catalogue/loading/profile.ts';
import { type Actor, makeActor, someCitizen } from '../harness/flow.ts';
import { testRail } from '../harness/rail.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';

const rail = testRail();
let admin: StaffActor;
let other: StaffActor;
let actor: Actor;

beforeAll(async () => {
  [admin, other, actor] = [
    await makeStaff(rail, 'admin'),
    await makeStaff(rail, 'system_manager'),
    await makeActor(rail),
  ];
});

let count = 0;
const patch = (path: string, body: object, by = admin) => by.ask(path, { method: 'PATCH', body });
const reasonOf = (answer: { json: { error?: { details?: { code?: string }[] } } }) =>
  answer.json.error?.details?.[0]?.code;
const history = async (path: string) =>
  (await admin.ask(`${path}/history`)).data.map((entry: Record<string, unknown>) => [entry['action'], entry['actor']]);

const addAgency = (more: object = {}) =>
  admin.post('/v1/ops/mdas', {
    code: `T${String(++count).padStart(3, '0')}`,
    mda_name: 'Test Agency',
    interaction_mode: 'A',
    country: 'UG',
    mda_type: 'municipal',
    ...more,
  });

/** An agency that collects. */
async function openAgency(): Promise<string> {
  const { name } = (await addAgency()).data;
  const asked = await admin.post(`/v1/ops/mdas/${name}:change-account`, {
    collection_account: `ACC-${name}`,
    reason: 'New',
  });
  await other.post(`/v1/ops/account-changes/${asked.data.name}:approve`);
  await patch(`/v1/ops/mdas/${name}`, { status: 'Active' });
  return name as string;
}

const addService = (mda: string, more: object = {}) =>
  admin.post('/v1/ops/services', {
    mda,
    code: `${mda}-S${++count}`,
    service_name: 'Licence',
    sector: 'testing',
    family: 'licence',
    fee_amount: 10_000,
    ...more,
  });

const draftOf = async (service: string): Promise<string> =>
  (await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: [{ service }] })).data.name;
const rateOf = (answer: { data: { lines: { rate: number }[] } }) => answer.data.lines[0]!.rate;

describe('agencies', () => {
  it('are added in Sandbox, and collect once two people gave them an account', async () => {
    const added = await addAgency({ region: 'Central' });
    expect(added.data).toMatchObject({
      status: 'Sandbox',
      region: 'Central',
      collection_account_last4: null,
      revision: 1,
    });
    const { name } = added.data;
    const path = `/v1/ops/mdas/${name}`;
    expect(reasonOf(await patch(path, { status: 'Active' }))).toBe('account_missing');
    const ask = (account: string) =>
      admin.post(`${path}:change-account`, { collection_account: account, reason: 'New' });
    const asked = await ask('UG-ACC-123456');
    expect(asked.data).toMatchObject({ status: 'Pending', account_last4: '3456', former_account_last4: null });
    expect(asked.text).not.toContain('123456');
    expect(reasonOf(await ask('UG-ACC-999999'))).toBe('account_change_pending');
    const approve = `/v1/ops/account-changes/${asked.data.name}:approve`;
    const own = await admin.post(approve);
    expect([own.status, reasonOf(own)]).toEqual([403, 'account_change_by_asker']);
    expect((await other.post(approve, { note: 'Seen the letter' })).data).toMatchObject({
      status: 'Approved',
      decided_by: other.email,
    });
    expect((await other.post(approve)).status).toBe(200);
    expect(reasonOf(await other.post(approve.replace(':approve', ':refuse'), { reason: 'x' }))).toBe(
      'account_change_decided',
    );
    expect((await patch(path, { status: 'Active' })).data).toMatchObject({
      status: 'Active',
      collection_account_last4: '3456',
    });
    expect((await rail.ask(`/v1/mdas/${name}`)).data).toMatchObject({ status: 'Active' });
    expect(await history(path)).toEqual([
      ['agency.change', admin.email],
      ['agency.account_approved', other.email],
      ['agency.account_requested', admin.email],
      ['agency.create', admin.email],
    ]);
    const trail = JSON.stringify((await admin.ask(`/v1/ops/audit?subject=${name}`)).json);
    expect(trail).not.toContain('UG-ACC');
  });

  it('keep their account where the change is refused, which whoever asked may do too', async () => {
    const name = await openAgency();
    const asked = await admin.post(`/v1/ops/mdas/${name}:change-account`, { collection_account: 'OTHER', reason: 'x' });
    const refused = await admin.post(`/v1/ops/account-changes/${asked.data.name}:refuse`, { reason: 'A slip' });
    expect(refused.data).toMatchObject({ status: 'Refused', decision_note: 'A slip' });
    const listed = await admin.ask(`/v1/ops/account-changes?mda=${name}`);
    expect(listed.data.map(({ status }: { status: string }) => status)).toEqual(['Refused', 'Approved']);
    expect((await rail.rows(sql`select collection_account as account from mda where name = ${name}`))[0]).toEqual({
      account: `ACC-${name}`,
    });
  });

  it('are changed at the revision that was read, and closed once no shift is Open', async () => {
    const name = await openAgency();
    const path = `/v1/ops/mdas/${name}`;
    const { revision } = (await admin.ask('/v1/ops/mdas?limit=500')).data.find(
      (mda: { name: string }) => mda.name === name,
    );
    expect((await patch(path, { mda_name: 'Renamed', revision })).data).toMatchObject({ revision: revision + 1 });
    expect(reasonOf(await patch(path, { mda_name: 'Again', revision }))).toBe('revision_stale');
    const clerk = await makeStaff(rail, 'clerk');
    const shift = await clerk.post('/v1/counter-shifts', { mda: name, opening_float: 0 });
    expect(reasonOf(await patch(path, { status: 'Inactive' }))).toBe('shifts_open');
    await clerk.post(`/v1/counter-shifts/${shift.data.name}:close`, { cash_counted: 0 });
    expect(reasonOf(await patch(path, { status: 'Inactive' }))).toBeUndefined();
    const { name: service } = (await addService(name)).data;
    const refused = await actor.post('/v1/assessments', { citizen: await someCitizen(rail), lines: [{ service }] });
    expect(refused.status).toBe(422);
  });

  it('refuse: 401, 403, 404, 422', async () => {
    expect((await rail.ask('/v1/ops/mdas')).status).toBe(401);
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.ask('/v1/ops/mdas')).status).toBe(403);
    expect((await patch('/v1/ops/mdas/NOBODY', { mda_name: 'x' })).status).toBe(404);
    expect((await admin.ask('/v1/ops/mdas/NOBODY/history')).status).toBe(404);
    expect((await admin.post('/v1/ops/account-changes/ACCT-2020-000001:approve')).status).toBe(404);
    expect(reasonOf(await addAgency({ code: 'URA' }))).toBe('code_taken');
    for (const body of [{ country: 'ZZ' }, { mda_name: ' ' }, { interaction_mode: 'D' }])
      expect((await addAgency(body)).status).toBe(422);
  });

  it('are for operators of all agencies: 403 to whoever is bound to some', async () => {
    const bound = await makeStaff(rail, 'admin');
    await rail.rows(sql`update staff set agencies = '{URA}' where email = ${bound.email}`);
    expect((await bound.ask('/v1/ops/mdas')).status).toBe(403);
    expect((await patch('/v1/ops/mdas/URA', { mda_name: 'Mine' }, bound)).status).toBe(403);
    expect((await bound.post('/v1/ops/catalogue:load', { profile: {} })).status).toBe(403);
  });
});

describe('services', () => {
  it('are added in the currency of their country, and changed with history', async () => {
    const mda = await openAgency();
    const added = await addService(mda);
    expect(added.data).toMatchObject({
      currency: 'UGX',
      fee_amount: 10_000,
      fee_in_force: true,
      status: 'Active',
      next_fee_amount: null,
      pending_approval: null,
    });
    const { name, code } = added.data;
    const path = `/v1/ops/services/${name}`;
    expect(reasonOf(await addService(mda, { code }))).toBe('code_taken');
    expect((await patch(path, { fee_amount: 12_000, reason: 'Budget' })).data.fee_amount).toBe(12_000);
    const draft = await draftOf(name);
    await patch(path, { fee_amount: 15_000 });
    expect(rateOf(await actor.post(`/v1/assessments/${draft}:assess`))).toBe(15_000);
    expect((await patch(path, { status: 'Inactive', revision: 3 })).data).toMatchObject({
      status: 'Inactive',
      revision: 4,
    });
    expect(reasonOf(await patch(path, { status: 'Active', revision: 3 }))).toBe('revision_stale');
    expect(await history(path)).toHaveLength(4);
    const auditor = await rail.key('oversight.read');
    const fees = await rail.ask(`/v1/oversight/fees?service=${name}`, { key: auditor.plaintext });
    expect(fees.data.map((fee: { fee_amount: number }) => fee.fee_amount)).toEqual([15_000, 12_000, 10_000]);
  });

  it('refuse: 404, 422', async () => {
    const mda = await openAgency();
    expect((await addService('NOBODY')).status).toBe(422);
    for (const body of [{ fee_amount: -1 }, { fee_amount: 0.5 }, { fee_amount: 1e15 }, { sector: ' ' }])
      expect((await addService(mda, body)).status).toBe(422);
    const { name } = (await addService(mda)).data;
    const path = `/v1/ops/services/${name}`;
    expect((await patch('/v1/ops/services/SVC-2020-999999', { sector: 'x' })).status).toBe(404);
    for (const body of [
      { fee_amount: 5, effective_from: '2020-01-01' },
      { effective_from: '2099-01-01' },
      { fee_amount: 5, effective_from: '2099-01-01', withdraw_next_fee: true },
    ])
      expect((await patch(path, body)).status).toBe(422);
  });
});

describe('a fee for a coming day', () => {
  /** The day after tomorrow, in Kampala (UTC+3) as in UTC. */
  const day = () => new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);

  it('holds from the start of the day in the country, with no job: Drafts follow, frozen ones stay, lists change', async () => {
    const { name } = (await addService(await openAgency())).data;
    const path = `/v1/ops/services/${name}`;
    const coming = await patch(path, { fee_amount: 20_000, effective_from: day(), reason: 'Gazette' });
    const from = new Date(Date.parse(`${day()}T00:00:00+03:00`)).toISOString();
    expect(coming.data).toMatchObject({ fee_amount: 10_000, next_fee_amount: 20_000, next_fee_from: from });
    const [first] = (await admin.ask(`${path}/history`)).data;
    expect(first).toMatchObject({
      action: 'service.change',
      actor: admin.email,
      effective_from: day(),
      reason: 'Gazette',
    });
    const [draft, frozen] = [await draftOf(name), await draftOf(name)];
    expect(rateOf(await actor.post(`/v1/assessments/${frozen}:assess`))).toBe(10_000);
    const listed = async () => {
      const { data, headers } = await rail.ask('/v1/services?sector=testing&limit=500');
      const fee = data.find((service: { name: string }) => service.name === name).fee_amount as number;
      return { fee, tag: headers.get('etag') };
    };
    const before = await listed();
    expect(before.fee).toBe(10_000);
    const hours = (Date.parse(from) - Date.now()) / 3_600_000 + 0.01;
    rail.advance(hours);
    try {
      expect(rateOf(await actor.post(`/v1/assessments/${draft}:assess`))).toBe(20_000);
      expect(rateOf(await actor.ask(`/v1/assessments/${frozen}`))).toBe(10_000);
      expect(rateOf(await actor.ask(`/v1/assessments/${await draftOf(name)}`))).toBe(20_000);
      const after = await listed();
      expect(after.fee).toBe(20_000);
      expect(after.tag).not.toBe(before.tag);
      expect((await rail.ask(`/v1/services/${name}`)).data.fee_amount).toBe(20_000);
      // A change made later keeps the fee that holds by then.
      const later = await makeStaff(rail, 'admin');
      expect((await patch(path, { sector: 'testing more' }, later)).data).toMatchObject({
        fee_amount: 20_000,
        next_fee_amount: null,
      });
    } finally {
      rail.advance(-hours);
    }
  });

  it('is replaced by another, and taken back', async () => {
    const { name } = (await addService(await openAgency())).data;
    const path = `/v1/ops/services/${name}`;
    await patch(path, { fee_amount: 20_000, effective_from: day() });
    expect((await patch(path, { fee_amount: 21_000, effective_from: '2099-01-01' })).data.next_fee_amount).toBe(21_000);
    expect((await patch(path, { fee_amount: 11_000 })).data).toMatchObject({
      fee_amount: 11_000,
      next_fee_amount: 21_000,
    });
    expect((await patch(path, { withdraw_next_fee: true })).data).toMatchObject({
      fee_amount: 11_000,
      next_fee_from: null,
    });
    const held = await rail.rows<{ fee: string }>(
      sql`select fee_amount::int::text as fee from oversight.fee where service = ${name} order by position`,
    );
    expect(held.map(({ fee }) => fee)).toEqual(['10000', '11000']);
  });
});

describe('POST /v1/ops/catalogue:load', () => {
  const load = (profile: unknown, more: object = {}, by = admin, headers = {}) =>
    by.post('/v1/ops/catalogue:load', { profile, ...more }, headers);
  const kenya = () => structuredClone(readShippedProfiles().find(({ country }) => country === 'KE')!);

  it('says in a dry run what would change, and changes that', async () => {
    const profile = kenya();
    const [agency] = profile.agencies;
    agency!.name = 'Renamed County';
    agency!.services[0]!.fee += 100;
    agency!.services.push({ ...agency!.services[0]!, code: 'KE-NEW', name: 'New', fee: 50 });
    const would = await load(profile, { dry_run: true });
    expect(would.data).toMatchObject({ country: 'KE', dry_run: true });
    const actions = (answer: typeof would) => answer.data.changes.map(({ action }: { action: string }) => action);
    expect(actions(would)).toEqual(['agency.change', 'service.change', 'service.create']);
    expect(await rail.rows(sql`select 1 from service where code = 'KE-NEW'`)).toEqual([]);
    const headers = { 'Idempotency-Key': 'one-load' };
    const did = await load(profile, {}, admin, headers);
    expect(actions(did)).toEqual(actions(would));
    // PostgreSQL plans for as many as there are now.
    expect(
      await rail.count(
        sql`select from pg_class where oid = 'service'::regclass and reltuples = (select count(*) from service)`,
      ),
    ).toBe(1);
    expect((await load(profile, {}, admin, headers)).data).toEqual(did.data);
    expect(actions(await load(profile))).toEqual([]);
    expect((await rail.ask('/v1/services?code=KE-NEW')).data).toMatchObject([{ fee_amount: 50, currency: 'KES' }]);
  });

  it('asks for accounts instead of setting them, and has a new agency wait for its own', async () => {
    const profile = kenya();
    const [agency] = profile.agencies;
    agency!.name = 'Renamed County';
    const fresh = { ...agency!, code: 'KE-NEW', services: [], collection_account: 'KE-ACC-7777' };
    agency!.collection_account = 'KE-ACC-8888';
    profile.agencies.push(fresh);
    const { data, text } = await load(profile);
    expect(text).not.toContain('KE-ACC-7777');
    expect(data.changes.filter(({ action }: { action: string }) => action === 'agency.account_requested')).toHaveLength(
      2,
    );
    expect((await rail.ask('/v1/mdas/KE-NEW')).data.status).toBe('Sandbox');
    expect((await load(profile)).data.changes).toEqual([]);
    const [asked] = (await other.ask('/v1/ops/account-changes?mda=KE-NEW&status=Pending')).data;
    await other.post(`/v1/ops/account-changes/${asked.name}:approve`);
    await load(profile);
    expect((await rail.ask('/v1/mdas/KE-NEW')).data.status).toBe('Active');
  });

  it('refuses what is no profile, by the place of each mistake; 401, 403', async () => {
    const profile = kenya();
    (profile.agencies[0] as { code: string }).code = 'lower case';
    const refused = await load(profile);
    expect(refused.status).toBe(422);
    expect(refused.json.error.details[0].path).toBe('profile.agencies[0].code');
    expect((await load('nothing')).status).toBe(422);
    expect((await rail.ask('/v1/ops/catalogue:load', { body: { profile } })).status).toBe(401);
    const clerk = await makeStaff(rail, 'clerk');
    expect((await load(profile, {}, clerk)).status).toBe(403);
  });
});
