import { describe, expect, it } from 'vitest';
import { exempt, someCitizen } from '../../harness/flow.ts';
import { openShift } from '../../harness/people/counter.ts';
import { makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { runInBrowser } from '../../harness/people/browser.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie } from '../browsing.ts';
import { sendForm } from '../forms/sending.ts';
import { useCounter } from './clerk.ts';

const { rail, browser, open } = useCounter();

const rates = { kind: 'percent', percent: 6, base: 'rateable value', least: 2_000 };
const TARIFFS = {
  FIXED: { mda: 'URA', standard: { kind: 'fixed', amount: 5_000 }, refugee: { kind: 'fixed', amount: 0 } },
  PERCENT: { mda: 'URA', standard: rates, school: { ...rates, percent: 1 } },
  TIERS: { mda: 'URA', standard: { kind: 'tiers', base: 'income', slices: false, tiers: [{ amount: 700 }] } },
  ANYONE: { mda: 'URA', standard: { kind: 'stated', by: 'anyone' } },
  AGENCY: { mda: 'KCCA', standard: { kind: 'stated', by: 'agency', least: 100 } },
  DOLLARS: {
    mda: 'URA',
    standard: { kind: 'fixed', amount: 5 },
    foreigner: { kind: 'fixed', amount: 40, currency: 'USD' },
  },
};

/** Services that are charged by each kind of rule, by their codes. */
async function makeServices(prefix: string): Promise<Readonly<Record<keyof typeof TARIFFS, string>>> {
  const { post } = await makeStaff(rail, 'admin');
  const made = await Promise.all(
    Object.entries(TARIFFS).map(async ([code, { mda, ...categories }]) => {
      const tariff = { law: `The ${code} Act`, due: { days: 30 }, categories };
      const body = {
        mda,
        code: prefix + code,
        service_name: `${prefix} ${code}`,
        sector: 'tax',
        family: 'tax',
        tariff,
      };
      return [code, (await post('/v1/ops/services', body)).data.name] as const;
    }),
  );
  return Object.fromEntries(made) as Record<keyof typeof TARIFFS, string>;
}

/** Somebody at a counter, in front of one person. */
async function sitDown(...agencies: string[]) {
  const clerk = await makeStaffOf(rail, agencies, 'clerk');
  const basket = `/counter/shifts/${await openShift(clerk)}/basket/${await someCitizen(rail)}`;
  const send = async (path: string, fields: Readonly<Record<string, string>>) => {
    const answer = await sendForm(rail, path, clerk.cookie, { _page: basket, ...fields });
    return { answer, page: await answer.text() };
  };
  return { clerk, basket, send };
}

const line = (place: number, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`lines[${place}][${name}]`, value]));

