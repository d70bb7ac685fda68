import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { addStaff } from '../../../src/identity/members/add.ts';
import { testBrowser } from '../../harness/people/browser.ts';
import { PASSWORD, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow } from '../browsing.ts';

/** Numbers that the identity authority knows. */
export const NINS = Array.from({ length: 14 }, (_, nth) => `CF0000000000${String(nth + 1).padStart(2, '0')}`);

/** A counter with people who can pay at it, and a browser for whoever works there. */
export function useCounter() {
  const browser = testBrowser();
  const rail = testRail();
  let clerks = 0;
  beforeAll(async () => {
    const { post } = await makeStaff(rail, 'clerk');
    for (const nin of NINS) await post('/v1/work/citizens', { nin });
  });
  return {
    rail,
    browser,
    /** Makes a clerk, and answers their address. */
    async newClerk(): Promise<string> {
      const email = `window-${++clerks}@counter.example`;
      await addStaff(rail.rail, { email, name: 'A <b>Clerk</b>', roles: ['clerk'], password: PASSWORD });
      return email;
    },
    open: (options?: BrowserContextOptions) => openWindow(browser, rail, options),
  };
}

/** Presses the key that sends a form, and waits for where it leads. */
export const pressTo = async (page: Page, url: string) => {
  await Promise.all([page.waitForURL(url), page.keyboard.press('Enter')]);
};

/** Opens a shift of one agency. */
export async function openShift(page: Page): Promise<void> {
  await page.getByLabel('Agency').selectOption('URA');
  await page.getByLabel('Opening float').fill('50,000');
  await Promise.all([page.waitForURL('**/counter/shifts/*'), page.getByRole('button', { name: 'Open shift' }).click()]);
}

/** From a NIN to the page where the payment is taken. */
export async function fillBasket(page: Page, nin: string): Promise<void> {
  await page.getByLabel('Find a person').fill(nin);
  await pressTo(page, '**/people*');
  await page.locator('.cards a').first().click();
  await page.getByRole('spinbutton', { name: 'Quantity Motor vehicle transfer of ownership' }).fill('1');
  await Promise.all([
    page.waitForURL('**/assessments/*'),
    page.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
}
