import { beforeAll, describe, expect, it } from 'vitest';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let paid: { intent: string; assessment: string };

beforeAll(async () => {
  paid = await createConfirmed(rail, await makeActor(rail));
});

describe.skipIf(!browser.found)(runInBrowser('the box on every page of staff'), () => {
  it.each([true, false])(
    'finds anything, by its key or by hand (with a script: %s)',
    async (javaScriptEnabled) => {
      const { cookie } = await makeStaff(rail, 'supervisor');
      const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled });
      await addCookie(page.context(), rail, cookie);
      for (const path of ['/counter', '/supervision', '/console/payments', '/docs', '/work/account']) {
        await page.goto(path);
        const box = page.getByRole('searchbox', { name: 'Find anything' });
        if (javaScriptEnabled) await page.keyboard.press('/');
        else await box.focus();
        expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
        expect(await box.inputValue()).toBe('');
      }
      // One record goes straight to its page.
      await page.keyboard.type(paid.intent.toLowerCase());
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/console/payments/${paid.intent}`);

      await page.getByRole('searchbox', { name: 'Find anything' }).fill('UGX 585,000');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      const row = page.getByRole('row').filter({ hasText: paid.assessment });
      expect(await row.textContent()).toMatch(/Paid[^]*UGX\u00a0585,000/);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await row.getByRole('link').click();
      await page.waitForURL(`**/console/assessments/${paid.assessment}`);

      // A telephone has it in the menu.
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('searchbox', { name: 'Find anything' }).fill('nothing like it');
      await page.keyboard.press('Enter');
      await page.getByText('Nothing that you can see matches').waitFor();
      expect(wrong).toEqual([]);
      await close();
    },
    60_000,
  );
});
