import { beforeAll, describe, expect, it } from 'vitest';
import { loadProfile } from '../../../src/collection/catalogue/loading/load.ts';
import {
  type CountryProfile,
  readProfile,
  readShippedProfiles,
} from '../../../src/collection/catalogue/loading/profile.ts';
import { commandLine } from '../../../src/platform/access/viewer.ts';
import { callOf } from '../../../src/platform/call/call.ts';
import { raw, sql } from '../../../src/platform/database/sql.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();
const shipped = readShippedProfiles().find(({ country }) => country === 'UG')!;
const ACCOUNT = 'UG-COLLECTION-770011223344';

let admin: StaffActor;
let service: string;
let loaded: number;

/** The shipped profile with another fee, an agency whose money goes elsewhere, and a service more. */
function changed(): CountryProfile {
  const profile = structuredClone(shipped);
  const ura = profile.agencies.find(({ code }) => code === 'URA')!;
  ura.collection_account = ACCOUNT;
  ura.services.find(({ code }) => code === 'URA-PAYE')!.fee = 480_000;
  ura.services.find(({ code }) => code === 'URA-TCC')!.status = 'Inactive';
  ura.services.push({
    code: 'URA-NEW',
    name: 'New levy',
    names: {},
    sector: 'tax',
    family: 'tax',
    fee: 1_500,
    tariff: null,
    status: 'Active',
  });
  return profile;
}

const load = (profile: CountryProfile) =>
  rail.rail.transaction((db) => loadProfile({ ...callOf(rail.rail, commandLine, 'load'), db }, profile));
const audited = async (query: string) => (await admin.ask(`/v1/ops/audit?${query}`)).data;
const audits = () => rail.count(sql`select 1 from operator_audit`);
const fees = async (query: string) => {
  const { plaintext: key } = await rail.key('oversight.read');
  return (await rail.ask(`/v1/oversight/fees?${query}`, { key })).data;
};

beforeAll(async () => {
  const [row] = await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-PAYE'`);
  service = row!.name;
  rail.advance(1);
  admin = await makeStaff(rail, 'admin');
  const before = await audits();
  await load(changed());
  loaded = (await audits()) - before;
});

describe('a catalogue that is loaded', () => {
  it('is planned for at once', async () => {
    const [counted] = await rail.rows<{ planned: number; services: number }>(
      sql`select reltuples::int as planned, (select count(*)::int from service) as services from pg_class where relname = 'service'`,
    );
    expect(counted!.planned).toBe(counted!.services);
  });

  it('is changed by nobody else meanwhile: a fee that is approved then is not undone', async () => {
    const [profile] = readShippedProfiles();
    const write = (table: string) =>
      rail.rail.transaction((db) => db.rows(sql`lock table ${raw(table)} in row exclusive mode nowait`));
    await rail.rail
      .transaction(async (db) => {
        await loadProfile({ ...callOf(rail.rail, commandLine, 'load'), db }, profile!);
        for (const table of ['mda', 'service', 'country'])
          await expect(write(table)).rejects.toThrow(/could not obtain lock/);
        throw new Error('taken back');
      })
      .catch((error: Error) => expect(error.message).toBe('taken back'));
  });

  it('leaves each change in the audit of operators, with what was before; where nothing changes, nothing', async () => {
    const by = { actor: 'command line', request_id: 'load' };
    expect(await audited(`subject=${service}&action=service.change`)).toMatchObject([
      { ...by, before: { fee_amount: 450_000 }, after: { fee_amount: 480_000 } },
    ]);
    const [closed] = await rail.rows<{ name: string }>(sql`select name from service where code = 'URA-TCC'`);
    expect(await audited(`subject=${closed!.name}&action=service.change`)).toMatchObject([
      { ...by, before: { status: 'Active' }, after: { status: 'Inactive' } },
    ]);
    const [created] = await audited('action=service.create&actor=command%20line');
    expect(created).toMatchObject({ ...by, before: null, after: { code: 'URA-NEW', fee_amount: 1_500, mda: 'URA' } });
    expect(await audited('action=catalogue.load&actor=command%20line')).toMatchObject([
      { ...by, subject: 'UG', after: { changes: 4 } },
    ]);
    expect(loaded).toBe(5);
    const before = await audits();
    await load(changed());
    expect(await audits()).toBe(before);
  });

  it('shows of where money goes the last four characters alone', async () => {
    const [agency] = await audited('subject=URA&action=agency.change');
    expect(agency).toMatchObject({ after: { collection_account_last4: '3344' } });
    expect(Object.keys(agency.before)).toEqual(['collection_account_last4']);
    expect(await rail.count(sql`select 1 from operator_audit a where a::text like ${`%${ACCOUNT}%`}`)).toBe(0);
  });

  it('keeps which fee held from when to when, for oversight without who set it', async () => {
    const [now, before] = await fees(`service=${service}`);
    expect([now, before]).toMatchObject([
      { service, code: 'URA-PAYE', mda: 'URA', fee_amount: 480_000, currency: 'UGX', to: null },
      { service, fee_amount: 450_000, to: now.from },
    ]);
    expect(Object.keys(now)).toEqual([
      'name',
      'service',
      'code',
      'service_name',
      'mda',
      'fee_amount',
      'currency',
      'from',
      'to',
    ]);
    // In plain SQL: a fee holds until the next one of its service.
    const expected = await rail.rows<{ service: string; amount: number; since: Date; until: Date | null }>(sql`
      select f.service, f.fee_amount::float8 as amount, f.since,
        (select min(n.since) from service_fee n where n.service = f.service and n.id > f.id) as until
      from service_fee f join service s on s.name = f.service where s.mda = 'URA' order by f.id desc`);
    const answered = (await fees('mda=URA&limit=200')).map(
      ({ service: of, fee_amount: amount, from, to }: Record<string, string>) => ({
        service: of,
        amount,
        since: new Date(from!),
        until: to === null ? null : new Date(to!),
      }),
    );
    expect(answered).toEqual(expected);
    expect(await fees('mda=UNBS&limit=1')).toMatchObject([{ mda: 'UNBS' }]);
    // The fee that holds is the one of the catalogue.
    expect(
      await rail.count(sql`
        select 1 from service s left join oversight.fee f on f.service = s.name and f.held_to is null
        where (f.fee_amount, f.currency) is distinct from (s.fee_amount, s.currency)`),
    ).toBe(0);
  });

  it('has a history of fees that nobody rewrites', async () => {
    for (const statement of [
      sql`update service_fee set fee_amount = 1`,
      sql`delete from service_fee`,
      sql`truncate service_fee`,
    ])
      await expect(rail.rows(statement)).rejects.toThrow(/append-only/);
    expect(await rail.rows(sql`select distinct set_by from service_fee order by 1`)).toEqual([
      { set_by: 'command line' },
      { set_by: 'sandbox' },
    ]);
  });
});

