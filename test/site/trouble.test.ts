import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { createAssessedFor } from '../harness/flow.ts';
import { runInBrowser, testBrowser } from '../harness/people/browser.ts';
import { openShift } from '../harness/people/counter.ts';
import { type StaffActor, makeStaff } from '../harness/people/staff.ts';
import { testRail } from '../harness/rail.ts';
import { addCookie, openWindow } from './browsing.ts';

const browser = testBrowser();
const rail = testRail();
let clerk: StaffActor;
let shift: string;

beforeAll(async () => {
  clerk = await makeStaff(rail, 'clerk');
  shift = await openShift(clerk);
});

/** A window of the clerk's at an assessment of a test's own, and where that stands. */
async function openAssessment() {
  const { assessment, amount } = await createAssessedFor(rail, clerk, 'URA-TCC', { shift });
  const { page, wrong, close } = await openWindow(browser, rail);
  await addCookie(page.context(), rail, clerk.cookie);
  const address = `/counter/assessments/${assessment}`;
  await page.goto(address);
  return {
    page,
    address,
    amount,
    intents: () => rail.count(sql`select 1 from payment_intent where assessment = ${assessment}`),
    intentsOf: (status: string) =>
      rail.count(sql`select 1 from payment_intent where assessment = ${assessment} and status::text = ${status}`),
    async leave() {
      expect(wrong).toEqual([]);
      await close();
    },
  };
}

describe.skipIf(!browser.found).concurrent(runInBrowser('a clerk in trouble'), () => {
  it('sees a payment that was made while the network was away, once it is back', { tags: 'long' }, async () => {
    const { page, amount, intentsOf, leave } = await openAssessment();
    await page.getByLabel('Payer’s phone number').fill('+256700000000');
    await page.getByRole('button', { name: 'Send payment request' }).click();
    const intent = (await page.getByText(/^PI-/).textContent())!;
    await page.context().setOffline(true);
    const event = { event_id: `trouble-${intent}`, intent, status: 'SUCCESSFUL', amount, currency: 'UGX' };
    for (const time of ['first', 'again'])
      expect((await rail.ask('/v1/webhooks/mtn_momo', { body: event })).data.decision, time).toBe('confirmed');
    const failed = new Set<string>();
    page.on('requestfailed', (request) => failed.add(`${failed.size} ${request.url()}`));
    await expect.poll(() => failed.size).toBeGreaterThan(2);
    expect(await page.locator('.status').textContent()).not.toContain('Paid');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Show receipt' }).waitFor();
    expect([await intentsOf('Confirmed'), await intentsOf('Sent')]).toEqual([1, 0]);
    await leave();
  });

  it('sends a form again that the network lost, and takes the cash once', async () => {
    const { page, intents, intentsOf, leave } = await openAssessment();
    // The rail is asked and answers; the browser never hears of it.
    await page.route('**/cash', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Take cash' }).click();
    await expect.poll(() => intentsOf('Confirmed')).toBe(1);
    await page.unroute('**/cash');
    await page.goBack();
    await page.getByText('Cash, Paid').waitFor();
    expect(await intents()).toBe(1);
    await leave();
  });

  it('clicks twice, in two tabs, and goes back, and takes the cash once', async () => {
    const { page, address, intentsOf, leave } = await openAssessment();
    const other = await page.context().newPage();
    await other.goto(address);
    await page.getByRole('button', { name: 'Take cash' }).dblclick();
    await page.getByText('Payment receipt').waitFor();
    await other.getByRole('button', { name: 'Take cash' }).click();
    await other.getByRole('alert').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^PI-/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Take cash' }).count()).toBe(0);
    expect([await intentsOf('Confirmed'), await intentsOf('Sent')]).toEqual([1, 0]);
    await leave();
  });
});
