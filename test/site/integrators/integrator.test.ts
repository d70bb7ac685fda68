import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { TestRail } from '../../harness/rail.ts';
import { type Sink, openSink } from '../../harness/sink.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow } from '../browsing.ts';

const browser = testBrowser();
const HOSTILE = `<img src=x onerror="document.title='owned'"> مكتب الضرائب ${'x'.repeat(40)}`;

let rail: TestRail;
let sink: Sink;

beforeAll(async () => {
  sink = await openSink();
  rail = new TestRail({ DEV_REVEAL: 'on', JOBS: 'on', WEBHOOK_ALLOW_PRIVATE: '1' });
  await rail.start();
});
afterAll(async () => {
  await rail.stop();
  await sink.close();
});
beforeEach(() => {
  sink.answer = (_message, res) => void res.end('ok');
});

async function openAccount(options: BrowserContextOptions = {}) {
  const account = await makeAccount(rail);
  const cookie = await signIn(rail, account);
  const [name, value] = cookie.split('=') as [string, string];
  const window = await openWindow(browser, rail, options);
  await window.page.context().addCookies([{ name, value, url: rail.origin }]);
  return { account, cookie, ...window };
}

const statusOf = async (key: string) => (await rail.ask('/v1/me', { key })).status;
const rename = ({ key }: Account) => rail.ask('/v1/me', { method: 'PATCH', key, body: { display_name: HOSTILE } });

describe.skipIf(!browser.found)(runInBrowser('an integrator at work'), () => {
  it(
    'issues a key that is shown once, hears by webhook, and sends again what did not arrive',
    { tags: 'long' },
    async () => {
      const { account, page, wrong, close } = await openAccount();
      await rename(account);
      await page.goto('/dashboard');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE);
      await page.getByRole('link', { name: 'Keys', exact: true }).click();
      await page.getByRole('link', { name: 'Issue a key' }).click();
      await page.getByLabel('Label').fill(HOSTILE);
      await page.getByRole('button', { name: 'Issue a key' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByLabel('Label').inputValue()).toBe(HOSTILE);
      await page.getByLabel('Find and read citizens').check();
      await page.getByRole('button', { name: 'Issue a key' }).click();
      const plaintext = (await page.locator('#plaintext').textContent())!;
      await page.getByRole('button', { name: 'Copy' }).waitFor();
      expect(await statusOf(plaintext)).toBe(200);
      await page.reload();
      await page.getByLabel('Label').waitFor();
      expect(await page.content()).not.toContain(plaintext);
      await page.getByRole('link', { name: 'Keys', exact: true }).first().click();
      await page.getByText(HOSTILE).waitFor();
      expect(await page.content()).not.toContain(plaintext);

      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('link', { name: 'Add an endpoint' }).click();
      await page.getByLabel('Webhook endpoint').fill(sink.url);
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await page.locator('#plaintext').textContent()).toMatch(/^whsec_/);
      sink.answer = (_message, res) => void res.writeHead(500).end('<h1>Broken</h1>');
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('A test message is being sent.').waitFor();
      // It appears, and fails, while the page is looked at.
      await page.getByRole('row').filter({ hasText: 'Test' }).getByText('500').first().waitFor();
      await page.getByRole('row').getByRole('link', { name: 'Test' }).click();
      await page.getByText('<h1>Broken</h1>').first().waitFor();
      await page.getByText('"This is a test."').waitFor();
      await expectAccessible(page);
      sink.answer = (_message, res) => void res.end('ok');
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.locator('.tag.delivered').waitFor();
      expect(new Set(sink.received.map(({ body }) => body)).size).toBe(1);
      expect(sink.received.length).toBeGreaterThan(1);

      await rail.ask('/v1/assessments/ASMT-2026-11-000001', { key: account.key });
      await rail.rail.audit.flush();
      await page.goto('/dashboard/requests?minStatus=400');
      await page.getByRole('link', { name: 'GET /v1/assessments/{name}' }).click();
      await page.getByRole('heading', { name: 'What 404 can mean' }).waitFor();
      expect(await page.title()).not.toBe('owned');
      expect(wrong).toEqual([]);
      await close();
    },
  );

  it('does the same without a script, and asks to go live', async () => {
    const { account, page, close } = await openAccount({ javaScriptEnabled: false });
    await page.goto('/dashboard/keys/new');
    await page.getByLabel('Label').fill(HOSTILE);
    await page.getByLabel('Find and read citizens').check();
    await page.getByRole('button', { name: 'Issue a key' }).click();
    expect(await statusOf((await page.locator('#plaintext').textContent())!)).toBe(200);
    await page.goto('/dashboard/webhooks/endpoint');
    await page.getByLabel('Webhook endpoint').fill(sink.url);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('A test message is being sent.').waitFor();
    const sent = () => rail.ask('/v1/me/webhook-deliveries?status=delivered', { key: account.key });
    await expect.poll(async () => (await sent()).data.length).toBe(1);
    await page.reload();
    await page.getByRole('row').getByRole('link', { name: 'Test' }).click();
    await page.getByText('Delivered').first().waitFor();

    await page.goto('/dashboard/live');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Uganda Revenue Authority').check();
    await page.getByLabel('MTN Mobile Money').check();
    await page.getByLabel('Note').fill(HOSTILE);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('Your request was sent.').waitFor();
    await page.getByText(HOSTILE).waitFor();
    expect(await page.getByRole('button', { name: 'Send the request' }).count()).toBe(0);
    await close();
  });
});