describe('names in other languages', () => {
  const plain = () => {
    const profile = changed();
    const ura = profile.agencies.find(({ code }) => code === 'URA')!;
    return { profile, ura, paye: ura.services.find(({ code }) => code === 'URA-PAYE')! };
  };
  const named = async (language: string) => {
    const query = `query ($id: ID!) {
      service(id: $id) { serviceName(language: ${language}) agency { name(language: ${language}) } }
      catalogueTerms { kind code name(language: ${language}) }
      found: services(q: "impôt d’essai") { nodes { code } }
    }`;
    const { json } = await rail.ask('/graphql', { body: { query, variables: { id: service } } });
    return json.data;
  };

  it('are answered for those who ask for them, found, and leave their change in the audit', async () => {
    const { profile, ura, paye } = plain();
    const before = paye.names;
    paye.names = { fr: 'Impôt d’essai' };
    ura.names = { sw: 'Mamlaka ya Majaribio' };
    profile.families = [{ name: 'contribution', names: { lg: 'empooza' } }];
    await load(profile);
    const [french, swahili, ganda] = [await named('fr'), await named('sw'), await named('lg')];
    expect(french).toMatchObject({
      service: { serviceName: 'Impôt d’essai', agency: { name: 'Uganda Revenue Authority' } },
      found: { nodes: [{ code: 'URA-PAYE' }] },
    });
    expect(swahili.service).toEqual({
      serviceName: 'Pay As You Earn return payment',
      agency: { name: 'Mamlaka ya Majaribio' },
    });
    expect(ganda.catalogueTerms).toContainEqual({ kind: 'family', code: 'contribution', name: 'empooza' });
    expect((await rail.ask('/v1/services?code=URA-PAYE')).data[0].service_name).toBe('Pay As You Earn return payment');
    const latest = async (subject: string, action: string) =>
      (await audited(`subject=${subject}&action=${action}`)).at(0);
    expect(await latest(service, 'service.change')).toMatchObject({
      before: { names: before },
      after: { names: paye.names },
    });
    expect(await latest('URA', 'agency.change')).toMatchObject({ after: { names: ura.names } });
    expect(await latest('UG', 'country.change')).toMatchObject({
      after: { families: { contribution: { lg: 'empooza' } } },
    });
    const count = await audits();
    await load(profile);
    expect(await audits()).toBe(count);
  });

  it('are removed with the name that they translate', async () => {
    const { profile, paye } = plain();
    await load(profile);
    const renamed = await admin.ask(`/v1/ops/services/${service}`, {
      method: 'PATCH',
      body: { service_name: 'Tax on salaries' },
    });
    expect(renamed.status).toBe(200);
    expect((await named('fr')).service.serviceName).toBe('Tax on salaries');
    const [change] = await audited(`subject=${service}&action=service.change`);
    expect(change).toMatchObject({ before: { names: paye.names }, after: { names: {} } });
    await load(profile);
    expect((await named('fr')).service.serviceName).toBe(paye.names.fr);
  });

  it.each([
    ['a language that the rail does not speak', { agencies: [{ names: { de: 'Amt' } }] }, 'agencies'],
    ['a blank name', { sectors: [{ name: 'tax', names: { fr: '' } }] }, 'sectors'],
    ['a family twice', { families: ['tax', 'tax'].map((name) => ({ name, names: {} })) }, 'families'],
  ])('are refused with %s', async (_what, wrong, path) => {
    const { agencies, ...rest } = structuredClone(shipped);
    const changes = 'agencies' in wrong ? { agencies: [{ ...agencies[0]!, ...wrong.agencies[0] }] } : wrong;
    const before = await audits();
    const answer = await admin.post('/v1/ops/catalogue:load', { profile: { ...rest, agencies, ...changes } });
    expect(answer.status).toBe(422);
    expect(answer.json.error.details[0].path).toMatch(new RegExp(`^profile\\.${path}`));
    expect(await audits()).toBe(before);
  });
});

