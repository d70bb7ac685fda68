import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { enrol, passCodes } from '../../harness/people/second-factor.ts';
import { PASSWORD, makeStaff } from '../../harness/people/staff.ts';
import { TestRail } from '../../harness/rail.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
let rail: TestRail;

beforeAll(async () => {
  rail = new TestRail({});
  await rail.start();
  // Passkeys are for a host name, as BASE_URL has one.
  rail.origin = rail.rail.origin = rail.origin.replace('127.0.0.1', 'localhost');
});
afterAll(() => rail.stop());

/** Gives a window an authenticator that consents to all that it is asked, until it is taken away. */
async function plugIn(page: Page): Promise<() => Promise<void>> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined);
}

async function showPassword(page: Page, email: string): Promise<void> {
  await page.goto('/signin/staff');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
}

describe.skipIf(!browser.found)(runInBrowser('a member of staff with a device for passkeys'), () => {
  it('adds a passkey, signs in with it, and removes it', async () => {
    const { email, cookie } = await makeStaff(rail, 'clerk');
    const { page, wrong, close } = await openWindow(browser, rail);
    await plugIn(page);
    await addCookie(page.context(), rail, cookie);
    await page.goto('/work/account');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Name').fill('Work <b>phone</b>');
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('heading', { name: 'The passkey is added' }).waitFor();
    expect((await page.locator('#codes').innerText()).split('\n')).toHaveLength(10);

    await page.context().clearCookies();
    await showPassword(page, email);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/work');

    await page.goto('/work/account/passkeys');
    await page.getByRole('rowheader', { name: 'Work <b>phone</b>' }).waitFor();
    await page.getByRole('link', { name: 'Remove Work <b>phone</b>' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The passkey is removed.').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'is told where the device answers nothing, and enters a code instead, as without a script',
    { tags: 'long' },
    async () => {
      const { email, cookie } = await makeStaff(rail, 'clerk');
      const app = await enrol(rail, cookie);
      passCodes(rail);
      const { page, close } = await openWindow(browser, rail);
      const unplug = await plugIn(page);
      await addCookie(page.context(), rail, cookie);
      await page.goto('/work/account/passkeys');
      await page.getByLabel('Code of your authenticator app').fill(app.code());
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Name').fill('Key');
      await page.getByRole('button', { name: 'Create the passkey' }).click();
      await page.getByRole('heading', { name: 'The passkey is added' }).waitFor();

      await unplug();
      await page.context().clearCookies();
      await showPassword(page, email);
      // A browser that has none is declined by its user.
      await page.evaluate(() => {
        navigator.credentials.get = () => Promise.reject(new Error('NotAllowedError'));
      });
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByText('Try again, or enter a code.').waitFor();
      passCodes(rail);
      await page.getByLabel('Code').fill(app.code());
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/work');
      await close();

      const plain = await openWindow(browser, rail, { javaScriptEnabled: false });
      await showPassword(plain.page, email);
      expect(await plain.page.getByRole('button', { name: 'Use a passkey' }).isVisible()).toBe(false);
      await plain.page.getByLabel('Code').fill(app.recoveryCodes[0]!);
      await plain.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await plain.page.waitForURL('**/work');
      await plain.close();
    },
  );
});
