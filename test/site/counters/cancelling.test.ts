import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { collectInShift, openShift as openShiftOf } from '../../harness/people/counter.ts';
import { runInBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { expectAccessible } from '../accessible.ts';
import { signIn } from '../browsing.ts';
import { NINS, fillBasket, openShift, useCounter } from './clerk.ts';

const { rail, browser, newClerk, open } = useCounter();

const statusOf = async (assessment: string) =>
  (await rail.rows<{ status: string }>(sql`select status from assessment where name = ${assessment}`))[0]!.status;

const nameIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)!;

/** Gives the reason for a cancellation or a reversal, and sends the form. */
async function confirm(page: Page, button: string, reason: string): Promise<void> {
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: button }).click();
}

describe.skipIf(!browser.found)(runInBrowser('what was entered and left'), () => {
  it('is offered again with the person, taken up or cancelled, and named when the shift closes', async () => {
    const { page, wrong, close } = await open();
    await signIn(page, await newClerk(), '/counter');
    await openShift(page);
    const shift = page.url().split('?')[0]!;
    const left: string[] = [];
    for (let times = 0; times < 2; times++) {
      await page.goto(shift);
      await fillBasket(page, NINS[0]!);
      left.push(nameIn(page));
    }
    await page.goto(shift);
    await page.getByLabel('Find a person').fill(NINS[0]!);
    await page.keyboard.press('Enter');
    await page.locator('.cards a').first().click();
    await page.getByRole('heading', { name: '2 unpaid assessments of this person' }).waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: `Cancel ${left[0]}` }).click();
    await page.getByText('Nothing was paid: no money is given back').waitFor();
    await expectAccessible(page);
    await confirm(page, 'Cancel assessment', 'Entered <b>twice</b>');
    await page.getByText('The assessment is cancelled.').waitFor();
    await page.getByRole('heading', { name: '1 unpaid assessment of this person' }).waitFor();
    expect(await Promise.all(left.map(statusOf))).toEqual(['Cancelled', 'Assessed']);

    await page.goto(`${shift}/close`);
    await page.getByRole('heading', { name: '1 assessment of this shift is unpaid' }).waitFor();
    await page.getByLabel('Cash counted').fill('50000');
    await page.getByRole('button', { name: 'Close shift' }).click();
    await page.getByRole('alert').getByText('This shift has unpaid assessments').waitFor();
    await expectAccessible(page);
    // Nothing was counted: the till is still open for what is taken up.
    await page.getByRole('link', { name: `Take up ${left[1]}` }).click();
    await page.getByRole('button', { name: 'Take cash' }).click();
    await page.getByText('Payment receipt').waitFor();

    await page.goto(shift);
    await fillBasket(page, NINS[1]!);
    const third = nameIn(page);
    await page.goto(`${shift}/close`);
    await page.getByLabel('Cash counted').fill('193000');
    await page.getByLabel('Close the shift and leave them unpaid').check();
    await page.getByRole('button', { name: 'Close shift' }).click();
    await page.getByText('The shift is closed.').waitFor();
    expect(await Promise.all([...left, third].map(statusOf))).toEqual(['Cancelled', 'Paid', 'Assessed']);
    expect(wrong).toEqual([]);
    await close();
  });

  it('is cancelled by a clerk in their own shift alone, and what is paid by none', async () => {
    const [own, other] = [await makeStaff(rail, 'clerk'), await makeStaff(rail, 'clerk')];
    const shift = await openShiftOf(own);
    const { assessment } = await collectInShift(rail, own, shift);
    const cancel = (who: typeof own) => who.post(`/v1/assessments/${assessment}:cancel`, { reason: 'Mistake' });
    for (const who of [own, other]) {
      const { status, json } = await cancel(who);
      expect([status, json.error.details[0].code]).toEqual([403, 'not_in_own_shift']);
      const { text } = await who.ask(`/work/assessments/${assessment}/cancel`, { headers: { accept: 'text/html' } });
      expect(text).toContain('A supervisor has to cancel this');
      expect(text).not.toContain('name="reason"');
    }
    expect(await statusOf(assessment)).toBe('Paid');
  });
});

describe.skipIf(!browser.found)(runInBrowser('a supervisor with a browser'), () => {
  it('reverses a payment from the shift, and is told what to give back and who hears of it', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const supervisor = await makeStaff(rail, 'supervisor');
    const shift = await openShiftOf(clerk);
    const { assessment } = await collectInShift(rail, clerk, shift);
    const { page, wrong, close } = await open();
    await signIn(page, supervisor.email, `/supervision/shifts/${shift}`);
    await page.getByRole('link', { name: `Reverse ${assessment}` }).click();
    await page.getByText('Give the payer UGX\u00a010,000 in cash.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Reverse payment' }).click();
    expect(await statusOf(assessment)).toBe('Paid');
    await confirm(page, 'Reverse payment', 'Paid for another person');
    await page.waitForURL(`**/supervision/shifts/${shift}*`);
    await page.getByText('The payment is reversed.').waitFor();
    expect(await statusOf(assessment)).toBe('Cancelled');
    await page.getByRole('link', { name: assessment }).first().click();
    await page.waitForURL('**/console/assessments/*');
    expect(await page.getByRole('link', { name: 'Reverse' }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });
});