describe('the forms of an account', () => {
  /** Sends a form as a browser does, and answers where it leads, or what the page says. */
  async function send(path: string, fields: Record<string, string>, headers: Record<string, string>) {
    const answer = await fetch(rail.origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, origin: rail.origin, accept: 'text/html' },
      body: new URLSearchParams(fields),
    });
    return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
  }

  it('change the profile, and take away what is left blank', async () => {
    const account = await makeAccount(rail);
    const headers = { cookie: await signIn(rail, account) };
    const save = (fields: Record<string, string>) =>
      send('/dashboard/profile', { displayName: HOSTILE, _page: '/dashboard/profile', ...fields }, headers);
    const profile = async () => (await rail.ask('/v1/me', { key: account.key })).data;
    const all = { contactPhone: '+256700000123', anticipatedVolumeMonthly: '1200' };
    expect((await save(all)).to).toBe('/dashboard/profile?done=profileSaved');
    expect(await profile()).toMatchObject({
      display_name: HOSTILE,
      contact_phone: '+256700000123',
      anticipated_volume_monthly: 1200,
    });
    const refused = await save({ ...all, contactPhone: 'my phone' });
    expect([refused.status, refused.text.includes('value="my phone"'), refused.text.includes('<img src=x')]).toEqual([
      422,
      true,
      false,
    ]);
    await save({ contactPhone: '', anticipatedVolumeMonthly: '' });
    expect(await profile()).toMatchObject({ contact_phone: null, anticipated_volume_monthly: null });
  });

  it('remove an endpoint, make a new secret, and send again what is dead since a day', async () => {
    const account = await makeAccount(rail);
    const headers = { cookie: await signIn(rail, account) };
    const none = await send('/dashboard/webhooks/test', { _page: '/dashboard/webhooks' }, headers);
    expect([none.status, none.text.includes('There is no webhook endpoint')]).toEqual([422, true]);
    await send('/dashboard/webhooks/endpoint', { webhookEndpoint: sink.url, _mark: 'first' }, headers);
    const once = await send('/dashboard/webhooks/secret', { _mark: 'again' }, headers);
    const secret = /whsec_[\w+/=]+/.exec(once.text)![0];
    // A second click finds the secret of the first.
    expect((await send('/dashboard/webhooks/secret', { _mark: 'again' }, headers)).text).toContain(secret);
    const today = new Date().toISOString().slice(0, 10);
    const resent = await send('/dashboard/webhooks/resend', { from: today, to: today, deadOnly: 'true' }, headers);
    expect([resent.status, resent.text.includes('0 messages')]).toEqual([200, true]);
    expect((await send('/dashboard/webhooks/endpoint/clear', {}, headers)).to).toBe(
      '/dashboard/webhooks?done=endpointCleared',
    );
    expect((await rail.ask('/v1/me', { key: account.key })).data.webhook_endpoint).toBeNull();
  });

  it('are of the account alone: another’s key is not there, and nobody may send one who is not signed in', async () => {
    const [mine, other] = [await makeAccount(rail), await makeAccount(rail)];
    const headers = { cookie: await signIn(rail, mine), accept: 'text/html' };
    for (const path of [`keys/${other.keyName}/rotate`, `keys/${other.keyName}/revoke`])
      expect((await rail.ask(`/dashboard/${path}`, { headers })).status, path).toBe(404);
    await send(`/dashboard/keys/${other.keyName}/revoke`, { reason: 'x' }, headers);
    expect(await statusOf(other.key)).toBe(200);
    const stranger = await send('/dashboard/keys/new', { label: 'x', _page: '/dashboard/keys/new' }, {});
    expect([stranger.status, stranger.to]).toEqual([303, '/signin?to=%2Fdashboard%2Fkeys%2Fnew']);
  });
});