const shownBy = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('a line of a tariff at a counter', () => {
  it('asks for what its rule needs, and costs what its quote said', async () => {
    const services = await makeServices('Q');
    const { clerk, basket, send } = await sitDown();
    const kinds = [
      { service: services.FIXED, asks: 'quantity', label: 'Quantity', filled: { quantity: '2' } },
      { service: services.PERCENT, asks: 'baseAmount', label: 'Rateable value', filled: { baseAmount: '1,000,000' } },
      { service: services.TIERS, asks: 'baseAmount', label: 'Income', filled: { baseAmount: '12.5' } },
      { service: services.ANYONE, asks: 'statedAmount', label: 'Amount (UGX)', filled: { statedAmount: '12,345' } },
      { service: services.AGENCY, asks: 'statedAmount', label: 'Amount (UGX)', filled: { statedAmount: '100' } },
    ];
    const chosen = Object.assign({}, ...kinds.map(({ service }, place) => line(place, { service })));
    const { page } = await send('/redraw', chosen);
    for (const [place, { asks, label }] of kinds.entries()) {
      expect(page).toContain(`<label for="lines[${place}][${asks}]">${label}</label>`);
      expect(page).toContain(`name="lines[${place}][period]"`);
    }
    expect(page).toContain(`action="${basket}/quote"`);

    const plain = { 'lines[SVC-X][service]': services.FIXED, 'lines[SVC-X][quantity]': '' };
    const filled = Object.assign(
      plain,
      ...kinds.map(({ service, filled: of }, place) => line(place, { service, ...of })),
    );
    const quoted = await send(`${basket}/quote`, {
      ...filled,
      'lines[1][category]': 'school',
      'lines[1][period]': '2026',
    });
    const shown = shownBy(quoted.page);
    for (const said of [
      'UGX 10,000',
      'school · 1,000,000 · 2026 · The PERCENT Act',
      'UGX 700',
      'UGX 12,345',
      'UGX 100',
    ])
      expect(shown).toContain(said);
    expect(shown).toMatch(/Total UGX 33,145 To be paid by \d+ \w+ \d{4}/);

    const kept = [...quoted.page.matchAll(/<input type="hidden" name="(lines[^"]*)" value="([^"]*)">/g)];
    const entered = await send(basket, Object.fromEntries(kept.map(([, name, value]) => [name!, value!])));
    const [, assessment] = /^\/counter\/assessments\/([^?]*)/.exec(entered.answer.headers.get('location')!)!;
    expect((await clerk.ask(`/v1/assessments/${assessment}`)).data).toMatchObject({
      status: 'Assessed',
      total_amount: 33_145,
      lines: [
        { quantity: 2, amount: 10_000 },
        { category: 'school', base_amount: 1_000_000, period: '2026', amount: 10_000 },
        { amount: 700 },
        { amount: 12_345 },
        { amount: 100 },
      ],
    });
  });

  it('is quoted less what the person is exempt from', async () => {
    const { FIXED: service } = await makeServices('E');
    const { basket, send } = await sitDown();
    await exempt(rail, await someCitizen(rail), { service });
    const quoted = await send(`${basket}/quote`, line(0, { service, category: 'standard', quantity: '2' }));
    expect(shownBy(quoted.page)).toMatch(/UGX 5,000 waived[^]*Total UGX 5,000/);
  });

  it('says what is wrong at its field, and keeps what was typed', async () => {
    const services = await makeServices('W');
    const { basket, send } = await sitDown();
    const fields = {
      ...line(0, { service: services.PERCENT, category: 'standard', baseAmount: '', period: 'x'.repeat(21) }),
      ...line(1, { service: services.AGENCY, category: 'standard', statedAmount: '99' }),
    };
    const { answer, page } = await send(`${basket}/quote`, fields);
    expect(answer.status).toBe(422);
    expect(page).toContain('id="lines[0][period]-error"');
    const short = await send(`${basket}/quote`, { ...fields, 'lines[0][period]': '' });
    for (const name of ['lines[0][baseAmount]', 'lines[1][statedAmount]']) {
      expect(short.page).toContain(`id="${name}-error"`);
      expect(short.page).toContain(`<a href="#${name}">`);
    }
    expect(short.page).toMatch(/name="lines\[1\]\[statedAmount\]"[^>]* value="99"/);
    const typed = await send(`${basket}/quote`, { ...fields, ...line(0, { baseAmount: 'much', period: '' }) });
    expect(typed.page).toContain('id="lines[0][baseAmount]-error"');
    expect(typed.page).toContain('value="much"');
  });

  it('is offered only where its amount may be stated and its currency taken', async () => {
    const services = await makeServices('M');
    const { basket, send, clerk } = await sitDown('URA');
    const page = (await clerk.ask(basket)).text;
    const rowOf = (code: string) => page.split('<tr ').find((row) => row.includes(`M${code}`))!;
    expect(rowOf('DOLLARS')).not.toContain('foreigner');
    expect(rowOf('FIXED')).toContain('<option>refugee</option>');
    if (rowOf('AGENCY')) expect(rowOf('AGENCY')).toContain('KCCA states it');
    const stated = line(0, { service: services.AGENCY, category: 'standard', statedAmount: '100' });
    const refused = await send(`${basket}/quote`, stated);
    expect(refused.answer.status).toBe(422);
    expect(refused.page).toContain('The agency states this amount');
  });
});

describe.skipIf(!browser.found)(runInBrowser('a basket with lines of tariffs, on a telephone'), () => {
  it.each([true, false])('is filled in, and fits; with a script: %s', async (javaScriptEnabled) => {
    const prefix = javaScriptEnabled ? 'S' : 'B';
    await makeServices(prefix);
    const { clerk, basket } = await sitDown();
    const { page, wrong, close } = await open({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
    await addCookie(page.context(), rail, clerk.cookie);
    await page.goto(basket);
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    const press = (name: string, nth = 0) =>
      Promise.all([page.waitForNavigation(), page.getByRole('button', { name }).nth(nth).click()]);
    const rowOf = (name: string) => page.locator('tr', { hasText: name });
    expect(await fits()).toBe(true);
    await page.getByRole('spinbutton', { name: 'Quantity Motor vehicle transfer of ownership' }).fill('1');
    for (const [name, category] of [
      [`${prefix} FIXED`, 'refugee'],
      [`${prefix} PERCENT`, 'school'],
    ] as const) {
      await rowOf(name).getByRole('combobox').selectOption(category);
      await Promise.all([page.waitForNavigation(), rowOf(name).getByRole('button', { name: 'Choose' }).click()]);
    }
    await press(`Remove ${prefix} FIXED`);
    await page.getByLabel('Rateable value').fill('1000000');
    expect(await fits()).toBe(true);
    if (javaScriptEnabled) await expectAccessible(page);
    await press('Show the price');
    expect(await fits()).toBe(true);
    if (javaScriptEnabled) await expectAccessible(page);
    expect(await page.locator('tfoot tr').last().innerText()).toMatch(/153,000/);
    await press('Change');
    expect(await page.getByLabel('Rateable value').inputValue()).toBe('1000000');
    await press('Show the price');
    await Promise.all([
      page.waitForURL('**/assessments/*'),
      page.getByRole('button', { name: 'Continue to payment' }).click(),
    ]);
    expect(await page.locator('h1').innerText()).toContain('153,000');
    expect(wrong).toEqual([]);
    await close();
  });
});
