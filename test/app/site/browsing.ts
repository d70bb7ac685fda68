import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axeCore from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Windows } from '../../harness/people/browser.ts';
import type { TestRail } from '../../harness/rail.ts';
import { PASSWORD } from '../../harness/people/staff.ts';

declare const axe: typeof axeCore;

/** Axe, which a page is handed as text. Its module hands out the same, of more than twice the size. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A browser window, and what nobody should see happen in it. */
export interface Window {
  readonly page: Page;
  /** Violations of the page's own policy, faults of its script, and requests to other hosts. */
  readonly wrong: string[];
  close(): Promise<void>;
}

/** Opens a window that notes whatever a page does that it should not. */
export async function openWindow(
  browser: Windows,
  { origin }: TestRail,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const page = await context.newPage();
  return { page, wrong: watchPage(page, origin), close: () => context.close() };
}

/** Has a browser carry the cookie of a session. */
export async function addCookie(context: BrowserContext, { origin }: TestRail, cookie: string): Promise<void> {
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: origin }]);
}

/** Notes violations of the policy of a page, faults of its script, and requests to other hosts, as they happen. */
export function watchPage(page: Page, origin: string): string[] {
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy|violat|refused to/i.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) wrong.push(request.url());
  });
  return wrong;
}

/**
 * Fails on what keeps people with a disability from using a page: in light, as windows open, and in dark, where colours
 * alone differ.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await bringAxe(page);
  await expectNoViolation(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    await expectNoViolation(page, 'dark', ['color-contrast']);
  } finally {
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

async function expectNoViolation(page: Page, colorScheme: 'light' | 'dark', rules?: string[]): Promise<void> {
  const found = await page.evaluate(async (values) => {
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule' as const, values } }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  }, rules);
  expect(found, `${page.url()} in ${colorScheme}`).toEqual([]);
}

/**
 * Has a page know axe. It is large: pages that are not looked at are spared it, and it goes to the browser as it is, not
 * as a value that a function of the page evaluates. The page's own policy does not apply to it.
 */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  await devtools.detach();
}

/** Has all pages of a window know axe from their start, without the browser being handed it for each. */
export async function keepAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}

/** Signs a member of staff in, on their way to a page. */
export async function signIn(page: Page, email: string, to: string): Promise<void> {
  await page.goto(to);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${to}`);
}
