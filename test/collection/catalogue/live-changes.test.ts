import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyAccountChanges } from '../../../src/collection/catalogue/accounts/apply.ts';
import { type CountryProfile, readShippedProfiles } from '../../../src/collection/catalogue/loading/profile.ts';
import { loadCatalogue } from '../../../src/collection/catalogue/loading/operate.ts';
import { actAsSystem, commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { LIVE } from '../../harness/live.ts';
import { someCitizen } from '../../harness/flow.ts';
import { type StaffActor, enterStaff, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';

const rail = testRail(LIVE);

const applyDue = () => applyAccountChanges(callOf(rail.rail, actAsSystem('job'), 'test'));

async function accountOf(mda: string): Promise<string> {
  const [row] = await rail.rows<{ account: string }>(
    sql`select collection_account as account from mda where name = ${mda}`,
  );
  return row!.account;
}

/** A change of an agency's account that one operator asked for and another approved. */
async function approveChange(mda: string, account: string) {
  const [asker, approver] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'system_manager')];
  const body = { collection_account: account, reason: 'Moved to another bank' };
  const asked = await asker.post(`/v1/ops/mdas/${mda}:change-account`, body);
  const path = `/v1/ops/account-changes/${asked.data.name}`;
  return { asker, approver, path, approved: await approver.post(`${path}:approve`) };
}

