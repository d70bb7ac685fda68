import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeAccount } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });

const keysOf = (integrator: string) => rail.count(sql`select 1 from api_key where integrator = ${integrator}`);

describe.skipIf(!browser.found)(runInBrowser('an operator of accounts with a browser'), () => {
  it('lets an account go live, issues it a key that is shown once, and revokes that', async () => {
    const { integrator, key: first } = await makeAccount(rail);
    const name = 'Parking <b>of</b> مدينة';
    const named = await rail.ask('/v1/me', { method: 'PATCH', key: first, body: { display_name: name } });
    expect(named.status).toBe(200);
    await rail.ask('/v1/me:request-live', { key: first, body: { agencies: ['URA'], channels: ['mtn_momo'] } });
    const operator = await makeStaff(rail, 'system_manager');
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, operator.email, '/console/live-requests');

    await page.getByRole('row').filter({ hasText: 'Parking <b>of</b>' }).getByRole('link').click();
    await page.getByLabel('Kampala Capital City Authority').check();
    await page.getByLabel('Requests a minute').fill('300');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The request is approved.').waitFor();
    await page.getByRole('link', { name: integrator }).click();
    await page.getByText('Parking <b>of</b>').first().waitFor();
    expect(await page.locator('dl').textContent()).toMatch(/Live[\s\S]*KCCA, URA|Live[\s\S]*URA, KCCA/);

    await page.getByRole('link', { name: 'Issue a key' }).click();
    await page.getByLabel('Label').fill('Tills');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Label').inputValue()).toBe('Tills');
    await page.getByLabel('Create assessments').check();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByRole('heading', { name: 'The key was issued' }).waitFor();
    const plaintext = (await page.locator('#key').textContent())!;
    const answers = async () => (await rail.ask('/v1/me', { key: plaintext })).status;
    expect(await answers()).toBe(200);
    expect(await keysOf(integrator)).toBe(2);
    await page.goto('/console/keys/issue');
    expect(await page.content()).not.toContain(plaintext);
    await page.goto(`/console/keys?integrator=${integrator}`);
    await page.getByRole('link', { name: 'Tills' }).click();
    await page.getByRole('heading', { name: 'Tills' }).waitFor();
    expect(await page.content()).not.toContain(plaintext);
    await page.reload();
    expect(await page.content()).not.toContain(plaintext);

    await page.getByRole('link', { name: 'Revoke this key' }).click();
    await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
    expect(await answers()).toBe(200);
    await page.getByLabel('Reason').fill('Leaked');
    await page.getByRole('button', { name: 'Yes, revoke it' }).click();
    await page.getByText('The key has been revoked.').waitFor();
    expect(await answers()).toBe(401);
    await page.getByRole('link', { name: 'Audit log of this record' }).click();
    await page.getByRole('row').filter({ hasText: 'Key revoked' }).filter({ hasText: 'Leaked' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  }, 60_000);

  it('invites a colleague, changes their roles, and makes them an admin only together with another admin', async () => {
    const [asker, other] = [await makeStaff(rail, 'admin'), await makeStaff(rail, 'admin')];
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, asker.email, '/console/staff');
    await page.getByRole('link', { name: 'Invite somebody' }).click();
    await page.getByLabel('E-mail address').fill('new.colleague@agency.example');
    await page.getByLabel('Full name').fill('A <i>colleague</i>');
    await page.getByRole('checkbox', { name: /^Clerk/ }).check();
    await page.getByLabel('Uganda Revenue Authority').check();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('The invitation was sent.').waitFor();
    await page.getByRole('heading', { name: 'A <i>colleague</i>' }).waitFor();
    await page.getByRole('checkbox', { name: /^Supervisor/ }).check();
    await page.getByRole('checkbox', { name: /^Admin/ }).check();
    await page.getByLabel('Reason').first().fill('Head of the office');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody requested more roles for them.').waitFor();
    expect(await page.locator('dl').textContent()).toMatch(/Clerk, Supervisor|Supervisor, Clerk/);
    await page.getByRole('link', { name: 'Somebody requested' }).click();
    await page.getByText('You requested this: somebody independent of you has to approve it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();

    const plain = await openWindow(browser, rail, { javaScriptEnabled: false });
    await signIn(plain.page, other.email, '/console/approvals');
    await plain.page.getByRole('button', { name: 'Approve' }).click();
    await plain.page.getByText('Approved.').waitFor();
    const [row] = await rail.rows<{ roles: string[] }>(
      sql`select roles from staff where email = 'new.colleague@agency.example'`,
    );
    expect(row!.roles.toSorted()).toEqual(['admin', 'clerk', 'supervisor']);
    expect(plain.wrong).toEqual([]);
    await plain.close();
  }, 60_000);
});
