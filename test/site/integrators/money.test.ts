import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maskRefusal } from '../../../src/platform/audit/masked.ts';
import { Refusal, refuseValue } from '../../../src/kernel/refusal.ts';
import { say } from '../../../src/kernel/text/said.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { type Account, makeAccount, signIn } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type Actor, createConfirmed, createSent } from '../../harness/flow.ts';
import { TestRail } from '../../harness/rail.ts';
import { type Sink, openSink } from '../../harness/sink.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();

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

/** An account as the flows of tests use one. */
function actorOf({ key, integrator }: Account): Actor {
  const ask: Actor['ask'] = (path, options = {}) => rail.ask(path, { key, ...options });
  return { key, integrator, ask, post: (path, body = {}, headers = {}) => ask(path, { body, headers }) };
}

describe('what the log keeps of a refusal', () => {
  it('says what was wrong, without what may be a name, an address or a number', () => {
    const details = [
      { path: 'payer_msisdn', message: say`${'+256700123456'} is not a phone number` },
      { path: 'quantity', message: say`must be at most ${10_000}` },
      { path: 'assessment', message: say`${'ASMT-2026-11-000001'} is ${'Paid'}` },
      { path: 'email', message: 'opio@example.org is taken, call 0700 123 456 about CM900121234ABC' },
    ];
    expect(maskRefusal(new Refusal('validation_failed', 'x', details))).toEqual({
      code: 'validation_failed',
      message: '',
      details: [
        { path: 'payer_msisdn', message: '… is not a phone number', code: null },
        { path: 'quantity', message: 'must be at most 10000', code: null },
        { path: 'assessment', message: 'ASMT-2026-11-000001 is Paid', code: null },
        { path: 'email', message: '… is taken, call … about …', code: null },
      ],
    });
    expect(maskRefusal(refuseValue('q', say`there is no such choice: ${'Okello'}`)).details[0]!.message).toBe(
      'there is no such choice: …',
    );
    expect(maskRefusal(new Refusal('not_found', say`The assessment does not exist`)).message).toBe(
      'The assessment does not exist',
    );
  });
});

describe('an account that is signed in', () => {
  it('sees its own payments and no other’s, and changes nothing', async () => {
    const [own, other] = [await makeAccount(rail), await makeAccount(rail)];
    const { intent, assessment } = await createConfirmed(rail, actorOf(own));
    const [mine, theirs] = [await signIn(rail, own), await signIn(rail, other)];
    const open = (path: string, cookie: string) =>
      fetch(rail.origin + path, { headers: { cookie, accept: 'text/html' } });
    for (const path of [`/dashboard/payments/${intent}`, `/dashboard/assessments/${assessment}`]) {
      expect((await open(path, mine)).status).toBe(200);
      expect((await open(path, theirs)).status).toBe(404);
    }
    expect(await (await open('/dashboard/payments.csv', mine)).text()).toContain(intent);
    expect(await (await open('/dashboard/payments.csv', theirs)).text()).not.toContain(intent);
    const headers = { cookie: mine };
    expect((await rail.ask(`/v1/assessments/${assessment}:cancel`, { body: { reason: 'x' }, headers })).status).toBe(
      401,
    );
  });

  it('begins with the money of today and of 7 days, and the share of payments that succeeded', async () => {
    const [account, other] = [await makeAccount(rail), await makeAccount(rail)];
    const actor = actorOf(account);
    const headers = { cookie: await signIn(rail, account), accept: 'text/html' };
    const figures = async () => {
      const { text } = await rail.ask('/dashboard', { headers });
      const list = /<ul class="figures">([^]*?)<\/ul>/.exec(text)![1]!;
      return list.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    };
    await createConfirmed(rail, actorOf(other));
    expect(await figures()).toMatch(/^ 1 Active keys/);
    const { intent } = await createConfirmed(rail, actor);
    await createConfirmed(rail, actor);
    await createSent(rail, actor);
    expect(await figures()).toMatch(
      /^ 1,170,000 UGX collected today , in 7 days: 1,170,000 100.0% Share that succeeded/,
    );
    const earlier = (days: number) =>
      rail.rows(
        sql`update payment_intent set created_at = ${rail.rail.now()}::timestamptz - ${days} * interval '1 day' where name = ${intent}`,
      );
    await earlier(3);
    expect(await figures()).toMatch(/^ 585,000 UGX collected today , in 7 days: 1,170,000 100.0%/);
    await earlier(8);
    await rail.rows(
      sql`update payment_intent set status = 'Failed' where integrator = ${account.integrator} and status = 'Sent'`,
    );
    expect(await figures()).toMatch(/^ 585,000 UGX collected today , in 7 days: 585,000 50.0% Share/);
  });
});

describe.skipIf(!browser.found)(runInBrowser('an integrator who looks for money'), () => {
  it('goes from a message that failed to the payment, what was asked about it, why it was refused, and back', async () => {
    const account = await makeAccount(rail);
    const actor = actorOf(account);
    sink.answer = (_message, res) => void res.writeHead(500).end('no');
    await actor.ask('/v1/me', { method: 'PATCH', body: { webhook_endpoint: sink.url } });
    const { intent, assessment } = await createConfirmed(rail, actor);
    expect((await actor.post(`/v1/payment-intents/${intent}:confirm`)).status).toBe(422);
    const failed = sql`select 1 from webhook_delivery where object = ${intent} and last_http_status = 500`;
    await expect.poll(() => rail.count(failed)).toBe(1);
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, await signIn(rail, account));
    const message = page.locator('.list tbody tr').filter({ hasText: 'Payment confirmed' });
    await page.goto(`/dashboard/webhooks?object=${intent}`);
    await message.getByText('500').waitFor();
    await message.getByRole('link', { name: intent, exact: true }).click();
    await page.waitForURL(`**/dashboard/payments/${intent}`);
    await page.getByText('UGX\u00a0585,000').first().waitFor();
    expect(await page.content()).not.toContain('+256700123456');
    const refused = page.locator('.list tbody tr').filter({ hasText: ':confirm' }).filter({ hasText: '422' });
    await refused.getByRole('link', { name: 'POST /v1/payment-intents/{name}:confirm' }).click();
    await page.getByRole('heading', { name: 'What the response said' }).waitFor();
    await page.getByText('already_confirmed').first().waitFor();
    await page.getByRole('link', { name: intent, exact: true }).click();
    await page.waitForURL(`**/dashboard/payments/${intent}`);
    await page.getByRole('link', { name: assessment, exact: true }).first().click();
    await page.waitForURL(`**/dashboard/assessments/${assessment}`);
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Any reference').fill(assessment);
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByText('Total: UGX\u00a0585,000').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: intent, exact: true }).click();
    await page.getByRole('heading', { name: 'Messages about it' }).waitFor();
    await page
      .locator('.list tbody tr')
      .filter({ hasText: 'Payment confirmed' })
      .getByRole('link', { name: 'Payment confirmed' })
      .click();
    await page.waitForURL('**/dashboard/webhooks/deliveries/*');
    // Pages that somebody opened are apart from what programs asked for.
    await page.goto('/dashboard/requests');
    expect(await page.getByText('GET /dashboard/payments').count()).toBe(0);
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Sent by').selectOption('page');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.getByRole('link', { name: 'GET /dashboard/payments', exact: true }).first().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });
});
