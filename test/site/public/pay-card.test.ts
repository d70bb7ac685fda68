import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createAssessed, makeActor } from '../../harness/flow.ts';
import { planNext, startOutsideRail } from '../../harness/outside.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeLink } from '../../harness/people/link.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow } from '../browsing.ts';

const browser = testBrowser();
const held = startOutsideRail();
let actor: Actor;

beforeAll(async () => {
  actor = await makeActor(held.rail);
});

describe.skipIf(!browser.found)(runInBrowser('somebody with a card'), () => {
  it('pays at the page of the aggregator, comes back, and sees the receipt as soon as it is there', async () => {
    const { rail, outside } = held;
    // It waits for them, and does not pay automatically.
    planNext(outside, 'card', { settleMs: 600_000 });
    const link = await makeLink(rail, actor, await createAssessed(rail, actor));
    const { page, wrong, close } = await openWindow(browser, rail, { viewport: { width: 360, height: 740 } });
    await page.goto(link.path);
    await page.getByLabel('Card', { exact: true }).check();
    await page.getByRole('button', { name: /^Pay UGX/ }).click();
    await page.waitForURL(`${outside.card.url}/pay/**`);
    const seen = await page.evaluate(() => document.referrer);
    expect(seen).toBe('');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`**${link.path}/wait?**`);
    await page.getByText('Paid. Thank you.').waitFor();
    await page.getByRole('link', { name: 'Show the receipt' }).click();
    await page.waitForURL(`**${link.path}/done`);
    expect(await page.locator('article').innerText()).toMatch(/RCP-[\d-]+[^]*450,000[^]*135,000[^]*585,000/);
    // The page of the aggregator is the only other host that was asked.
    expect(wrong.filter((url) => !url.startsWith(outside.card.url))).toEqual([]);
    await page.goto(link.path);
    expect(await page.locator('main').innerText()).toContain('Paid. Thank you.');
    await close();
  });

  it('waits for the phone of another way, and is told without asking', { tags: 'long' }, async () => {
    const { rail, outside } = held;
    planNext(outside, 'mtn_momo', { settleMs: 1_500 });
    const link = await makeLink(rail, actor, await createAssessed(rail, actor));
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto(link.path);
    await page.getByLabel('MTN Mobile Money').check();
    await page.getByLabel('Your phone number').fill('0772 123 456');
    await page.getByRole('button', { name: /^Pay UGX/ }).click();
    await page.getByText('Approve the payment on your phone.').waitFor();
    await expectAccessible(page);
    await page.getByText('Paid. Thank you.').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });
});
