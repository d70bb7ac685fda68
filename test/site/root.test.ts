import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sizeOf } from '../harness/chaos/size.ts';
import { makeSandboxAccounts } from '../../src/sandbox/accounts.ts';
import { makeStory } from '../../src/sandbox/story.ts';
import { GUIDES } from '../../src/site/records/docs/files.ts';
import { makeGuide } from '../../src/site/records/docs/markdown.ts';
import { runInBrowser, testBrowser } from '../harness/people/browser.ts';
import { testRail } from '../harness/rail.ts';
import { openWindow } from './browsing.ts';

const browser = testBrowser();
const rail = testRail();
let password: string;

beforeAll(async () => {
  // The story is the same at any hour: of a day that has only begun least is known, and on Tuesdays the days before
  // yesterday were quiet.
  rail.advance(hoursUntilTuesday(rail.rail.now()));
  password = (await makeSandboxAccounts(rail.rail))!;
  await makeStory(rail.rail, { days: 3 });
});

/** Hours until five minutes past the next midnight (UTC) that begins a Tuesday. */
function hoursUntilTuesday(now: Date): number {
  const days = (9 - now.getUTCDay()) % 7 || 7;
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 0, 5);
  return (next - now.getTime()) / 3_600_000;
}

/** Goes from the root to where somebody works, by links alone. */
async function enter(page: Page, link: string, email: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: link }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!browser.found)(runInBrowser('whoever comes to the printed address'), () => {
  it.each([
    ['I serve people at a counter', 'clerk', '/counter', 'Counter'],
    ['I run the service', 'operator', '/console', null],
    ...sizeOf<[string, string, string, string | null][]>({
      fast: [],
      long: [
        ['I supervise counters', 'supervisor', '/supervision', 'Supervision'],
        ['I analyse revenue', 'analyst', '/oversight', null],
        ['I audit', 'auditor', '/console/audit', null],
        ['I look after payments', 'finance', '/console/payments', null],
      ],
    }),
  ])(
    '%s: reaches their work with what was printed',
    async (link, who, path, heading) => {
      const { page, wrong, close } = await openWindow(browser, rail);
      await enter(page, link, `${who}@sandbox.example`);
      await page.waitForURL(`**${path}`);
      await page.getByRole('heading', { level: 1, ...(heading !== null && { name: heading }) }).waitFor();
      expect(await page.textContent('h1')).not.toBe('Page not found');
      expect(wrong).toEqual([]);
      await close();
    },
    60_000,
  );

  it('I integrate a system: is led to sign in, or up', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/');
    await page.getByRole('link', { name: 'I integrate a system' }).click();
    await page.waitForURL('**/signin**');
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign up as an integrator' }).click();
    await page.waitForURL('**/signup');
    expect(await page.textContent('h1')).not.toBe('Page not found');
    expect(wrong).toEqual([]);
    await close();
  });

  it('sees how the service fares, on which day it did not, and what was announced', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'Service status' }).click();
    // Receipts of one agency are late, as an incident that is open says.
    await page.getByText('Some services are not working as well as usual.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Airtel Money cannot be reached' }).waitFor();
    // Notices are English, whatever the page is.
    await page.getByRole('button', { name: 'Français' }).click();
    const written = page.locator('.notices p, .incidents bdi, .incidents p:not(.quiet)');
    const languages = await written.evaluateAll((all) => all.map((one) => one.closest('[lang]')!.getAttribute('lang')));
    expect([languages.length > 0, new Set(languages)]).toEqual([true, new Set(['en'])]);
    await page.getByRole('button', { name: 'English' }).click();
    const channel = page.getByRole('region', { name: 'Business registry' });
    await channel.getByText('1 day with problems').click();
    await channel.getByText('Degraded').last().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('reads the documentation, and goes from page to page', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/docs');
    await page.getByRole('main').getByRole('link', { name: 'For counters' }).click();
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Cash' }).click();
    await page.waitForURL('**/docs/counter#cash');
    await page.getByRole('link', { name: 'operate the rail' }).click();
    await page.getByRole('heading', { level: 1, name: 'For operators' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('an address that cannot be read', () => {
  it('is answered by a page in browsers, and as the API answers elsewhere', async () => {
    for (const [path, expected] of [
      ['/console/payments/%E0%A4%A', 400],
      ['/nothing/%E0%A4%A', 404],
    ] as const) {
      const { status, headers, text } = await rail.ask(path, { headers: { accept: 'text/html' } });
      expect([path, status, headers.get('content-type')]).toEqual([path, expected, 'text/html; charset=utf-8']);
      expect(text).toContain('Go to your home page');
    }
    expect(await rail.ask('/v1/assessments/%E0%A4%A')).toMatchObject({ status: 400, code: 'malformed_request' });
  });
});

describe('the documentation', () => {
  it('links to pages and headings that there are, and to nothing that only the repository has', async () => {
    const pages = new Map<string, string>();
    for (const guide of ['anomalies', ...GUIDES]) {
      const { status, text } = await rail.ask(`/docs/${guide}`, { headers: { accept: 'text/html' } });
      expect(status, guide).toBe(200);
      pages.set(`/docs/${guide}`, text);
    }
    for (const [path, text] of pages) {
      const [article = ''] = /<article[\s\S]*<\/article>/.exec(text) ?? [];
      expect(article).not.toMatch(/href="(?!https?:|#|\/docs\/)/);
      for (const [, href] of text.matchAll(/href="((?:\/docs\/\w+)?#[^"]+)"/g)) {
        const [target, anchor] = href!.split('#') as [string, string];
        if (anchor !== 'main') expect(pages.get(target || path), href).toContain(`id="${anchor}"`);
      }
    }
  });

  it('has no page of any other name, and shows no HTML of its own', async () => {
    for (const name of ['nothing', '..%2FREADME', 'decisions'])
      expect((await rail.ask(`/docs/${name}`, { headers: { accept: 'text/html' } })).status).toBe(404);
    const { title, html, contents } = makeGuide(
      '# A `<b>`\n\n## <i>One</i>\n\n<script>alert(1)</script>\n\n[x](javascript:alert) [y](../README.md) <img src=x onerror=y>',
    );
    expect([title, contents.length]).toEqual(['A <b>', 1]);
    expect(html).not.toMatch(/<(script|img|i)\b|javascript|README/);
  });
});
