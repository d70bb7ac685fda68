import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';
import { makeTrouble } from './trouble.ts';

const browser = testBrowser();
const rail = testRail();

const stateOf = async (table: string, name: string) => {
  const [row] = await rail.rows<{ status: string }>(
    table === 'anomaly'
      ? sql`select status::text from anomaly where name = ${name}`
      : sql`select status::text from propagation where name = ${name}`,
  );
  return row!.status;
};

describe.skipIf(!browser.found)(runInBrowser('an operator’s bad hour'), () => {
  it('begins with what needs a hand, and ends when it is settled', { tags: 'long' }, async () => {
    const trouble = await makeTrouble(rail);
    const operator = await makeStaff(rail, 'admin');
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, operator.email, '/console');
    await page.getByText('HTTP 503 <b>away</b>').waitFor();
    await page.getByRole('link', { name: 'The provider collected another amount' }).waitFor();

    await page.getByRole('link', { name: 'Send all again UR' }).click();
    await page.getByLabel('Reason').fill('Their system is back');
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('1 notice is being sent again.').waitFor();
    expect(await stateOf('propagation', trouble.propagation)).toBe('pending');

    await page.getByRole('search').getByRole('searchbox').fill(trouble.transaction);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/payments/${trouble.intent}`);
    await page.getByRole('link', { name: trouble.delivery }).click();
    await page.getByText('connect ECONNREFUSED').waitFor();
    await page.getByLabel('Reason').fill('Their endpoint is back');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The message is sent again.').waitFor();

    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('link', { name: `Resolve ${trouble.anomaly}` }).click();
    await page.getByText('UGX\u00a0584,000').waitFor();
    await page.getByLabel('Outcome').fill('   ');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Outcome').fill('The provider <i>corrected</i> it');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The anomaly is resolved.').waitFor();
    await page.getByText('The provider <i>corrected</i> it').first().waitFor();
    expect(await stateOf('anomaly', trouble.anomaly)).toBe('Resolved');
    expect(wrong).toEqual([]);
    await close();
  });

  it('is settled without a script too, and shows no payment to whoever may read none', async () => {
    const trouble = await makeTrouble(rail);
    const operator = await makeStaff(rail, 'system_manager');
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await signIn(page, operator.email, '/console');
    await page.getByRole('search').getByRole('searchbox').fill(trouble.anomaly);
    await page.keyboard.press('Enter');
    await page.getByLabel('Outcome').fill('Looked into');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('The anomaly is resolved.').waitFor();
    expect(await stateOf('anomaly', trouble.anomaly)).toBe('Resolved');
    const { ask } = await makeStaff(rail, 'oversight');
    const open = (path: string) => ask(path, { headers: { accept: 'text/html' } });
    expect((await open(`/console/payments/${trouble.intent}`)).status).toBe(403);
    const { text } = await open(`/work/find?q=${trouble.reference}`);
    expect(text).toContain('Nothing that you can see matches');
    expect(text).not.toContain(`/console/payments/${trouble.intent}`);
    // A single hit by a part of a name is shown: it may be another person's.
    const clerk = await makeStaff(rail, 'clerk');
    const listed = await open(`/work/find?q=${clerk.email}`);
    expect([listed.status, listed.text]).toEqual([200, expect.stringContaining(`>${clerk.email}<`)]);
    expect(wrong).toEqual([]);
    await close();
  });
});
