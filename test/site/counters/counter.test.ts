import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser } from '../../harness/people/browser.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { PASSWORD, makeStaff } from '../../harness/people/staff.ts';
import { expectAccessible } from '../accessible.ts';
import { signIn, weighPage } from '../browsing.ts';
import { printPage } from '../pages/paper.ts';
import { NINS, fillBasket, openShift, pressTo, useCounter } from './clerk.ts';

const { rail, browser, newClerk, open } = useCounter();

const focused = (page: Page) => page.locator(':focus');
const PAYMENTS = sizeOf({ fast: 4, long: 10 });
const COLLECTED = PAYMENTS * 143_000;
const EXPECTED = 50_000 + COLLECTED;
/** The till is short of what is less than a note of UGX 50,000. */
const NOTES = Math.floor(EXPECTED / 50_000);
const COUNTED = NOTES * 50_000;
const formatted = (amount: number) => amount.toLocaleString('en');
/** Matches the expected cash in any spelling. */
const TELLING = new RegExp([EXPECTED, COLLECTED].map((amount) => formatted(amount).replaceAll(',', '[,.]?')).join('|'));

const paid = () => rail.count(sql`select 1 from payment_intent where status = 'Confirmed'`);

describe.skipIf(!browser.found)(runInBrowser('a clerk with a browser'), () => {
  it('opens a shift, takes payments without a mouse, and closes the till that is short', async () => {
    const { page, wrong, close } = await open();
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    for (let payment = 1; payment <= PAYMENTS; payment++) {
      await page.keyboard.type(NINS[payment - 1]!);
      await pressTo(page, '**/people*');
      await pressTo(page, '**/basket/*');
      await page.keyboard.type('transfer of owner');
      await page.keyboard.press('Enter');
      expect(await page.locator('[data-totals]').textContent()).toBe('Total UGX\u00a0143,000');
      await focused(page).focus();
      await pressTo(page, '**/assessments/*');
      await page.keyboard.type('150000');
      expect(await page.locator('[data-due]').textContent()).toBe('UGX\u00a07,000');
      await pressTo(page, '**/slips/*');
      expect(await page.getByText('Change due:').textContent()).toBe('Change due: UGX\u00a07,000');
      if (payment === 1) expect((await printPage(page)).sheets).toBe(1);
      await pressTo(page, '**/counter/shifts/*');
    }
    expect(await page.getByRole('row').filter({ hasText: 'Paid' }).count()).toBe(PAYMENTS);
    await page.getByRole('link', { name: 'Close shift' }).click();
    // The expected cash is not in the page.
    expect(await page.content()).not.toMatch(TELLING);
    await page.getByLabel('Number of UGX 50,000').fill(String(NOTES));
    expect(await page.getByLabel('Cash counted').inputValue()).toBe(String(COUNTED));
    await page.getByRole('button', { name: 'Close shift' }).click();
    await page.getByText(`You counted UGX\u00a0${formatted(COUNTED)}, which differs from the cash expected.`).waitFor();
    await expectAccessible(page);
    // The count is kept, whatever the clerk opens again: there is nowhere to try another.
    await page.goto(page.url());
    expect(await page.getByLabel('Cash counted').count()).toBe(0);
    expect(await page.content()).not.toMatch(TELLING);
    await page.getByRole('link', { name: 'Uganda Revenue Authority' }).click();
    await page.getByText('The cash of this shift has been counted.').waitFor();
    expect(await page.getByLabel('Find a person').count()).toBe(0);
    await page.getByRole('link', { name: 'Close shift' }).click();
    await page.waitForURL('**/close');
    await page.getByLabel('Reason for the variance').focus();
    await page.keyboard.type('A note was torn');
    await pressTo(page, '**/closed*');
    expect(await page.locator('.two dl').textContent()).toContain(`\u2212${formatted(EXPECTED - COUNTED)}`);
    const sheet = page.getByRole('article');
    expect(await sheet.innerText()).toMatch(/Clerk\s+\S[^]*Receipts\s+RCP-[^]*Left unpaid\s+0[^]*UGX\s50,000/);
    expect(await printPage(page)).toEqual({
      sheets: 1,
      text: expect.stringMatching(/A note was torn[^]*Signature of/),
    });
    await page.getByRole('button', { name: 'Print' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('chooses services on a telephone without scrolling sideways', async () => {
    const { page, wrong, close } = await open({ viewport: { width: 360, height: 740 } });
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    await page.getByLabel('Find a person').fill('CF000000000013');
    await pressTo(page, '**/people*');
    await page.locator('.cards a').first().click();
    const quantities = page.getByRole('spinbutton');
    await quantities.first().waitFor();
    const right = await quantities.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(right.length).toBeGreaterThan(5);
    expect(Math.max(...right)).toBeLessThanOrEqual(360);
    await quantities.first().click();
    expect(await quantities.first().inputValue()).toBe('1');
    const totals = page.locator('[data-totals]');
    expect(await totals.textContent()).toMatch(/^Total UGX/);
    const one = page.locator('.steps').first();
    const [less, more] = [
      one.getByRole('button', { name: /^One less: / }),
      one.getByRole('button', { name: /^One more: / }),
    ];
    for (const button of [less, more]) {
      const { width, height } = (await button.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    await more.click();
    expect(await quantities.first().inputValue()).toBe('2');
    await quantities.first().press('ArrowUp');
    expect(await quantities.first().inputValue()).toBe('3');
    for (let left = 3; left >= 0; left--) await less.click();
    expect(await quantities.first().inputValue()).toBe('');
    expect(await totals.textContent()).toBe('No service chosen yet');
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'takes no less than the total, with a script or without, and prints what was given and the change',
    { tags: 'long' },
    async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { page, wrong, close } = await open({ javaScriptEnabled });
        await signIn(page, await newClerk(), '/counter');
        await openShift(page);
        await fillBasket(page, javaScriptEnabled ? 'CF000000000011' : 'CF000000000012');
        const address = page.url();
        const made = () =>
          rail.count(sql`select 1 from payment_intent where assessment = ${address.split('/').at(-1)}`);
        const given = page.getByLabel('Amount given');
        await given.fill('1,000');
        await page.getByRole('button', { name: 'Take cash' }).click();
        const less = 'The amount given is less than the total to be paid.';
        if (javaScriptEnabled) {
          expect(await given.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(less);
          expect(page.url()).toBe(address);
        } else {
          await page.getByRole('alert').getByText(less).waitFor();
        }
        expect(await made()).toBe(0);
        await given.fill('150,000');
        await page.getByRole('button', { name: 'Take cash' }).click();
        await page.getByText('Payment receipt').waitFor();
        const slip = await page.getByRole('article').textContent();
        // Cash has no reference of a provider.
        expect(slip).toContain('Cash');
        expect(slip).not.toMatch(/STUB|CASH-/);
        expect(slip).toMatch(/Amount given\s*UGX\u00a0150,000\s*Change\s*UGX\u00a07,000/);
        expect(await made()).toBe(1);
        expect(wrong).toEqual([]);
        await close();
      }
    },
  );

  it(
    'keeps the phone that is typed, finds people by it as they write it, and says how many there are',
    { tags: 'long' },
    async () => {
      for (let nth = 10; nth < 35; nth++)
        await rail.rows(sql`
        insert into citizen (name, nin, full_name, phone, verified, search_text, created_at, updated_at)
        values (${`CITIZEN-2020-9000${nth}`}, ${`CMMANY0000${nth}`}, 'Many Alike', null, true,
          ${`many alike cmmany0000${nth}`}, now(), now())`);
      const { page, wrong, close } = await open();
      await signIn(page, await newClerk(), '/counter');
      await openShift(page);
      const shift = page.url();
      await page.getByLabel('Find a person').fill('CF000000000077');
      await pressTo(page, '**/people*');
      await page.getByLabel('Phone number', { exact: true }).fill('+256772345671');
      await Promise.all([page.waitForURL('**/basket/*'), page.getByRole('button', { name: 'Register' }).click()]);
      const citizen = page.url().split('/').at(-1)!.split('?')[0]!;
      const [kept] = await rail.rows(sql`select phone, verified from citizen where name = ${citizen}`);
      expect(kept).toEqual({ phone: '+256772345671', verified: true });
      for (const written of ['0772345671', '0772 345 671', '256 772 345671', '+256772345671', '772-345-671']) {
        await page.goto(`${shift.split('?')[0]}/people?q=${encodeURIComponent(written)}`);
        expect(await page.locator('.cards a').getAttribute('href'), written).toContain(citizen);
      }
      await page.goto(`${shift.split('?')[0]}/people?q=many+alike`);
      await page.getByRole('heading', { name: '25 people found for “many alike”' }).waitFor();
      await page.getByText('20 of 25 are shown').waitFor();
      expect(await page.locator('.cards a').count()).toBe(20);
      expect(wrong).toEqual([]);
      await close();
    },
  );

  it('takes phone numbers as people of the country write them, and shows them so', { tags: 'long' }, async () => {
    const { page, wrong, close } = await open();
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    const shift = page.url().split('?')[0]!;
    const people = `${shift}/people?q=CF000000000078`;
    await page.goto(people);
    const phone = page.getByLabel('Phone number', { exact: true });
    await phone.fill('0700 010 03');
    await page.getByRole('button', { name: 'Register' }).click();
    await page
      .getByText('must be a phone number, such as 0712 345 678, or begin with + and the country code')
      .first()
      .waitFor();
    expect(await phone.inputValue()).toBe('0700 010 03');
    expect(await rail.count(sql`select 1 from citizen where nin = 'CF000000000078'`)).toBe(0);
    await expectAccessible(page);
    await phone.fill('0701 222 339');
    await Promise.all([page.waitForURL('**/basket/*'), page.getByRole('button', { name: 'Register' }).click()]);
    const [kept] = await rail.rows(sql`select phone from citizen where nin = 'CF000000000078'`);
    expect(kept).toEqual({ phone: '+256701222339' });
    await page.goto(`${shift}/people?q=0701222339`);
    expect(await page.locator('.cards a').textContent()).toContain('0701 222 339');

    await fillBasket(page, 'CF000000000078');
    const payer = page.getByLabel('Payer’s phone number');
    expect(await payer.inputValue()).toBe('0701 222 339');
    const asked = async () =>
      (
        await rail.rows(sql`
        select payer_msisdn as phone from payment_intent where assessment = ${page.url().split('/').at(-1)}
        and payer_msisdn is not null order by name desc limit 1`)
      )[0];
    const assessment = page.url();
    for (const [typed, sent] of [
      ['256 772 345 000', '+256772345000'],
      ['+254 712 123000', '+254712123000'],
    ]) {
      await page.goto(assessment);
      await payer.fill(typed!);
      await page.getByRole('button', { name: 'Send payment request' }).click();
      await page.waitForURL('**/counter/payments/*');
      await page.getByText('Waiting for the payer').waitFor();
      await page.goto(assessment);
      expect(await asked()).toEqual({ phone: sent });
    }
    // It is the page that says how it stands, as it is looked at: nothing above it says that the request was sent.
    await payer.fill('0701 222 339');
    await page.getByRole('button', { name: 'Send payment request' }).click();
    await page.getByText('Waiting for the payer').waitFor();
    expect(await page.locator('main > .notice').count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'works without a script; an answer that was lost, a second click and two tabs double nothing',
    { tags: 'long' },
    async () => {
      const { page, wrong, close } = await open({ javaScriptEnabled: false });
      await signIn(page, await newClerk(), '/counter');
      await openShift(page);
      await fillBasket(page, 'CF000000000013');
      const before = await paid();
      const form = Object.fromEntries(
        await page
          .locator('form[action$="/cash"] input')
          .evaluateAll((inputs) => inputs.map((input) => [input.getAttribute('name'), input.getAttribute('value')])),
      ) as Record<string, string>;
      const action = (await page.locator('form[action$="/cash"]').getAttribute('action'))!;
      const [cookie] = await page.context().cookies();
      const send = () =>
        fetch(`${rail.origin}${action}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: `${cookie!.name}=${cookie!.value}`, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form),
        });
      const answers = await Promise.all([send(), send(), send()]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
      // The clerk saw none of these answers, and sends the form once more.
      await page.getByRole('button', { name: 'Take cash' }).click();
      await page.getByText('Payment receipt').waitFor();
      expect(answers.map(({ headers }) => headers.get('location'))).toContain(page.url().slice(rail.origin.length));
      expect(await paid()).toBe(before + 1);
      expect(wrong).toEqual([]);
      await close();
    },
  );
});

it('leads browsers on from where there is nothing, and answers programs as the API does', async () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await fetch(`${rail.origin}/no/such/page`, { headers: html });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await page.text()).toMatch(/Page not found[\s\S]*href="\/"/);
  for (const [path, headers] of [
    ['/no/such/page', {}],
    ['/v1/no-such', html],
  ] as const)
    expect((await rail.ask(path, { headers })).code).toBe('not_found');
  const root = await rail.ask('/');
  for (const [, link] of root.text.matchAll(/<a href="(\/[^"]+)"/g))
    expect((await fetch(`${rail.origin}${link}`, { headers: html })).status, link).toBe(200);
});

it('takes no form from a page of another site, and leads nobody to another host', async () => {
  const { cookie, email } = await makeStaff(rail, 'clerk');
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${rail.origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields),
    });
  const foreign = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const opened = { agency: 'URA', openingFloat: '1', currency: 'UGX' };
  expect((await send('/counter/shifts', opened, foreign)).status).toBe(403);
  expect(await rail.count(sql`select 1 from counter_shift where clerk = ${email}`)).toBe(0);
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const entered = await send('/signin/staff', { email, password: PASSWORD, to });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/work']);
    const chosen = await send('/language', { language: 'fr', back: to });
    expect(chosen.headers.get('location')).toBe('/work');
  }
});

it('is framed by no other page', async () => {
  const { cookie } = await makeStaff(rail, 'clerk');
  for (const path of ['/signin/staff', '/work', '/counter']) {
    const { status, headers } = await fetch(`${rail.origin}${path}`, { headers: { cookie } });
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-security-policy')).toMatch(/(^|;)\s*frame-ancestors 'none'(;|$)/);
  }
});

it('is one style sheet, one script and one icon that a browser keeps, and small', async () => {
  const { assets, bytes } = await weighPage(rail, '/signin/staff');
  expect(assets).toHaveLength(3);
  for (const path of assets) {
    const answer = await fetch(`${rail.origin}${path}`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  expect(bytes).toBeLessThan(20_000);
});
