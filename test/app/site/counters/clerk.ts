import type { Page } from 'playwright-core';

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
  await page.getByLabel('Quantity of Motor vehicle transfer of ownership').fill('1');
  await Promise.all([
    page.waitForURL('**/assessments/*'),
    page.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
}
