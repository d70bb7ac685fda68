import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, someEmail } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { TestRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';

const browser = testBrowser();
let mailbox: Mailbox;
let rail: TestRail;

beforeAll(async () => {
  mailbox = await openMailbox();
  rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on' });
  await rail.start();
}, 120_000);
afterAll(async () => {
  await rail.stop();
  await mailbox.close();
});

async function newAccount(): Promise<{ email: string; key: string }> {
  const email = someEmail();
  const { data } = await signUp(rail, email, { organisation: 'Kampala <script>alert(1)</script> Council' });
  const otp = await mailbox.codeFor(email);
  const verified = await rail.ask('/v1/signup/verify', { body: { integrator_id: data.integrator_id, otp } });
  return { email, key: verified.data.plaintext };
}

const answers = async (key: string) => (await rail.ask('/v1/assessments', { key })).status;

describe.skipIf(!browser.found)(runInBrowser('an integrator with a browser'), () => {
  it('asks for a link, follows it from the mail, rotates and revokes a key, reads the log, and signs out', async () => {
    const { email, key } = await newAccount();
    expect(await answers(key)).toBe(200);
    const context = await browser.newContext();
    const page = await context.newPage();
    const blocked: string[] = [];
    page.on('console', (message) => message.type() === 'error' && blocked.push(message.text()));

    await page.goto(`${rail.origin}/dashboard`);
    expect(page.url()).toBe(`${rail.origin}/signin?to=%2Fdashboard`);
    await expectAccessible(page);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await expect.poll(() => page.textContent('h1')).toBe('Check your e-mail');
    await expectAccessible(page);

    await page.goto(await mailbox.linkFor(email, 1));
    expect(page.url()).toBe(`${rail.origin}/dashboard`);
    expect(await page.textContent('h1')).toBe('Kampala <script>alert(1)</script> Council');
    await page.getByText('GET /v1/assessments').first().waitFor();
    await expectAccessible(page);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'service_session', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(cookie!.expires - Date.now() / 1_000).toBeGreaterThan(13.9 * 86_400);

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name: /^Rotate/ }).click();
    await page.getByLabel(/keeps working/).fill('3');
    await page.getByRole('button', { name: 'Rotate' }).click();
    const plaintext = (await page.locator('#plaintext').textContent())!;
    expect([await answers(key), await answers(plaintext)]).toEqual([200, 200]);
    await expectAccessible(page);
    await page.goto(`${rail.origin}/dashboard/keys`);
    expect(await page.content()).not.toContain(plaintext);

    const rolling = page.getByRole('row').filter({ hasText: 'Being replaced' });
    await rolling.getByRole('link', { name: /^Revoke/ }).click();
    await page.getByLabel('Reason').fill('Rotated');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('has been revoked.').waitFor();
    expect([await answers(key), await answers(plaintext)]).toEqual([401, 200]);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${rail.origin}/signin?done=signedOut`);
    await page.goto(`${rail.origin}/dashboard`);
    expect(page.url()).toBe(`${rail.origin}/signin?to=%2Fdashboard`);
    const old = await rail.ask('/v1/session', { headers: { cookie: `service_session=${cookie!.value}` } });
    expect(old.data).toEqual({ authenticated: false, integrator: null });
    expect(blocked).toEqual([]);
    await context.close();
  }, 60_000);

  it('is shown how to get a new link where one no longer works', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${rail.origin}/v1/login/consume?token=NO-SUCH.AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDD`);
    expect(page.url()).toBe(`${rail.origin}/signin/expired`);
    expect(await page.textContent('h1')).toBe('This link does not work');
    await expectAccessible(page);
    await page.getByLabel('E-mail address').fill(someEmail());
    await page.keyboard.press('Enter');
    await page.getByText('a link to sign in is on its way').waitFor();
    await page.goto(`${rail.origin}/terms`);
    await expectAccessible(page);
    await context.close();
  });

  it('is not signed in, out, or robbed of a key by a page of another origin', async () => {
    const { email } = await newAccount();
    const { email: attacker } = await newAccount();
    await rail.ask('/v1/login/request', { body: { email } });
    await rail.ask('/v1/login/request', { body: { email: attacker } });
    const attackersLink = await mailbox.linkFor(attacker, 1);
    const context = await browser.newContext();
    const page = await context.newPage();
    // Another origin, of the same browser: a host name that leads here too.
    const elsewhere = rail.origin.replace('127.0.0.1', 'localhost');
    const hostile = (html: string) =>
      page.route(
        `${elsewhere}/hostile`,
        (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title>${html}` }),
        {
          times: 1,
        },
      );

    await hostile(
      `<img src="${attackersLink}"><script>fetch(${JSON.stringify(attackersLink)}, { mode: 'no-cors', credentials: 'include' })</script>`,
    );
    await page.goto(`${elsewhere}/hostile`, { waitUntil: 'networkidle' });
    expect(await context.cookies(rail.origin)).toEqual([]);
    await hostile(`<script>location = ${JSON.stringify(attackersLink)}</script>`);
    await page.goto(`${elsewhere}/hostile`, { waitUntil: 'networkidle' });
    expect(await context.cookies(rail.origin)).toEqual([]);

    await page.goto(await mailbox.linkFor(email, 1));
    expect(page.url()).toBe(`${rail.origin}/dashboard`);
    await page.goto(`${rail.origin}/dashboard/keys`);
    const keyName = /KEY-\d{4}-\d{6}/.exec(await page.content())![0];
    for (const action of [`/dashboard/keys/${keyName}/revoke`, '/dashboard/sign-out', '/v1/logout']) {
      await hostile(
        `<form method="post" action="${rail.origin}${action}"><input name="reason" value="x"></form><script>document.forms[0].submit()</script>`,
      );
      await page.goto(`${elsewhere}/hostile`, { waitUntil: 'networkidle' });
    }
    const [cookie] = await context.cookies(rail.origin);
    const headers = { cookie: `service_session=${cookie?.value}` };
    expect((await rail.ask('/v1/me/keys', { headers })).data).toMatchObject([{ status: 'active' }]);
    await context.close();
  }, 60_000);
});

describe.skipIf(!browser.found)(runInBrowser('the page on anomalies'), () => {
  it('says what each kind means, for everyone, and is accessible', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${rail.origin}/docs/anomalies`);
    const kinds = (await rail.ask('/v1/anomaly-rules')).data.length;
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(kinds);
    expect(await page.getByText('What to do.', { exact: true }).count()).toBe(kinds);
    // Nothing is wider than a phone.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectAccessible(page);
    await context.close();
  });
});
