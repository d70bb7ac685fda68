import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStaff } from '../../../../src/counter/staff/add.ts';
import { sql } from '../../../../src/platform/database/sql.ts';
import { findChromium, launchBrowser, runInBrowser } from '../../../harness/people/browser.ts';
import { PASSWORD, makeStaff } from '../../../harness/people/staff.ts';
import { testRail } from '../../../harness/rail.ts';
import { expectAccessible, openWindow, signIn } from '../browsing.ts';

const executable = findChromium();
const rail = testRail();
let browser: Browser;

/** Of those whom the identity authority knows. */
const NINS = Array.from({ length: 14 }, (_, nth) => `CF0000000000${String(nth + 1).padStart(2, '0')}`);

beforeAll(async () => {
  const { post } = await makeStaff(rail, 'clerk');
  for (const nin of NINS) await post('/v1/work/citizens', { nin });
  if (executable) browser = await launchBrowser(executable);
});
afterAll(async () => {
  await browser?.close();
});

let clerks = 0;
async function newClerk(): Promise<string> {
  const email = `window-${++clerks}@counter.example`;
  await addStaff(rail.rail, { email, name: 'A <b>Clerk</b>', roles: ['clerk'], password: PASSWORD });
  return email;
}

const focused = (page: Page) => page.locator(':focus');
const pressTo = async (page: Page, url: string) => {
  await Promise.all([page.waitForURL(url), page.keyboard.press('Enter')]);
};

async function openShift(page: Page): Promise<void> {
  await page.getByLabel('Agency').selectOption('URA');
  await page.getByLabel('Opening float').fill('50,000');
  await Promise.all([page.waitForURL('**/counter/shifts/*'), page.getByRole('button', { name: 'Open shift' }).click()]);
}