describe('the account of an agency on a live rail', () => {
  it('takes effect a day after approval, and not before', async () => {
    const before = await accountOf('URA');
    const { approved, path, approver, asker } = await approveChange('URA', 'NEW-ACCOUNT-0001');
    const at = new Date(approved.data.decided_at).getTime();
    expect(approved.data).toMatchObject({ status: 'Approved', applied_at: null });
    expect(new Date(approved.data.effective_at).getTime() - at).toBe(24 * 3_600_000);
    expect(await applyDue()).toBe(0);
    expect(await accountOf('URA')).toBe(before);
    // Nobody asks for another one meanwhile.
    const again = await asker.post('/v1/ops/mdas/URA:change-account', { collection_account: 'OTHER', reason: 'x' });
    expect(again.json.error.details[0].code).toBe('account_change_pending');
    rail.advance(24);
    expect(await applyDue()).toBe(1);
    expect(await applyDue()).toBe(0);
    expect(await accountOf('URA')).toBe('NEW-ACCOUNT-0001');
    rail.advance(-24);
    const late = await approver.post(`${path}:refuse`, { reason: 'Too late' });
    expect(late.json.error.details[0].code).toBe('account_change_decided');
  });

  it('can be stopped within that day', async () => {
    const before = await accountOf('KCCA');
    const { path, asker } = await approveChange('KCCA', 'NEW-ACCOUNT-0002');
    const other = await makeStaff(rail, 'admin');
    const refused = await other.post(`${path}:refuse`, { reason: 'The agency knows nothing of it' });
    expect(refused.data).toMatchObject({ status: 'Refused', effective_at: null, decided_by: other.email });
    rail.advance(25);
    expect(await applyDue()).toBe(0);
    rail.advance(-25);
    expect(await accountOf('KCCA')).toBe(before);
    const next = await asker.post('/v1/ops/mdas/KCCA:change-account', { collection_account: 'OTHER', reason: 'x' });
    expect(next.status).toBe(200);
  });

  it('raises an anomaly that neither who approved it, nor somebody whom they made, resolves or snoozes', async () => {
    const { approver } = await approveChange('NIRA', 'NEW-ACCOUNT-0004');
    const [found] = (await approver.ask('/v1/ops/anomalies?kind=account_changed')).data;
    const email = `${randomUUID()}@agency.example`;
    await approver.post('/v1/ops/staff', { email, name: 'Invited', roles: ['clerk'] });
    const made = await enterStaff(rail, email, ['admin']);
    const day = new Date(rail.rail.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    for (const by of [approver, made]) {
      const bodies = { resolve: { note: 'Fine' }, snooze: { until: day, reason: 'Later' } };
      for (const [verb, body] of Object.entries(bodies)) {
        const answer = await by.post(`/v1/ops/anomalies/${found.name}:${verb}`, body);
        expect([answer.status, answer.json.error?.details?.[0].code], answer.text).toEqual([403, 'not_independent']);
      }
    }
    const { data } = await (
      await makeStaff(rail, 'admin')
    ).post(`/v1/ops/anomalies/${found.name}:resolve`, {
      note: 'Confirmed by the agency',
    });
    expect(data).toMatchObject({ status: 'Resolved', evidence: { raised_by: approver.email } });
  });

  it('is announced to all admins and to the finance officers of the agency, and flagged', async () => {
    const officer = await makeStaffOf(rail, ['URSB'], 'finance_officer');
    const elsewhere = await makeStaffOf(rail, ['KCCA'], 'finance_officer');
    const { asker, approver, approved } = await approveChange('URSB', 'NEW-ACCOUNT-0003');
    const letters = await rail.rows<{ id: string; staff: string; sealed: Buffer }>(
      sql`select id, staff, sealed from mail where kind = 'staff/account_changed' and created_at >= ${new Date(approved.data.decided_at)}`,
    );
    const texts = new Map(letters.map(({ id, staff, sealed }) => [staff, rail.rail.vault.open('mail', id, sealed)]));
    expect([...texts.keys()]).toEqual(expect.arrayContaining([asker.email, officer.email]));
    expect([...texts.keys()]).not.toContain(elsewhere.email);
    expect(texts.get(officer.email)).toContain(`${approver.email} approved the collection account of URSB`);
    expect(texts.get(officer.email)).toContain('ending in 0003');
    expect([...texts.values()].join()).not.toContain('NEW-ACCOUNT');
    const [found] = (await asker.ask('/v1/ops/anomalies?kind=account_changed')).data;
    expect(found).toMatchObject({ severity: 'high', mda: 'URSB', evidence: { to_last4: '0003' } });
  });
});

describe('the fee of a service on a live rail', () => {
  const serviceOf = async (code: string) => {
    const [service] = (await (await makeStaff(rail, 'admin')).ask(`/v1/services?code=${code}`)).data;
    return {
      path: `/v1/ops/services/${service.name}`,
      fee: service.fee_amount as number,
      name: service.name as string,
    };
  };
  const feeNow = async (code: string) => (await serviceOf(code)).fee;
  const soon = (days: number) => new Date(rail.rail.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

  it('is set by one operator where it differs by a tenth at most, from a coming day, of which other admins are told', async () => {
    const [admin, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const { path, fee } = await serviceOf('URA-MVTRANSFER');
    const body = { fee_amount: Math.round(fee * 1.1), effective_from: soon(3) };
    const { data } = await admin.ask(path, { method: 'PATCH', body });
    expect(data).toMatchObject({ next_fee_amount: Math.round(fee * 1.1), pending_approval: null });
    await admin.ask(path, { method: 'PATCH', body: { withdraw_next_fee: true, reason: 'A slip' } });
    const found = await rail.rows<{ evidence: object }>(
      sql`select evidence from anomaly where kind = 'operated_alone' and mda = 'URA' order by name`,
    );
    expect(found).toMatchObject([
      { evidence: { operated_by: admin.email, after: { next_fee_amount: expect.anything() } } },
      { evidence: { operated_by: admin.email, after: { next_fee_amount: null }, reason: 'A slip' } },
    ]);
    const mails = await rail.rows<{ staff: string }>(sql`select staff from mail where kind = 'staff/alone'`);
    expect(mails.filter(({ staff }) => staff === other.email)).toHaveLength(2);
    expect(mails.map(({ staff }) => staff)).not.toContain(admin.email);
  });

  it.each([
    ['at once', (fee: number) => ({ fee_amount: fee + 1 })],
    ['by more than a tenth', (fee: number) => ({ fee_amount: Math.round(fee * 1.2), effective_from: soon(3) })],
    ['to nothing', () => ({ fee_amount: 0, effective_from: soon(3) })],
  ])('takes another, independent operator %s', async (_how, change) => {
    const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
    const { path, fee, name } = await serviceOf('URSB-NAMERES');
    const body = { ...change(fee), reason: 'The budget' };
    const asked = await asker.ask(path, { method: 'PATCH', body });
    expect(asked.data).toMatchObject({ fee_amount: fee, next_fee_amount: null });
    const { name: approval } = asked.data.pending_approval;
    expect(asked.data.pending_approval.proposal).toMatchObject({ fee_amount: String(body.fee_amount) });
    expect((await asker.post(`/v1/ops/approvals/${approval}:approve`)).status).toBe(403);
    const again = await other.ask(path, { method: 'PATCH', body: { fee_amount: fee + 5 } });
    expect(again.json.error.details[0].code).toBe('approval_pending');
    expect((await other.post(`/v1/ops/approvals/${approval}:approve`)).data).toMatchObject({ status: 'Approved' });
    const after = (await other.ask(`/v1/services/${name}`)).data.fee_amount;
    const atOnce = !('effective_from' in body);
    expect(after).toBe(atOnce ? body.fee_amount : fee);
    const trail = (await other.ask(`/v1/ops/audit?subject=${name}&limit=1`)).data;
    expect(trail[0]).toMatchObject({ action: 'service.change', actor: other.email, before: { asked_by: asker.email } });
    if (!atOnce) await other.ask(path, { method: 'PATCH', body: { withdraw_next_fee: true } });
  });

  it('is asked for alone, and answered alike when the request is repeated', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { path, fee } = await serviceOf('MOWT-PSV');
    const mixed = await admin.ask(path, { method: 'PATCH', body: { fee_amount: fee + 1, sector: 'roads' } });
    expect([mixed.status, mixed.json.error.details[0].code]).toEqual([422, 'fee_alone']);
    expect(await feeNow('MOWT-PSV')).toBe(fee);
  });

  it('is a tariff after two people alone, however small its change', async () => {
    const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
    const { path, fee, name } = await serviceOf('URSB-COMPANY');
    const tariff = { law: 'Companies Act', categories: { standard: { kind: 'fixed', amount: fee } } };
    const asked = await asker.ask(path, { method: 'PATCH', body: { tariff, effective_from: soon(3), reason: 'x' } });
    expect(asked.data).not.toHaveProperty('tariff');
    const { name: approval, proposal } = asked.data.pending_approval;
    expect(proposal).toMatchObject({ fee_amount: String(fee), tariff, effective_from: soon(3) });
    expect((await asker.post(`/v1/ops/approvals/${approval}:approve`)).status).toBe(403);
    expect((await other.post(`/v1/ops/approvals/${approval}:approve`)).data).toMatchObject({ status: 'Approved' });
    expect((await other.ask(`/v1/services/${name}/tariff?on=${soon(3)}`)).data.tariff).toEqual(tariff);
    await other.ask(path, { method: 'PATCH', body: { withdraw_next_fee: true } });
    const free = { law: 'Companies Act', categories: { standard: { kind: 'fixed', amount: 0 } } };
    const body = { code: 'T-FREE', service_name: 'Free', sector: 'x', family: 'x', mda: 'URA', tariff: free };
    const created = (await asker.post('/v1/ops/services', body)).data;
    expect(created).toMatchObject({ fee_in_force: false, pending_approval: { proposal: { tariff: free } } });
    expect(await other.post(`/v1/ops/approvals/${created.pending_approval.name}:approve`)).toMatchObject({
      status: 200,
    });
    const now = (await other.ask(`/v1/services/${created.name}/tariff`)).data;
    expect(now).toMatchObject({ tariff: free, history: [{ tariff: free }] });
  });

  it('comes with no catalogue file from the console', async () => {
    const admin = await makeStaff(rail, 'admin');
    const [profile] = readShippedProfiles();
    const query = 'mutation ($profile: JSON!) { loadCatalogue(profile: $profile, dryRun: false) { country } }';
    const services = profile!.agencies[0]!.services;
    const raised = { ...services[0]!, fee: services[0]!.fee + 1 };
    const added = { ...services[0]!, code: 'URA-ADDED' };
    const [agency] = profile!.agencies;
    const load = async (offered: readonly object[]) => {
      const changed = { ...profile, agencies: [{ ...agency, services: offered }] };
      return (await admin.ask('/graphql', { body: { query, variables: { profile: changed } } })).json;
    };
    for (const offered of [
      [raised, ...services.slice(1)],
      [...services, added],
    ])
      expect((await load(offered)).errors[0].extensions.details[0].code).toBe('fee_takes_two');
    const tariff = { law: 'Law', categories: { standard: { kind: 'fixed', amount: 0 } } };
    const charged = await load([...services, { ...added, fee: 0, tariff }]);
    expect(charged.errors[0].extensions.details[0].code).toBe('fee_takes_two');
    expect((await load([...services, { ...added, fee: 0 }])).data.loadCatalogue).toEqual({ country: profile!.country });
  });
});

describe('a catalogue file on a live rail', () => {
  const byConsole = async (profile: CountryProfile) => {
    const answer = await (await makeStaff(rail, 'admin')).post('/v1/ops/catalogue:load', { profile });
    return answer.status === 200 ? answer.data : Promise.reject(new Error(answer.text));
  };
  const byMachine = (profile: CountryProfile, alone?: string) =>
    loadCatalogue(callOf(rail.rail, actAsSystem('command line (Grace)'), randomUUID()), {
      profile,
      dryRun: false,
      alone,
    });
  const kenya = () => structuredClone(readShippedProfiles().find(({ country }) => country === 'KE')!);
  /** The settings that decide where money goes, how much of it, and how much cash is accepted. */
  const terms = () =>
    rail.rows(sql`
      select s.code, s.mda, s.currency as "serviceCurrency", s.fee_amount::text as fee, m.country, m.collection_account,
        c.currency, c.cash_limit::text, c.shift_cash_limit::text
      from service s join mda m on m.name = s.mda join country c on c.code = m.country order by s.code`);
  it('sets the currency of a country whose profile is loaded for the first time', async () => {
    const before = await terms();
    await rail.rows(sql`update country set currency = null where code = 'KE'`);
    expect(await byMachine(kenya())).toMatchObject({ country: 'KE', changes: [{ action: 'country.change' }] });
    expect(await terms()).toEqual(before);
  });

  const moves: readonly [string, (profile: CountryProfile) => object][] = [
    [
      'a service to another agency',
      ({ agencies: [one, other, ...rest] }) => {
        const [moved, ...services] = one!.services;
        return { agencies: [{ ...one, services }, { ...other, services: [...other!.services, moved] }, ...rest] };
      },
    ],
    ['fees to another currency', () => ({ currency: 'USD' })],
    ['agencies to another country', () => ({ country: 'BI' })],
    ['the most cash of a payment', () => ({ cash_limit: 9e12 })],
    ['the most cash of a shift', () => ({ shift_cash_limit: null })],
    [
      'a fee',
      ({ agencies: [one, ...rest] }) => {
        const [raised, ...services] = one!.services;
        return { agencies: [{ ...one, services: [{ ...raised, fee: raised!.fee + 1 }, ...services] }, ...rest] };
      },
    ],
  ];

  it.each(moves)('changes nothing of what exists that takes two people: %s', async (_what, change) => {
    const profile = { ...kenya(), ...change(kenya()) };
    const held = await terms();
    await expect(byConsole(profile)).rejects.toThrow(/takes two/);
    await expect(byMachine(profile)).rejects.toThrow(/takes two/);
    expect(await terms()).toEqual(held);
  });

  it('asks for the account of an agency that exists, also from the command line', async () => {
    const profile = kenya();
    const [agency] = profile.agencies;
    agency!.collection_account = 'KE-ACC-4444';
    const held = await terms();
    await byMachine(profile);
    expect(await terms()).toEqual(held);
    const asked = sql`select requested_by as by, status from account_change where mda = ${agency!.code}`;
    expect(await rail.rows(asked)).toEqual([{ by: 'command line (Grace)', status: 'Pending' }]);
  });

  it('may be loaded by one person at the machine, for a reason: an anomaly is raised, and all admins get mail', async () => {
    const { email } = await makeStaff(rail, 'admin');
    const profile = { ...kenya(), cash_limit: 123 };
    await byMachine(profile, 'The gazette of today');
    const [found] = await rail.rows<{ evidence: object; subject: string }>(
      sql`select evidence, subject from anomaly where kind = 'operated_alone' and subject like 'KE:%'
        order by raised_at desc limit 1`,
    );
    expect(found).toMatchObject({
      evidence: {
        action: 'catalogue.load',
        about: 'KE',
        operated_by: 'command line (Grace)',
        reason: 'The gazette of today',
        after: { changes: ['country.change KE'] },
      },
    });
    const letters = await rail.rows<{ id: string; sealed: Buffer }>(
      sql`select id, sealed from mail where kind = 'staff/alone' and staff = ${email}`,
    );
    const texts = letters.map(({ id, sealed }) => rail.rail.vault.open('mail', id, sealed));
    expect(texts.length).toBe(1);
    expect(texts[0]).toContain('command line (Grace)');
    expect(texts[0]).toContain('The gazette of today');
  });
});

describe('a new service on a live rail', () => {
  let count = 0;
  const create = (by: StaffActor, fee: number, more: object = {}) =>
    by.post('/v1/ops/services', {
      mda: 'URA',
      code: `URA-NEW-${++count}`,
      service_name: 'Night permit',
      sector: 'transport',
      family: 'licence',
      fee_amount: fee,
      ...more,
    });
  const draft = async (service: string) => {
    const { plaintext: key } = await rail.key('assessments.write');
    const body = { citizen: await someCitizen(rail), lines: [{ service }] };
    return rail.ask('/v1/assessments', { key, body });
  };
  const isRefused = ({ status, code, json }: Answer) =>
    expect([status, code, json.error.details]).toEqual([
      422,
      'validation_failed',
      [{ path: 'lines[0].service', message: expect.any(String), code: 'fee_not_approved' }],
    ]);
  const decide = (by: StaffActor, approval: string, how: 'approve' | 'refuse') =>
    by.post(`/v1/ops/approvals/${approval}:${how}`, how === 'refuse' ? { reason: 'Not in the gazette' } : undefined);
  const feesOf = (service: string) =>
    rail.rows(sql`select fee_amount::int as fee, set_by as "setBy" from service_fee where service = ${service}`);

  it('with a fee is assessed once another, independent operator has approved the fee', async () => {
    const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
    const created = await create(asker, 50_000, { reason: 'The budget' });
    const { name: service, pending_approval: approval } = created.data;
    expect(created.data).toMatchObject({ status: 'Active', fee_amount: 50_000, fee_in_force: false, revision: 1 });
    expect(approval).toMatchObject({
      asked_by: asker.email,
      proposal: { former_fee_amount: '0', fee_amount: '50000', effective_from: null },
    });
    isRefused(await draft(service));
    expect(await feesOf(service)).toEqual([]);
    const own = await decide(asker, approval.name, 'approve');
    expect([own.status, own.json.error.details[0].code]).toEqual([403, 'approval_by_asker']);
    isRefused(await draft(service));

    expect((await decide(other, approval.name, 'approve')).data).toMatchObject({ status: 'Approved' });
    const assessed = await draft(service);
    expect([assessed.status, assessed.data?.total_amount]).toEqual([200, 50_000]);
    expect(await feesOf(service)).toEqual([{ fee: 50_000, setBy: other.email }]);
    const { data: after } = await other.ask(`/v1/ops/services/${service}`, { method: 'PATCH', body: {} });
    expect(after).toMatchObject({ fee_amount: 50_000, fee_in_force: true, pending_approval: null });
    const [entry] = (await other.ask(`/v1/ops/audit?subject=${service}&limit=1`)).data;
    expect(entry).toMatchObject({
      action: 'service.change',
      actor: other.email,
      before: { fee_in_force: false, asked_by: asker.email },
      after: { fee_in_force: true },
      reason: 'The budget',
    });
  });

  it('is not assessed once its fee was refused, whatever one operator changes of it', async () => {
    const [asker, other] = [await makeStaff(rail, 'system_manager'), await makeStaff(rail, 'admin')];
    const { name: service, pending_approval: first } = (await create(asker, 50_000, { status: 'Inactive' })).data;
    await decide(other, first.name, 'refuse');
    const path = `/v1/ops/services/${service}`;
    const amend = async (body: object) => (await asker.ask(path, { method: 'PATCH', body })).data;
    expect(await amend({ status: 'Active', service_name: 'Day permit' })).toMatchObject({ pending_approval: null });
    isRefused(await draft(service));

    // The same fee, one that hardly differs, and one for a coming day are asked for likewise.
    const day = new Date(rail.rail.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10);
    for (const body of [
      { fee_amount: 50_000 },
      { fee_amount: 50_001, effective_from: day },
      { fee_amount: 50_000, effective_from: day },
    ]) {
      const { pending_approval: approval, next_fee_amount: next } = await amend(body);
      expect([approval.proposal.fee_amount, next]).toEqual([String(body.fee_amount), null]);
      await decide(asker, approval.name, 'refuse');
      isRefused(await draft(service));
    }
    const { pending_approval: last } = await amend({ fee_amount: 60_000, effective_from: day });
    await decide(other, last.name, 'approve');
    isRefused(await draft(service));
    rail.advance(72);
    expect((await draft(service)).data.total_amount).toBe(60_000);
    rail.advance(-72);
    isRefused(await draft(service));
  });

  it('without a fee takes one operator, and a fee of it two', async () => {
    const asker = await makeStaff(rail, 'admin');
    const { data } = await create(asker, 0);
    expect(data).toMatchObject({ fee_in_force: true, pending_approval: null });
    expect((await draft(data.name)).status).toBe(200);
    const fee = { method: 'PATCH', body: { fee_amount: 1 } };
    const asked = await asker.ask(`/v1/ops/services/${data.name}`, fee);
    expect(asked.data).toMatchObject({
      fee_amount: 0,
      fee_in_force: true,
      pending_approval: { asked_by: asker.email },
    });
  });

  it('has its fee in force once an operator loads it alone at the machine, and not by another catalogue file', async () => {
    const asker = await makeStaff(rail, 'admin');
    const profile = readShippedProfiles().find(({ country }) => country === 'UG')!;
    const agency = profile.agencies.find(({ code }) => code === 'URA')!;
    const { name: service, code } = (await create(asker, 50_000)).data;
    const services = [{ ...agency.services[0]!, code, name: 'Night permit', fee: 50_000 }];
    const changed = { ...profile, agencies: [{ ...agency, services }] };
    const query = 'mutation ($profile: JSON!) { loadCatalogue(profile: $profile, dryRun: false) { country } }';
    const console = await asker.ask('/graphql', { body: { query, variables: { profile: changed } } });
    expect(console.json.errors).toBeUndefined();
    isRefused(await draft(service));
    const load = (alone?: string) =>
      loadCatalogue(callOf(rail.rail, commandLine, 'test'), { profile: changed, dryRun: false, alone });
    await load();
    isRefused(await draft(service));
    await load('The budget');
    expect((await draft(service)).data.total_amount).toBe(50_000);
    expect(await feesOf(service)).toMatchObject([{ fee: 50_000 }]);
  });
});
