import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Windows } from '../harness/people/browser.ts';
import type { TestRail } from '../harness/rail.ts';
import { PASSWORD } from '../harness/people/staff.ts';

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

/** Signs a member of staff in, on their way to a page. */
export async function signIn(page: Page, email: string, to: string): Promise<void> {
  await page.goto(to);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${to}`);
}

const weights = new Map<string, number>();

/** The first load of a page in a browser: its assets, and the bytes transferred. */
export async function weighPage(
  rail: TestRail,
  path: string,
  cookie: string | null = null,
): Promise<{ text: string; status: number; assets: readonly string[]; bytes: number; ofCharts: number }> {
  const load = async (address: string) => {
    const headers = { accept: 'text/html, */*', 'accept-encoding': 'br', ...(cookie !== null && { cookie }) };
    const { status, text, headers: answered } = await rail.ask(address, { headers });
    const length = answered.get('content-length');
    if (length === null) throw new Error(`${address} does not say its length`);
    return { status, text, bytes: Number(length) };
  };
  const { status, text, bytes } = await load(path);
  const assets = [...text.matchAll(/<(?:link|script)[^>]* (?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, asset]) => asset!,
  );
  for (const asset of assets) if (!weights.has(asset)) weights.set(asset, (await load(asset)).bytes);
  const sumOf = (of: readonly string[]) => of.reduce((sum, asset) => sum + weights.get(asset)!, 0);
  return {
    status,
    text,
    assets,
    bytes: bytes + sumOf(assets),
    ofCharts: sumOf(assets.filter((asset) => asset.includes('/charts.'))),
  };
}
