import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

const HEADER = 'External Transaction Id,Amount,Currency,Status,Id,Date';

/** Fills in the form for a statement, and sends it. */
async function upload(page: Page, csv: string): Promise<void> {
  await page.getByLabel('Provider').selectOption('mtn_momo');
  await page.getByLabel('Statement', { exact: true }).setInputFiles({
    name: 'statement.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await page.getByRole('button', { name: 'Upload and compare' }).click();
}

/** Sends a statement that cannot be read, and then one with a payment of which the rail knows nothing. */
async function reconcile(page: Page): Promise<void> {
  await page.goto('/console/reconciliation');
  await page.getByRole('link', { name: 'Upload a statement' }).click();
  await upload(page, 'no,statement\n');
  await page.getByRole('alert').waitFor();
  await upload(page, `${HEADER}\n<b>X-1</b>,9000,UGX,SUCCESSFUL,TX-1,2026-11-21T09:00:00Z\n`);
  await page.waitForURL('**/console/reconciliation/runs/RECON-*');
  await page.getByText('The statement was compared.').waitFor();
  await page.getByRole('link', { name: 'Missing here (1)' }).click();
  const row = page.getByRole('row').filter({ hasText: '<b>X-1</b>' });
  await row.getByText('UGX 9,000').waitFor();
  await page.getByRole('button', { name: 'Compare again' }).click();
  await page.getByText('Repeats').waitFor();
  expect(await page.getByText('The statement was compared.').count()).toBe(1);
}

/** Finds a service, and sets its fee from the beginning of a year to come. */
async function setComingFee(page: Page): Promise<void> {
  await page.goto('/console/services');
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Name or code').fill('clearance');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await page.getByRole('link', { name: 'Tax clearance certificate' }).click();
  await page.getByLabel('New fee in UGX').fill('12,500');
  await page.getByLabel('From').fill(`${new Date().getUTCFullYear() + 1}-01-01`);
  await page.getByLabel('Reason').fill('The budget');
  await page.getByRole('button', { name: 'Preview the change' }).click();
  await page.getByRole('heading', { name: 'Check the new fee' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set fee' }).click();
  await page.getByText('The fee is set.').waitFor();
  await page.getByText('UGX 12,500 from 1 Jan').waitFor();
  await page.getByText('Service changed').first().waitFor();
  await page.getByRole('button', { name: 'Withdraw this fee' }).click();
  await page.getByText('No future fee is set.').waitFor();
}

/** Looks at what a file would change of the catalogue, and changes it. */
async function loadCatalogue(page: Page): Promise<void> {
  const profile = readFileSync(new URL('../../../prisma/catalogue/KE.json', import.meta.url), 'utf8');
  await page.goto('/console/agencies');
  await page.getByRole('link', { name: 'Load a catalogue file' }).click();
  await page.getByLabel('Catalogue file').setInputFiles({
    name: 'KE.json',
    mimeType: 'application/json',
    buffer: Buffer.from(profile.replace('"fee": 24500', '"fee": 24600')),
  });
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.getByText('1 change', { exact: true }).waitFor();
  await page.getByText('24,600').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make these changes' }).click();
  await page.getByText('The catalogue was loaded.').waitFor();
}

/** Publishes a notice, which stands above every page from then on, and withdraws it. */
async function publishNotice(page: Page): Promise<void> {
  await page.goto('/console/notices');
  await page.getByRole('link', { name: 'Publish a notice' }).click();
  await page.getByLabel('Title').fill('Mobile money is slow');
  await page.getByLabel('Text').fill('Payments <b>may</b> take some minutes.');
  await page.getByRole('region', { name: 'As people see it' }).getByText('<b>may</b>').waitFor();
  await page.getByLabel('Warning').check();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The notice is published.').waitFor();
  const banner = page.getByRole('complementary', { name: 'Service notice' });
  const notice = page.url().replace(/\?.*/, '');
  await page.goto('/');
  await banner.getByText('Mobile money is slow').first().click();
  await banner.getByText('Payments <b>may</b> take some minutes.').waitFor();
  await page.goto(notice);
  await page.getByLabel('Title').fill('Mobile money is very slow');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await banner.getByText('Mobile money is very slow').waitFor();
  await page.getByLabel('Reason for withdrawing').fill('It works again');
  await page.getByRole('button', { name: 'Withdraw this notice' }).click();
  await page.getByText('The notice was withdrawn.').waitFor();
  await banner.waitFor({ state: 'detached' });
}

/** Has an endpoint of an agency asked whether it answers. */
async function probe(page: Page): Promise<void> {
  await page.goto('/console/endpoints');
  await page.getByRole('button', { name: 'Probe tin-verify', exact: true }).click();
  await page.getByText('The endpoint was probed.').waitFor();
  await page.getByRole('row').filter({ hasText: 'tin-verify' }).getByText('Answers').waitFor();
}

describe.skipIf(!browser.found)(runInBrowser('an operator who looks after the catalogue'), () => {
  it.each([true, false])(
    'compares a statement and follows what it lacks (with a script: %s)',
    async (javaScriptEnabled) => {
      const { email } = await makeStaff(rail, 'system_manager');
      const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled });
      await signIn(page, email, '/console');
      await reconcile(page);
      expect(wrong).toEqual([]);
      await close();
    },
    60_000,
  );

  it('sets the fee of a service for a day to come, and loads a file once its differences are seen', async () => {
    const { email } = await makeStaff(rail, 'admin');
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/console');
    await setComingFee(page);
    await loadCatalogue(page);
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);

  it('publishes a notice that everybody sees, and finds out whether an agency answers', async () => {
    const { email } = await makeStaff(rail, 'system_manager');
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/console');
    await publishNotice(page);
    await probe(page);
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);
});