describe('a country profile', () => {
  it('says what the days and years of its figures go by, and where its agencies are', async () => {
    const { json } = await rail.ask('/graphql', { body: { query: '{ agency(id: "MUKMC") { region district } }' } });
    expect(json.data.agency).toEqual({ region: 'Central', district: 'Mukono' });
    const shown = (code: string) =>
      rail.rows(sql`select time_zone, fiscal_year_month as month from oversight.country where code = ${code}`);
    expect(await shown('UG')).toEqual([{ time_zone: 'Africa/Kampala', month: 7 }]);
    const plain = { country: 'RW', name: 'Rwanda', currency: 'RWF', agencies: [] };
    await load(readProfile(JSON.stringify(plain)));
    expect(await shown('RW')).toEqual([{ time_zone: 'UTC', month: 1 }]);
    await load(readProfile(JSON.stringify({ ...plain, time_zone: 'Africa/Kigali', fiscal_year_month: 7 })));
    expect(await shown('RW')).toEqual([{ time_zone: 'Africa/Kigali', month: 7 }]);
    expect(await audited('subject=RW&action=country.change')).toMatchObject([
      { before: { time_zone: 'UTC', fiscal_year_month: 1 }, after: { time_zone: 'Africa/Kigali' } },
    ]);
    for (const wrong of [{ time_zone: 'Kampala' }, { time_zone: '+03:00' }, { fiscal_year_month: 13 }])
      expect(() => readProfile(JSON.stringify({ ...plain, ...wrong })), JSON.stringify(wrong)).toThrow();
  });
});

describe('the help of a profile', () => {
  it('is refused where nobody can call', () => {
    const help = { ...shipped.help, phone: 'ask us' };
    expect(() => readProfile(JSON.stringify({ ...shipped, help }))).toThrow('is no number to call');
  });

  it('is kept, and its change is in the operators’ audit', async () => {
    await load({ ...changed(), help: { ...shipped.help!, phone: '0800 111 222' } });
    const [audit] = await audited('subject=UG&action=country.change');
    expect(audit.before.help.phone).toBe(shipped.help!.phone);
    expect(audit.after.help.phone).toBe('0800 111 222');
  });
});

describe('the holidays of a profile', () => {
  it('are those of its country, in the language that is asked for', async () => {
    const day = { day: '2026-11-30', name: 'A day of mourning', names: { sw: 'Siku ya maombolezo' } };
    await load({ ...changed(), holidays: [...shipped.holidays, day] });
    const query = '{ holidays { country day name(language: sw) } }';
    const { data } = await rail.ask('/graphql', { body: { query } });
    const { holidays } = data as { holidays: { country: string }[] };
    expect(holidays.filter(({ country }) => country === 'UG').at(-1)).toEqual({
      country: 'UG',
      day: day.day,
      name: day.names.sw,
    });
    expect(holidays).toContainEqual({ country: 'UG', day: '10-09', name: 'Siku ya Uhuru' });
    const [audit] = await audited('subject=UG&action=country.change');
    expect(audit.after.holidays).toContainEqual(day);
  });

  it.each(['2026-02-30', '02-29', '13-01', '1 May'])('are days, and %s is none', (day) => {
    expect(() => readProfile(JSON.stringify({ ...shipped, holidays: [{ day, name: 'None' }] }))).toThrow('is no day');
  });
});
