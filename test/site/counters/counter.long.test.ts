import { describe, expect, it } from 'vitest';
import { runInBrowser } from '../../harness/people/browser.ts';
import { PASSWORD } from '../../harness/people/staff.ts';
import { expectAccessible } from '../accessible.ts';
import { signIn } from '../browsing.ts';
import { fillBasket, openShift, pressTo, useCounter } from './clerk.ts';

const { rail, browser, newClerk, open } = useCounter();

describe.skipIf(!browser.found)(runInBrowser('a clerk with a browser, on another day'), () => {
  it('pushes a payment to a phone and sees it confirmed, and another that the payer lets lie', async () => {
    const { page, wrong, close } = await open();
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

  it('goes on where a session ended in the midst, in the language that was chosen', async () => {
    const { page, wrong, close } = await open();
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
    const { page, wrong, close } = await open();
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
