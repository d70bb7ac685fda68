import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

const limits = async () =>
  (
    await rail.rows(sql`select cash_limit::text as one, shift_cash_limit::text as shift from mda where name = 'URSB'`)
  )[0];

describe.skipIf(!browser.found)(runInBrowser('the limits of cash of an agency'), () => {
  it('are those of its country until others are set, and again once they are taken away', async () => {
    const { email } = await makeStaff(rail, 'admin');
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/console/agencies/URSB');
    const facts = () => page.locator('dl').first().textContent();
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const [one, shift] = [page.getByLabel('Most cash in one payment'), page.getByLabel('Most cash in one shift')];
    expect(await facts()).toMatch(/Most cash in one payment\s*As the country: UGX\u00a025,000,000/);
    expect(await facts()).toMatch(/Most cash in one shift\s*As the country: UGX\u00a0500,000,000/);

    await page.goto('/console/agencies/URSB/edit');
    await page.getByText('Leave blank for the limit of the country, UGX\u00a0500,000,000').waitFor();
    for (const [typed, mistake] of [
      ['-1', 'must not be negative'],
      ['a lot', 'must be a'],
    ]) {
      await one.fill(typed!);
      await save();
      await page.getByRole('alert').getByText(mistake!).waitFor();
      expect(await one.inputValue()).toBe(typed);
      expect(await limits()).toEqual({ one: null, shift: null });
    }
    await expectAccessible(page);
    await one.fill('2,000,000');
    await shift.fill('40000000');
    await save();
    await page.waitForURL('**/console/agencies/URSB?done=*');
    expect(await limits()).toEqual({ one: '2000000.0000', shift: '40000000.0000' });
    expect(await facts()).toMatch(
      /Most cash in one payment\s*UGX\u00a02,000,000\s*Most cash in one shift\s*UGX\u00a040,000,000/,
    );

    await page.goto('/console/agencies/URSB/edit');
    await one.fill('');
    await save();
    await page.waitForURL('**/console/agencies/URSB?done=*');
    expect(await limits()).toEqual({ one: null, shift: '40000000.0000' });
    expect(await facts()).toContain('As the country: UGX\u00a025,000,000');
    expect(wrong).toEqual([]);
    await close();
  });
});
