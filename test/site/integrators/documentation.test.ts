import { describe, expect, it } from 'vitest';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

describe.skipIf(!browser.found)(runInBrowser('the documentation'), () => {
  it('is searched from each of its pages, without a script', async () => {
    const { page, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    for (const [from, words, title, path] of [
      ['/docs', 'confirm payment', 'Confirm a payment', '/docs/api/confirmPayment'],
      ['/docs/integrators', 'assessment.paid', 'assessment.paid', '/docs/events/assessment.paid'],
      ['/docs/api', 'passkey', 'Staff', '/docs/counter#staff'],
    ] as const) {
      await page.goto(from);
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('main').getByRole('link', { name: title, exact: true }).first().click();
      expect(page.url()).toBe(rail.origin + path);
    }
    await page.goto('/docs/search?q=nothinglikethis');
    await page.getByText('Nothing has all these words').waitFor();
    await close();
  });

  it('shows what it found legibly, and marks nothing up that somebody searches for', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto(`/docs/search?q=${encodeURIComponent('shift <img src=x>')}`);
    await page.goto('/docs/search?q=shift');
    expect(await page.locator('.hits li').count()).toBeGreaterThan(5);
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(wrong).toEqual([]);
    await close();
  });

  it('copies the commands of a lesson by a button', async () => {
    const { page, close } = await openWindow(browser, rail, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs/first-payment');
    await page.locator('article').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`RAIL=${rail.origin}`);
    await close();
  });
});
