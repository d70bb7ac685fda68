import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../src/site/languages/changes.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { serviceNamed } from '../../harness/flow.ts';
import { makePair } from '../../harness/people/agency.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { sendForm } from '../forms/sending.ts';

const rail = testRail();

const feeOf = async (service: string) => {
  const [row] = await rail.rows<{ fee: number }>(
    sql`select fee_amount::float8 as fee from service where name = ${service}`,
  );
  return row!.fee;
};

describe('what an audit says that was changed', () => {
  const texts = textsOf('en');

  it('is said part by part, in words', () => {
    const before = { status: 'Active', fee_amount: '1000', region: null, agencies: [], same: 'as it was' };
    const after = {
      status: 'Inactive',
      fee_amount: 25_000,
      region: 'Central',
      agencies: ['URA', 'KCCA'],
      same: 'as it was',
      next_fee_from: '2026-12-31T21:00:00.000Z',
      some_switch: true,
    };
    expect(changesOf(texts, { before, after }, 'Africa/Kampala')).toEqual([
      { name: 'Status', was: 'Active', is: 'Closed' },
      { name: 'Fee', was: '1,000', is: '25,000' },
      { name: 'Region', was: null, is: 'Central' },
      { name: 'Agencies', was: null, is: 'URA, KCCA' },
      { name: 'Future fee from', was: null, is: '1 Jan 2027, 00:00' },
      { name: 'some switch', was: null, is: 'Yes' },
    ]);
    expect(changesOf(texts, { before: null, after: null }, 'UTC')).toEqual([]);
  });

  it('has words for states, roles and channels, in the language of the page', () => {
    const after = { status: 'Suspended', roles: ['clerk'], allowed_channels: ['*', 'cash'], last_probe_status: '200' };
    const said = changesOf(textsOf('fr'), { before: { status: 'Paid' }, after }, 'Africa/Kampala');
    expect(said.map(({ name, was, is }) => `${name}: ${was ?? ''} → ${is ?? ''}`)).toEqual([
      'État: Payé → Suspendu',
      'Rôles:  → Guichetier',
      'Moyens de paiement:  → *, Espèces',
      'Dernier test:  → 200',
    ]);
  });
});

describe('a change of a service', () => {
  it('that somebody made faster is refused in words, and made once it was looked at again', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const id = await serviceNamed(rail, 'URA-TCC');
    const path = `/console/services/${id}`;
    const form = { _page: path, feeAmount: '12,500', revision: '1', reason: 'The budget' };
    await rail.ask(`/v1/ops/services/${id}`, { method: 'PATCH', body: { sector: 'taxes' }, headers: { cookie } });
    const stale = await sendForm(rail, `${path}/fee`, cookie, form);
    expect(stale.status).toBe(422);
    const page = await stale.text();
    expect(page).toContain('Somebody changed this in the meantime');
    expect(page).toContain('value="12,500"');
    const [, revision] = /name="revision" value="(\d+)"/.exec(page)!;
    const again = await sendForm(rail, `${path}/fee`, cookie, { ...form, revision: revision! });
    expect(again.headers.get('location')).toBe(`${path}?done=feeSet`);
    expect(await feeOf(id)).toBe(12_500);
  });
});

describe('a fee', () => {
  it('is set from a preview that says how much it changes, from when and in which country', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const id = await serviceNamed(rail, 'URA-MVTRANSFER');
    const path = `/console/services/${id}`;
    const fee = await feeOf(id);
    const form = { _page: path, feeAmount: String(fee * 84.5), revision: '1', reason: 'A slip' };
    const preview = await sendForm(rail, `${path}/fee/preview`, cookie, form);
    const shown = (await preview.text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(shown).toContain('(UG)');
    expect(shown).toContain('× 84.5');
    expect(shown).toContain('At once');
    expect(shown).toContain('A slip');
    expect(await feeOf(id)).toBe(fee);
    const { reason: _reason, ...unsaid } = form;
    const refused = await sendForm(rail, `${path}/fee`, cookie, unsaid);
    expect(refused.status).toBe(422);
    const bad = await sendForm(rail, `${path}/fee/preview`, cookie, { ...form, feeAmount: '1.234' });
    expect(bad.status).toBe(422);
    expect(await bad.text()).toContain('value="1.234"');
    const unknown = await sendForm(rail, '/console/services/SVC-NOPE/fee/preview', cookie, {
      ...form,
      _page: '/console',
    });
    expect(unknown.status).toBe(404);
    expect(await feeOf(id)).toBe(fee);
    const set = await sendForm(rail, `${path}/fee`, cookie, form);
    expect(set.headers.get('location')).toBe(`${path}?done=feeSet`);
    const [found] = (await (await makeStaff(rail, 'admin')).ask('/v1/ops/anomalies?kind=fee_changed')).data;
    expect(found).toMatchObject({ mda: expect.any(String), evidence: { service: id, from: fee, to: fee * 84.5 } });
  });
});

