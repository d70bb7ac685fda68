import { describe, expect, it } from 'vitest';
import { serviceNamed, someCitizen } from '../../harness/flow.ts';
import { LIVE } from '../../harness/live.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { type TestRail, testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';
import { sendForm } from './sending.ts';

const rail = testRail();
const browser = testBrowser();

type Fields = Readonly<Record<string, string>>;

/** The fields of a tariff by the names that a form gives them. */
function fieldsOf(standard: Fields, more: Fields = {}): Record<string, string> {
  const rule = Object.entries(standard).map(([name, value]) => [`tariff[categories][standard]${name}`, value]);
  return { 'tariff[law]': 'The Act, s. 1', reason: 'The budget', ...Object.fromEntries(rule), ...more };
}

async function makeService(code: string) {
  const admin = await makeStaff(rail, 'admin');
  const body = { mda: 'URA', code, service_name: 'Rates <b>', sector: 'tax', family: 'tax', fee_amount: 1_000 };
  return { admin, id: (await admin.post('/v1/ops/services', body)).data.name as string };
}

const pageOf = (id: string) => `/console/services/${id}/tariff`;
const send = (to: TestRail, { cookie }: StaffActor, id: string, path: string, fields: Fields) =>
  sendForm(to, path, cookie, { _page: pageOf(id), ...fields });
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

const TIERS = {
  '[kind]': 'tiers',
  '[base]': 'chargeable income',
  '[slices]': 'true',
  '[tiers][0][up_to]': '235,000',
  '[tiers][0][percent]': '0',
  '[tiers][1][percent]': '10',
  '[tiers][2][percent]': '',
};

describe('a tariff that is set by its page', () => {
  it.each([
    ['FIXED', { '[kind]': 'fixed', '[amount]': '5,000' }, { quantity: 2 }, 10_000, 'UGX 5,000 each'],
    [
      'STATED',
      { '[kind]': 'stated', '[by]': 'anyone', '[least]': '10' },
      { stated_amount: 77 },
      77,
      'the payer states',
    ],
    [
      'PERCENT',
      { '[kind]': 'percent', '[percent]': '6', '[base]': 'rateable value', '[round_to]': '100' },
      { base_amount: 12_345 },
      700,
      'rounded to multiples of UGX 100',
    ],
    ['TIERS', TIERS, { base_amount: 335_000 }, 10_000, 'above 235,000: 10 %'],
  ] as const)('is said in words first, and charges from then on: %s', async (code, rule, line, total, words) => {
    const { admin, id } = await makeService(code);
    expect((await admin.ask(pageOf(id))).status).toBe(200);
    // What another kind of rule had is left behind.
    const fields = fieldsOf({ '[percent]': '9', '[currency]': '', ...rule }, { 'tariff[due][days]': '30' });
    const preview = await send(rail, admin, id, `${pageOf(id)}/preview`, fields);
    const shown = await preview.text();
    expect([preview.status, textOf(shown).replaceAll('\u00a0', ' ')]).toEqual([200, expect.stringContaining(words)]);
    expect(textOf(shown)).toContain('to be paid within 30 days');
    // What was looked at is what is sent.
    const kept = [...shown.matchAll(/<input type="hidden" name="(\w[^"]*)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name!, value!],
    );
    const set = await sendForm(rail, pageOf(id), admin.cookie, Object.fromEntries(kept));
    expect(set.headers.get('location')).toBe(`/console/services/${id}?done=tariffSet`);
    const body = { citizen: await someCitizen(rail), lines: [{ service: id, ...line }], assess: true };
    expect((await admin.post('/v1/assessments', body)).data).toMatchObject({ total_amount: total });
    const page = (await admin.ask(`/console/services/${id}`)).text;
    expect(page).toContain(`Set or approved by ${admin.email}`);
    expect(page).toContain('The Act, s. 1');
  });

  it('holds from a coming day, and has categories in their own currency', async () => {
    const { admin, id } = await makeService('COMING');
    const foreigner = 'tariff[categories][foreigner]';
    const own = { [`${foreigner}[kind]`]: 'fixed', [`${foreigner}[amount]`]: '40', [`${foreigner}[currency]`]: 'USD' };
    const day = { effectiveFrom: '2040-07-01', 'tariff[due][day_of_month]': '15' };
    const fields = fieldsOf({ '[kind]': 'fixed', '[amount]': '5000' }, { ...own, ...day });
    expect(textOf(await (await send(rail, admin, id, `${pageOf(id)}/preview`, fields)).text())).toContain('1 Jul 2040');
    expect((await send(rail, admin, id, pageOf(id), fields)).status).toBe(303);
    expect((await admin.ask(`/v1/services/${id}/tariff?on=2040-07-01`)).data.tariff).toEqual({
      law: 'The Act, s. 1',
      due: { day_of_month: 15 },
      categories: {
        standard: { kind: 'fixed', amount: 5_000 },
        foreigner: { kind: 'fixed', amount: 40, currency: 'USD' },
      },
    });
  });

  it('is also that of a new service', async () => {
    const admin = await makeStaff(rail, 'admin');
    const path = '/console/services/new';
    const blank = await sendForm(rail, '/redraw', admin.cookie, { _page: path, code: 'NEW-1', 'tariff[law]': '' });
    const drawn = await blank.text();
    expect(drawn).toContain('name="tariff[categories][standard][amount]"');
    expect(drawn).not.toContain('name="feeAmount"');
    expect(drawn).toContain('value="NEW-1"');
    const service = { agency: 'URA', code: 'NEW-1', serviceName: 'New', sector: 'tax', family: 'tax' };
    const fields = fieldsOf({ '[kind]': 'fixed', '[amount]': '12' }, service);
    const made = await sendForm(rail, path, admin.cookie, { _page: path, ...fields });
    expect(made.headers.get('location')).toMatch(/^\/console\/services\/SVC-[\d-]+\?done=serviceCreated$/);
    const { feeAmount: _none, ...unpriced } = service as Fields;
    const refused = await sendForm(rail, path, admin.cookie, { _page: path, ...unpriced, code: 'NEW-2' });
    expect(await refused.text()).toContain('id="feeAmount-error"');
  });
});

