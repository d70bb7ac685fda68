import { beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../../harness/chaos/size.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });
/** With a body and many reasons, with a query, of many figures, and of staff. */
const OPERATIONS = ['createPaymentIntent', 'listAssessments', 'oversightFigures', 'inviteStaff'];
const PAGES = ['/docs/api', '/docs/api?task=operate', '/docs/events', '/docs/events/payment_intent.confirmed'];

describe('the reference of the API', () => {
  it('has a page of each operation and of each event, whose names lead to one another', async () => {
    const { paths, webhooks } = (await rail.ask('/v1/openapi.json')).json;
    const operations = Object.values<Record<string, { operationId: string; 'x-task'?: string }>>(paths)
      .flatMap((methods) => Object.values(methods))
      .filter((one) => one['x-task']);
    expect(operations.length).toBeGreaterThan(160);
    const lists = await Promise.all(
      ['', '?task=counter', '?task=operate', '?task=oversee'].map(
        async (task) => (await page(`/docs/api${task}`)).text,
      ),
    );
    const linked = new Set(lists.join('').match(/(?<=href="\/docs\/api\/)\w+/g));
    expect(operations.filter(({ operationId }) => !linked.has(operationId))).toEqual([]);
    const sizes: number[] = [];
    for (const { operationId } of operations) {
      const { status, text } = await page(`/docs/api/${operationId}`);
      expect([operationId, status]).toEqual([operationId, 200]);
      expect([operationId, /⟦[^⟧]*⟧|undefined|\[object/.exec(text)]).toEqual([operationId, null]);
      for (const target of new Set(text.match(/(?<=href="\/docs\/api\/)\w+/g))) expect(linked).toContain(target);
      sizes.push(text.length);
    }
    // The median page, in bytes: it holds one endpoint, not all of the API.
    expect(sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]).toBeLessThan(20_000);
    for (const type of Object.keys(webhooks)) expect((await page(`/docs/events/${type}`)).status, type).toBe(200);
    for (const nothing of ['/docs/api/nothing', '/docs/events/nothing', '/docs/events/constructor'])
      expect((await page(nothing)).status, nothing).toBe(404);
  });

  it('says of an operation its fields, its reasons in the words of REST, and the events that it causes', async () => {
    const { text } = await page('/docs/api/confirmPayment');
    for (const said of [
      'collection_pending',
      '/docs/events/assessment.paid',
      'payments.initiate',
      'data.assessment.status',
    ])
      expect([said, text.includes(said)]).toEqual([said, true]);
    expect((await page('/docs/api/initiatePayment')).text).toContain('as <code>payer_msisdn</code>');
    expect((await page('/docs/events/assessment.paid')).text).toContain('href="/docs/api/confirmPayment"');
  });

  it('shows a form as it is sent', async () => {
    const { text } = await page('/docs/api/receiveSmsReport');
    expect(text).toContain('Content-Type: application/x-www-form-urlencoded');
    expect(text).toContain('id=unknown&amp;status=Success');
  });

  it('has no English of its own in another language', async () => {
    const { text } = await page('/docs/api/createPaymentIntent', { 'accept-language': 'sw' });
    for (const word of ['Sababu za kukataliwa', 'Ijaribu', 'Rejea ya API']) expect(text).toContain(word);
  });
});

const page = (path: string, headers: Record<string, string> = {}) =>
  rail.ask(path, { headers: { accept: 'text/html', ...headers } });

describe.skipIf(!browser.found)(runInBrowser('a page of the reference'), () => {
  let account: Account;
  beforeAll(async () => {
    account = await makeAccount(rail);
  });

  const all = [...OPERATIONS.map((id) => `/docs/api/${id}`), ...PAGES];
  it.each(sizeOf({ fast: all.filter((_, index) => index % 4 === 0), long: all }))(
    '%s is legible to all, on a telephone too',
    async (path) => {
      const { page: window, wrong, close } = await openWindow(browser, rail);
      await window.goto(path);
      await expectAccessible(window);
      await window.setViewportSize({ width: 360, height: 740 });
      expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(wrong).toEqual([]);
      await close();
    },
  );

  it('fills its example in from its form, without a script', async () => {
    const { page: window, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await window.goto('/docs/api/listServices');
    await window.getByLabel('mda', { exact: true }).fill('KCCA');
    await window.getByRole('button', { name: 'Show the request' }).click();
    const shown = await window.locator('#sample-curl').textContent();
    expect(shown).toContain(`curl '${rail.origin}/v1/services?`);
    expect(shown).toContain('mda=KCCA');
    await window.getByRole('radio', { name: 'Python' }).check({ force: true });
    expect(await window.locator('#sample-Python').isVisible()).toBe(true);
    expect(await window.getByRole('button', { name: 'Send the request' }).count()).toBe(0);
    await close();
  });

  it('sends what is filled in with the key of its reader, and shows the answer', async () => {
    const { page: window, wrong, close } = await openWindow(browser, rail);
    await addCookie(window.context(), rail, await signIn(rail, account));
    await window.goto('/docs/api/createAssessment');
    await window.getByText(`set RAIL_KEY to your key ${account.key.slice(0, 8)}`).waitFor();
    expect(await window.content()).not.toContain(account.key);
    await window.getByLabel('API key').fill(account.key);
    await window.getByRole('button', { name: 'Send the request' }).click();
    await window.getByText(/^422 /).waitFor();
    expect(await window.locator('[data-outcome] pre').textContent()).toContain('"validation_failed"');

    await window.goto('/docs/api/getMda');
    await window.getByLabel('name').fill('KCCA');
    await window.getByRole('button', { name: 'Send the request' }).click();
    await window.getByText(/^200 /).waitFor();
    expect(await window.locator('[data-outcome] pre').textContent()).toContain('"name": "KCCA"');
    expect(wrong).toEqual([]);
    await close();
  });

  it('sends what its address filled in without the session of its reader, and says so; what they fill in, with it', async () => {
    const admin = await makeStaff(rail, 'admin');
    const { page: window, close } = await openWindow(browser, rail);
    await addCookie(window.context(), rail, admin.cookie);
    const body = JSON.stringify({ email: 'by-link@agency.example', name: 'By a link', roles: ['clerk'] });
    const send = async (status: RegExp) => {
      await window.getByRole('button', { name: 'Send the request' }).click();
      await window.getByText(status).waitFor();
    };
    await window.goto(`/docs/api/inviteStaff?try.body=${encodeURIComponent(body)}`);
    expect(await window.locator('#try-body').inputValue()).toBe(body);
    await window.getByText('The address of this page filled in this form').waitFor();
    await send(/^401 /);
    await window.getByRole('link', { name: 'Fill it in yourself' }).click();
    await window.locator('#try-body').fill(body);
    await send(/^200 /);
    await close();
  });
});