describe('an account of an agency', () => {
  it('takes two people, and whoever asked sees why they cannot approve', async () => {
    const asker = await makeStaff(rail, 'system_manager');
    const other = await makeStaff(rail, 'admin');
    const path = '/console/agencies/URA';
    const asked = await sendForm(rail, `${path}/account`, asker.cookie, {
      _page: path,
      collectionAccount: '0110 4477 9999',
      reason: 'The bank moved it',
    });
    expect(asked.headers.get('location')).toBe(`${path}?done=accountRequested`);
    const [change] = await rail.rows<{ name: string }>(sql`select name from account_change where status = 'Pending'`);
    const approve = `${path}/account/${change!.name}/approve`;
    const own = (await asker.ask(path)).text;
    expect(own).toContain('You requested this: somebody else has to approve it.');
    expect(own).not.toContain(approve);
    expect((await sendForm(rail, approve, asker.cookie, { _page: path })).status).toBe(403);
    expect((await other.ask(path)).text).toContain(approve);
    const approved = await sendForm(rail, approve, other.cookie, { _page: path });
    expect(approved.headers.get('location')).toBe(`${path}?done=accountApproved`);
    const page = (await other.ask(path)).text;
    expect(page).toContain('Account ending in 9999');
    expect(page).not.toContain('4477');
  });

  it('is shown to who may not change it without a form, and not at all to a clerk', async () => {
    const reader = await makeStaff(rail, 'oversight');
    const { text } = await reader.ask('/console/agencies/KCCA');
    expect(text).toContain('Kampala Capital City Authority');
    expect(text).not.toContain('collectionAccount');
    expect(text).not.toMatch(/<form[^>]*action="\/console\/agencies/);
    const clerk = await makeStaff(rail, 'clerk');
    expect((await clerk.ask('/console/agencies', { headers: { accept: 'text/html' } })).status).toBe(403);
  });
});

describe('a catalogue file', () => {
  const path = '/console/catalogue';

  it('is compared first, and then loaded as it was', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const profile = JSON.parse(readFileSync(new URL('../../../prisma/catalogue/KE.json', import.meta.url), 'utf8')) as {
      agencies: { services: { code: string; name: string; fee: number }[] }[];
    };
    const service = profile.agencies[0]!.services[0]!;
    Object.assign(service, { name: 'A <b>new</b> name' });
    const file = new Blob([JSON.stringify(profile, null, 2)]);
    const compared = await sendForm(rail, path, cookie, { _page: path, _mark: 'compare', profile: file });
    expect(compared.status).toBe(200);
    const page = await compared.text();
    expect(page).toContain('A &lt;b&gt;new&lt;/b&gt; name');
    expect(page).toContain('<strong>1 change</strong>');
    const named = () => rail.count(sql`select 1 from service where service_name = 'A <b>new</b> name'`);
    expect(await named()).toBe(0);
    const loaded = await sendForm(rail, `${path}/load`, cookie, { _page: path, profile: file });
    expect(loaded.headers.get('location')).toBe('/console/agencies?done=catalogueLoaded');
    expect(await named()).toBe(1);
    expect(await (await sendForm(rail, path, cookie, { _page: path, profile: file })).text()).toContain(
      'The catalogue already matches the file.',
    );
  });

  it('that is none comes back with what is wrong', async () => {
    const { cookie } = await makeStaff(rail, 'admin');
    const refused = await sendForm(rail, path, cookie, { _page: path, profile: new Blob(['{"country":']) });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Catalogue file is not JSON');
  });
});

describe('a key of an agency', () => {
  it.each(['pem', 'jwk'] as const)('is registered from a form as %s', async (form) => {
    const { cookie } = await makeStaff(rail, 'admin');
    const pair = await makePair();
    const registered = await sendForm(rail, '/console/agency-keys', cookie, {
      _page: '/console/agency-keys/register',
      agency: 'URA',
      label: `As ${form}`,
      publicKey: form === 'pem' ? pair.pem : JSON.stringify(pair.jwk),
      scopes: 'payments_read',
    });
    expect(registered.headers.get('location')).toMatch(/^\/console\/agency-keys\/[\w-]+\?done=agencyKeyRegistered$/);
  });
});