describe('what is wrong with a tariff', () => {
  it.each([
    [{ '[kind]': 'percent', '[percent]': '101', '[base]': 'x' }, '[categories][standard][percent]', '101'],
    [{ '[kind]': 'fixed', '[amount]': 'ten' }, '[categories][standard][amount]', 'ten'],
    [{ '[kind]': 'fixed', '[amount]': '0.5' }, '[categories][standard][amount]', '0.5'],
    [{ '[kind]': 'fixed', '[percent]': '6' }, '[categories][standard][amount]', ''],
    [{ ...TIERS, '[tiers][1][percent]': '10.12345' }, '[categories][standard][tiers][1][percent]', '10.12345'],
    [{ ...TIERS, '[tiers][0][up_to]': '' }, '[categories][standard][tiers]', null],
  ] as const)('is said at its field, which keeps what was typed: %o', async (rule, field, typed) => {
    const { admin, id } = await makeService(`WRONG-${Math.random()}`);
    const refused = await send(rail, admin, id, `${pageOf(id)}/preview`, fieldsOf(rule));
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain(`id="tariff${field}-error"`);
    expect(page).toContain(`<a href="#tariff${field}">`);
    if (typed !== null) expect(page).toMatch(new RegExp(`name="tariff${RegExp.escape(field)}"[^>]* value="${typed}"`));
    expect(page).toContain('value="The Act, s. 1"');
  });

  it('names its field and its category in the language of the reader', async () => {
    const { admin, id } = await makeService('FRENCH');
    const one = { 'tariff[categories][school][kind]': 'fixed', 'tariff[categories][school][amount]': '-1' };
    const french = { ...admin, cookie: `${admin.cookie}; language=fr` };
    const page = await (
      await send(rail, french, id, `${pageOf(id)}/preview`, fieldsOf({ '[kind]': 'fixed', '[amount]': '1' }, one))
    ).text();
    expect(page).toContain('Montant (school) : doit être d’au moins 0');
    expect(page).not.toContain('must be');
  });

  it('is for those who may set one', async () => {
    const { id } = await makeService('READER');
    const reader = await makeStaff(rail, 'oversight');
    expect((await reader.ask(pageOf(id), { headers: { accept: 'text/html' } })).status).toBe(403);
    expect((await send(rail, reader, id, '/redraw', fieldsOf({ '[kind]': 'fixed' }))).status).toBe(403);
    expect((await reader.ask(`/console/services/${id}`)).text).not.toContain(pageOf(id));
    expect((await sendForm(rail, '/redraw', null, { _page: pageOf(id) })).headers.get('location')).toContain('/signin');
    expect((await sendForm(rail, '/redraw', reader.cookie, { _page: '/nowhere' })).status).toBe(404);
  });
});