/** From a NIN to the page where the payment is taken. */
async function fillBasket(page: Page, nin: string): Promise<void> {
  await page.getByLabel('Find a person').fill(nin);
  await pressTo(page, '**/people*');
  await page.locator('.cards a').first().click();
  await page.getByLabel('Quantity of Motor vehicle transfer of ownership').fill('1');
  await Promise.all([
    page.waitForURL('**/assessments/*'),
    page.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
}

const paid = () => rail.count(sql`select 1 from payment_intent where status = 'Confirmed'`);

describe.skipIf(!executable)(runInBrowser('a clerk with a browser'), () => {
  it('opens a shift, takes ten payments without a mouse, and closes the till that is short', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    for (let payment = 1; payment <= 10; payment++) {
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
      await pressTo(page, '**/counter/shifts/*');
    }
    expect(await page.getByRole('row').filter({ hasText: 'Paid' }).count()).toBe(10);
    await page.getByRole('link', { name: 'Close shift' }).click();
    // What the till should hold is not in the page.
    expect(await page.content()).not.toMatch(/1[,.]?480[,.]?000|1[,.]?430[,.]?000/);
    await page.getByLabel('Number of UGX 50,000').fill('29');
    expect(await page.getByLabel('Cash counted').inputValue()).toBe('1450000');
    await page.getByRole('button', { name: 'Close shift' }).click();
    await page.getByRole('link', { name: 'Enter a reason: the cash counted differs from the cash expected.' }).click();
    expect(await page.getByLabel('Number of UGX 50,000').inputValue()).toBe('29');
    await expectAccessible(page);
    await page.keyboard.type('A note was torn');
    await pressTo(page, '**/closed*');
    expect(await page.locator('dl').textContent()).toContain('-30,000');
    expect(wrong).toEqual([]);
    await close();
  }, 120_000);

  it('pushes a payment to a phone and sees it confirmed, and another that the payer lets lie', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    const shift = new URL(page.url()).pathname;
    await fillBasket(page, 'CF000000000011');
    await page.getByLabel('Payer’s phone number').fill('+256700000123');
    await Promise.all([
      page.waitForURL('**/counter/payments/*'),
      page.getByRole('button', { name: 'Send payment request' }).click(),
    ]);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('link', { name: 'Show receipt' }).waitFor();
    await page.goto(shift);
    await fillBasket(page, 'CF000000000012');
    await page.getByLabel('Payer’s phone number').fill('+256700000000');
    await page.getByRole('button', { name: 'Send payment request' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('alert').getByText('The payer has not approved the payment yet.').waitFor();
    // Somebody else learns that it is paid: the page says so by itself.
    const intent = /PI-[\d-]+/.exec(page.url())?.[0] ?? (await page.getByText(/^PI-/).textContent())!;
    await rail.ask('/v1/webhooks/mtn_momo', {
      body: { event_id: `site-${intent}`, intent, status: 'FAILED', reason: 'DECLINED' },
    });
    await page.getByText('The payment did not go through. Nothing was collected.').waitFor({ timeout: 15_000 });
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);

  it('works without a script; an answer that was lost, a second click and two tabs double nothing', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
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
  }, 60_000);

  it('goes on where a session ended in the midst, in the language that was chosen', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    const email = await newClerk();
    await signIn(page, email, '/counter');
    await openShift(page);
    await fillBasket(page, 'CF000000000014');
    const assessment = new URL(page.url()).pathname;
    await page.context().clearCookies({ name: 'sid' });
    await page.getByRole('button', { name: 'Take cash' }).click();
    await page.waitForURL('**/signin/staff*');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await pressTo(page, `**${assessment}`);
    await page.getByRole('button', { name: 'Français' }).click();
    expect(await page.textContent('h1')).toContain('Encaisser :');
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    await page.getByRole('button', { name: 'Kiswahili' }).click();
    await page.getByRole('button', { name: 'Pokea fedha taslimu' }).click();
    await page.getByText('Malipo yamekamilika.').waitFor();
    await page.getByRole('button', { name: 'Luganda' }).click();
    await page.getByRole('link', { name: 'Omuntu addako' }).click();
    await page.getByRole('button', { name: 'Fuluma' }).click();
    await page.waitForURL('**/signin/staff*');
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);

  it('shows hostile names as they are, and leads on from pages that are not there', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    const shift = new URL(page.url()).pathname;
    const names = ['<script>alert(1)</script><img src=x onerror=alert(1)>', 'عبد الرحمن "بن" أحمد', 'n'.repeat(200)];
    for (const [index, fullName] of names.entries()) {
      await page.goto(`${shift}/people`);
      await page.getByText('Register a person').click();
      await page.getByLabel('National identification number (NIN)').last().fill(`XX00000${index}X`);
      await page.getByLabel('Full name').fill(fullName);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.waitForURL('**/basket/*');
      expect(await page.locator('.person bdi').textContent()).toBe(fullName);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await page.goto('/counter/assessments/ASMT-2026-01-999999');
    expect(await page.textContent('h1')).toBe('Page not found');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to your home page' }).click();
    await page.waitForURL('**/work');
    expect(await page.textContent('h1')).toBe('Hello, A <b>Clerk</b>');
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);
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
  const opened = { mda: 'URA', openingFloat: '1', currency: 'UGX' };
  expect((await send('/counter/shifts', opened, foreign)).status).toBe(403);
  expect(await rail.count(sql`select 1 from counter_shift where clerk = ${email}`)).toBe(0);
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const entered = await send('/signin/staff', { email, password: PASSWORD, to });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/work']);
    const chosen = await send('/language', { language: 'fr', back: to });
    expect(chosen.headers.get('location')).toBe('/work');
  }
});

it('is one style sheet and one script that a browser keeps, and small', async () => {
  const page = await rail.ask('/signin/staff');
  const assets = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets).toHaveLength(2);
  let bytes = 0;
  for (const path of assets) {
    const answer = await fetch(`${rail.origin}${path}`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    bytes += Number(answer.headers.get('content-length'));
  }
  expect(bytes + page.text.length).toBeLessThan(60_000);
});
