import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { makeAccount, someEmail } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type Mailbox, openMailbox } from '../../harness/people/mailbox.ts';
import { PASSWORD, makeStaff } from '../../harness/people/staff.ts';
import { enrol, passCodes } from '../../harness/people/second-factor.ts';
import { TestRail } from '../../harness/rail.ts';
import { sendForm } from '../forms/sending.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow } from '../browsing.ts';

const browser = testBrowser();
const run = promisify(execFile);
/** The snippet for Python is run where there is one, which the rail itself does not need. */
const PYTHON = spawnSync('python3', ['--version']).status === 0;
let mailbox: Mailbox;
let rail: TestRail;

beforeAll(async () => {
  mailbox = await openMailbox();
  rail = new TestRail({ SMTP_URL: mailbox.url, JOBS: 'on', DEV_REVEAL: 'on' });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await mailbox.close();
});

/** Sends a form without a browser, as one without a script does. */
async function submit(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(rail.origin + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
}

describe.skipIf(!browser.found)(runInBrowser('somebody who wants to integrate'), () => {
  it('signs up, makes a first call with what the page shows, and is signed in; the key is shown to nobody else', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    const email = someEmail();
    await page.goto('/signin?to=%2Fdashboard');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your full name').fill('Nakato <b>Ruth</b>');
    await page.getByLabel('Organisation').fill('Ministry of “Quotes” & Co');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel(/I accept version/).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();

    const codePage = page.url();
    await page.getByLabel('Code').fill('000000');
    const otp = await mailbox.codeFor(email);
    if (otp !== '000000') {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The code is wrong or has expired').first().waitFor();
    }
    await page.getByLabel('Code').fill(otp);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Your first key' }).waitFor();
    await expectAccessible(page);
    const key = (await page.locator('#plaintext').textContent())!;
    const curl = (await page.locator('#call-curl').textContent())!;
    const node = (await page.locator('#call-nodejs').textContent())!;
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('urllib.request.Request').waitFor();
    const python = (await page.locator('#call-python').textContent())!;

    expect(JSON.parse((await run('sh', ['-c', curl])).stdout)).toMatchObject({ data: { contact_email: email } });
    const asked = await run(process.execPath, ['--input-type=module', '--eval', node]);
    expect(asked.stdout).toMatch(/^200 /);
    if (PYTHON) expect((await run('python3', ['-c', python])).stdout).toMatch(/^200 /);

    // Sent again from the page before, the same form shows the same key.
    await page.goto(codePage);
    await page.getByLabel('Code').fill(otp);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('#plaintext').waitFor();
    expect(await page.locator('#plaintext').textContent()).toBe(key);
    const [, account] = /signup\/([^?]+)\?/.exec(codePage)!;
    const other = await submit(`/signup/${account}/key`, { otp, _mark: 'another', _page: `/signup/${account}` });
    expect([other.status, await other.text()]).toEqual([409, expect.not.stringContaining(key)]);

    await page.getByRole('link', { name: 'Go to your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ministry of “Quotes” & Co' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('comes back by a mailed link to the page that they were on their way to', async () => {
    const { email } = await makeAccount(rail);
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/dashboard?from=bookmark');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await page.goto(await mailbox.linkFor(email, 1));
    await page.waitForURL('**/dashboard?from=bookmark');
    expect(wrong).toEqual([]);
    await close();
  });
});

describe.skipIf(!browser.found)(runInBrowser('somebody on the staff'), () => {
  it('chooses a new password by mail, and goes on where a session ended', { tags: 'long' }, async () => {
    const { email } = await makeStaff(rail, 'clerk');
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/signin?to=%2Fcounter');
    await page.getByRole('link', { name: 'Staff' }).click();
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();

    await page.goto(await mailbox.linkFor(email));
    await page.getByLabel('New password').fill('four unrelated words sail');
    await page.getByLabel('Repeat password').fill('four unrelated words sink');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('must be the same').first().waitFor();
    for (const label of ['New password', 'Repeat password']) await page.getByLabel(label).fill('correct horse battery');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('You can sign in now').waitFor();
    // On the way to the counter all along.
    await page.getByRole('link', { name: 'Staff sign in' }).click();
    await page.waitForURL('**/signin/staff?to=%2Fcounter');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/counter');

    await rail.rows(sql`update staff_session set ended_at = now() where staff = ${email}`);
    await page.getByLabel('Agency').selectOption('URA');
    await page.getByRole('button', { name: 'Open shift' }).click();
    await page.waitForURL('**/signin/staff?to=%2Fcounter');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/counter');
    expect(wrong).toEqual([]);
    await close();
  });

  it('gives the code of their second factor without a script, and is told how long a lock lasts', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    passCodes(rail);
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    const enter = async (label: string, value: string) => {
      await page.getByLabel(label).fill(value);
      await page.keyboard.press('Enter');
    };
    await page.goto('/counter');
    await page.getByLabel('E-mail address').fill(clerk.email);
    await enter('Password', PASSWORD);
    await page.waitForURL('**/signin/staff/code?to=%2Fcounter');
    await enter('Code', '000000');
    await page.getByText('The code or passkey is wrong').first().waitFor();
    await enter('Code', app.code());
    await page.getByRole('heading', { level: 1, name: 'Counter' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    for (let tries = 0; tries < 5; tries++)
      await submit('/signin/staff', { email: clerk.email, password: 'no', _page: '/signin/staff' });
    await page.goto('/signin/staff');
    await page.getByLabel('E-mail address').fill(clerk.email);
    await enter('Password', PASSWORD);
    await page.getByText('Try again in 15 minutes').first().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });
});

/** Signs in by password on the way to a page; answers where that leads, and the cookie that a login waits by. */
async function showPassword(email: string, to = '/counter') {
  const answer = await submit('/signin/staff', { email, password: PASSWORD, to, _page: '/signin/staff' });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('log_in='));
  return { answer, location: answer.headers.get('location'), cookie: cookie?.split(';')[0] ?? '' };
}

const showCode = (cookie: string, code: string) =>
  sendForm(rail, '/signin/staff/code', cookie, { code, to: '/counter', _page: '/signin/staff/code?to=%2Fcounter' });

describe('a second factor at the door', () => {
  it('is asked for on a page of its own, where a wrong code asks for no password again', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    expect((await showPassword(clerk.email)).location).toBe('/counter');
    const app = await enrol(rail, clerk.cookie);
    passCodes(rail);
    const { location, cookie, answer } = await showPassword(clerk.email);
    expect(location).toBe('/signin/staff/code?to=%2Fcounter');
    expect(answer.headers.getSetCookie().join()).toMatch(/log_in=[^;]+; Max-Age=300;.*HttpOnly; Secure; SameSite=Lax/);
    expect(Buffer.from(cookie.split('=')[1]!, 'base64url').includes(clerk.email)).toBe(false);

    const wrong = await showCode(cookie, '000000');
    const text = await wrong.text();
    expect([wrong.status, wrong.headers.getSetCookie().join()]).toEqual([401, '']);
    expect(text).toContain('The code or passkey is wrong');
    expect(text).not.toContain('type="password"');
    const right = await showCode(cookie, app.code());
    expect([right.status, right.headers.get('location')]).toEqual([303, '/counter']);
    expect(right.headers.getSetCookie().map((one) => one.split('=')[0])).toEqual(['sid', 'known', 'log_in']);
  });

  it('waits five minutes, in one browser, and not for another password', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    const lapses = async (cookie: string) => {
      const answer = await showCode(cookie, app.code());
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Start again')]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    };
    await lapses('');
    await lapses('log_in=bm90aGluZw');
    const { cookie } = await showPassword(clerk.email);
    rail.advance(5.1 / 60);
    await lapses(cookie);
    const later = await showPassword(clerk.email);
    await rail.rows(sql`update staff set password_hash = password_hash || 'x' where email = ${clerk.email}`);
    await lapses(later.cookie);
  });

  it('counts wrong codes as wrong passwords: once it is locked, it says for how long', async () => {
    const clerk = await makeStaff(rail, 'clerk');
    const app = await enrol(rail, clerk.cookie);
    const { cookie } = await showPassword(clerk.email);
    for (let tries = 0; tries < 5; tries++) expect((await showCode(cookie, '000000')).status).toBe(401);
    rail.advance(61 / 3_600);
    const locked = await showCode(cookie, app.code());
    const seconds = Number(locked.headers.get('retry-after'));
    expect([locked.status, Math.ceil(seconds / 60), seconds < 840]).toEqual([401, 14, true]);
    expect(await locked.text()).toContain('Try again in 14 minutes');
    const { answer } = await showPassword(clerk.email);
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('Try again in 14 minutes')]);
    const nobody = () =>
      submit('/signin/staff', { email: 'nobody@agency.example', password: 'x', _page: '/signin/staff' });
    for (let tries = 0; tries < 5; tries++) await nobody();
    expect(await (await nobody()).text()).toContain('Try again in 15 minutes');
  });
});

describe('the door', () => {
  it('shows a first key again where its answer was lost, and says how to sign in', async () => {
    const email = someEmail();
    const started = await submit('/signup', {
      fullName: 'A',
      organisation: 'B',
      email,
      tosAcceptedVersion: (await rail.ask('/v1/signup/tos')).data.version,
      _mark: randomUUID(),
    });
    const at = new URL(started.headers.get('location')!, rail.origin);
    const fields = { otp: at.searchParams.get('code')!, _mark: 'lost', _page: at.pathname };
    const first = await (await submit(`${at.pathname}/key`, fields)).text();
    expect(first).toContain('you are signed in');
    const again = await (await submit(`${at.pathname}/key`, fields)).text();
    expect(again).toContain('this browser is not signed in yet');
    expect(again).toContain('href="/signin?to=%2Fdashboard"');
    const keyOf = (text: string) => /id="plaintext">([^<]+)</.exec(text)?.[1];
    expect(keyOf(again)).toBe(keyOf(first));
  });

  it('says beside the form what is missing, and how long to wait', async () => {
    const blank = await (await submit('/signup', { fullName: 'A', _page: '/signup' })).text();
    for (const label of ['Organisation', 'E-mail address', 'Terms of service'])
      expect(blank).toContain(`${label}: fill this in.`);
    const email = someEmail();
    const ask = () => submit('/signin', { email, _page: '/signin?to=%2Fdashboard', to: '/dashboard' });
    expect((await ask()).status).toBe(200);
    const early = await ask();
    expect([early.status, early.headers.has('retry-after')]).toEqual([429, true]);
    expect(await early.text()).toMatch(/Try again in \d+ (seconds?|minutes?)\.[^]*value="\/dashboard"/);
  });

  it('leads nowhere but to this host', async () => {
    const { email } = await makeAccount(rail);
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      await rail.rows(sql`update sign_in_quota set last_sent_at = last_sent_at - interval '61 seconds'`);
      expect((await submit('/signin', { email, to })).status).toBe(200);
    }
    const links = await rail.rows<{ to: string | null }>(sql`select return_to as to from magic_link where integrator is
      not null and created_at > now() - interval '1 minute' and return_to not like '/dashboard%'`);
    expect(links).toEqual([]);
  });

  it('says of an address that takes forms alone how to go on', async () => {
    const answer = await fetch(`${rail.origin}/work/signout`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.text()).toContain('Go to your home page');
  });
});