describe('what a service would cost', () => {
  it('is what it then costs, with its law and day; what is wrong is said at its field', async () => {
    const { admin, id } = await makeService('COST');
    const rule = { '[kind]': 'percent', '[percent]': '6', '[base]': 'rateable value' };
    await send(rail, admin, id, pageOf(id), fieldsOf(rule, { 'tariff[due][days]': '30' }));
    const path = `/console/services/${id}`;
    const ask = (fields: Fields) =>
      sendForm(rail, `${path}/cost`, admin.cookie, { _page: path, 'lines[0][service]': id, ...fields });
    const shown = textOf(await (await ask({ 'lines[0][baseAmount]': '1,000,000' })).text()).replaceAll('\u00a0', ' ');
    expect(shown).toContain('UGX 60,000');
    expect(shown).toContain('The Act, s. 1');
    const refused = await ask({ 'lines[0][baseAmount]': '' });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain('id="lines[0][baseAmount]-error"');
    expect(page).toMatch(/<details open>/);
    // Before the tariff, on a day of the past, there was nothing to charge.
    expect((await ask({ 'lines[0][baseAmount]': '5', on: '2020-01-01' })).status).toBe(422);
  });
});

describe('a tariff on a live rail', () => {
  const live = testRail(LIVE);

  it('is shown in words to the second person, who then stands in its history', async () => {
    const [asker, approver] = [await makeStaff(live, 'admin'), await makeStaff(live, 'system_manager')];
    const id = await serviceNamed(live, 'URA-TCC');
    const fields = fieldsOf({ '[kind]': 'percent', '[percent]': '6', '[base]': 'rateable value' });
    const preview = await (await send(live, asker, id, `${pageOf(id)}/preview`, fields)).text();
    expect(preview).toContain('Request approval');
    expect((await send(live, asker, id, pageOf(id), fields)).status).toBe(303);
    const page = (await approver.ask('/console/approvals')).text;
    expect(textOf(page)).toMatch(/Set the tariff of .* 6 % of the rateable value/);
    expect(page).not.toMatch(/<h2>[^/]*<ul/);
    const [, approve] = /action="(\/console\/approvals\/[^"]*\/approve)"/.exec(page)!;
    await sendForm(live, approve!, approver.cookie, { _page: '/console/approvals' });
    const shown = (await approver.ask(`/console/services/${id}`)).text;
    expect(shown).toContain(`Set or approved by ${approver.email}`);
    const question = { query: `{ service(id: "${id}") { tariffs { setBy } } }` };
    const anybody = await live.ask('/graphql', { body: question });
    expect(anybody.text).not.toContain(approver.email);
  });
});

describe.skipIf(!browser.found)(runInBrowser('the form of a tariff'), () => {
  it.each([true, false])(
    'adds and removes categories and tiers by buttons; with a script: %s',
    async (javaScriptEnabled) => {
      const { admin, id } = await makeService(`BUTTONS-${javaScriptEnabled}`);
      const options = { javaScriptEnabled, viewport: { width: 360, height: 740 } };
      const { page, wrong, close } = await openWindow(browser, rail, options);
      await addCookie(page.context(), rail, admin.cookie);
      await page.goto(pageOf(id));
      const press = async (name: string) => {
        await Promise.all([page.waitForNavigation(), page.getByRole('button', { name, exact: true }).click()]);
      };
      const named = (name: string) => page.locator(`[name="tariff${name}"]`);
      await named('[law]').fill('An Act');
      await page.getByLabel('Another category').fill('Place of worship');
      await press('Add the category');
      await named('[categories][standard][kind]').selectOption('tiers');
      await Promise.all([
        page.waitForNavigation(),
        page.getByRole('button', { name: 'Show its fields' }).first().click(),
      ]);
      await press('Add a tier');
      await press('Add a tier');
      await named('[categories][standard][tiers][0][up_to]').fill('10');
      await named('[categories][standard][tiers][1][up_to]').fill('20');
      await named('[categories][standard][tiers][2][percent]').fill('3');
      if (javaScriptEnabled) await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await press('Remove Tier 1');
      expect(await named('[categories][standard][tiers][0][up_to]').inputValue()).toBe('20');
      expect(await named('[categories][standard][tiers][1][percent]').inputValue()).toBe('3');
      expect(await named('[categories][place_of_worship][kind]').inputValue()).toBe('fixed');
      await press('Remove place_of_worship');
      expect(await named('[categories][place_of_worship][kind]').count()).toBe(0);
      expect(await named('[law]').inputValue()).toBe('An Act');
      // The key that sends a form previews it.
      await page.getByLabel('Reason').fill('The budget');
      await named('[categories][standard][tiers][0][percent]').fill('1');
      await named('[categories][standard][base]').fill('income');
      await Promise.all([page.waitForURL('**/preview'), page.keyboard.press('Enter')]);
      expect(await page.locator('main').innerText()).toContain('above 20: 3 %');
      await press('Go back');
      expect(await named('[categories][standard][tiers][1][percent]').inputValue()).toBe('3');
      expect(wrong).toEqual([]);
      await close();
    },
  );
});
