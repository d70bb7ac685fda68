import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { DAY_MS, formatDay } from '../../../src/kernel/time.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn, weighPage } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let email: string;

/** A history in which what one agency collected of late was collected a month earlier. */
beforeAll(async () => {
  for await (const _ of seedHistory(rail.rail, { events: 2_000, years: 1, agencies: 12, seed: 11 }));
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      update payment_event set occurred_at = occurred_at - interval '30 days'
      where mda = 'KCCA' and occurred_at between now() - interval '26 days' and now()`);
    await remakeCopies(db);
  });
  ({ email } = await makeStaff(rail, 'oversight'));
});

/** Long enough for a machine that does much else. */
const KCCA = 'Kampala Capital City Authority';
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).last();

/** The text of a file that a link of the page leads to. */
async function fetchFile(page: Page, name: string): Promise<string> {
  const address = await page.getByRole('link', { name }).getAttribute('href');
  const answer = await page.request.get(address!);
  expect([answer.status(), answer.headers()['content-disposition']]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="[\w-]+\.(csv|parquet|svg)"$/),
  ]);
  return answer.text();
}

describe.skipIf(!browser.found)(runInBrowser('an analyst with a browser'), () => {
  it('finds the agency that fell, and by which service, and takes the figures along', { tags: 'long' }, async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/oversight');
    await page.locator('.chart.alive .stage svg').first().waitFor();
    await page.getByText('Filters', { exact: true }).click();
    await page.getByLabel('Sort by').selectOption('loss');
    await page.getByRole('button', { name: 'Apply filters' }).click();
    await page.waitForURL('**order=loss*');
    // The one that lost most stands first.
    const first = page.locator('main > .scroll tbody tr').first();
    await first.getByText(KCCA).waitFor();
    expect(await first.locator('.fell').textContent()).toMatch(/^−\d/);

    await first.getByRole('link', { name: KCCA, exact: true }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText(KCCA).waitFor();
    await page.getByRole('heading', { name: 'Breakdown: Sector' }).waitFor();
    await page.locator('main > .scroll tbody a').first().click();
    await page.getByRole('heading', { name: 'Breakdown: Kind of revenue' }).waitFor();
    await page.locator('main > .scroll tbody a').first().click();
    await page.getByRole('heading', { name: 'Breakdown: Service' }).waitFor();
    expect(await fetchFile(page, 'Breakdown as CSV')).toMatch(/Service,Currency,This period,/);
    expect(await fetchFile(page, 'Breakdown as Parquet')).toMatch(/^PAR1/);
    expect(await fetchFile(page, 'Revenue over time as CSV')).toContain('Day,Currency,Collected,Reversed');

    await page.goBack();
    await page.getByRole('heading', { name: 'Breakdown: Kind of revenue' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: `Remove ${KCCA}` }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Filters' }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });

  it('hides a line, looks at a stretch of days closely, and saves the picture', { tags: 'long' }, async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/oversight');
    const chart = page.locator('.chart.lines');
    const lines = () => chart.locator('.stage path[stroke="var(--tone-2)"]').count();
    await expect.poll(lines).toBeGreaterThan(0);
    await chart.getByRole('button', { name: 'Previous period' }).click();
    await expect.poll(lines).toBe(0);
    const box = (await chart.locator('.stage').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
    await page.mouse.move(box.x + box.width * 0.6, box.y + 80);
    await page.mouse.up();
    await chart.getByRole('button', { name: 'Reset zoom' }).click();
    await chart.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'hidden' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Save as PNG' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('revenue.png');
    expect(wrong).toEqual([]);
    await close();
  });

  it('reads, marks and zooms a chart by keys, and hears what they do', { tags: 'long' }, async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/oversight');
    await page.locator('.chart.alive .stage svg').first().waitFor();
    const chart = page.locator('.chart.lines');
    const said = chart.locator('[data-readout]');
    const labels = await chart.locator('tbody th').allTextContents();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await chart.getByRole('application').focus();
    await press('ArrowRight', 'ArrowRight');
    await expect.poll(() => said.textContent()).toMatch(RegExp(`^${labels[1]}: This period UGX[^;]*; Previous period`));
    await page.locator('.tip').filter({ hasText: labels[1]! }).waitFor();
    await press('Shift+ArrowRight', 'Shift+ArrowRight');
    expect(await said.textContent()).toBe(`Selected: ${labels[1]} to ${labels[3]}`);
    await press('Enter');
    expect(await said.textContent()).toBe(`Shown: ${labels[1]} to ${labels[3]}`);
    await press('-');
    expect(await said.textContent()).toBe(`Shown: ${labels[0]} to ${labels[4]}`);
    await press('Escape');
    const whole = `Shown: ${labels[0]} to ${labels.at(-1)}`;
    expect(await said.textContent()).toBe(whole);
    await press('+');
    expect(await said.textContent()).not.toBe(whole);
    await expectAccessible(page);

    await page.goto('/oversight/collections');
    const bars = page.locator('.chart.bars');
    await bars.locator('.stage svg').first().waitFor();
    await bars.locator('.stage').hover();
    await page
      .locator('.tip')
      .filter({ hasText: /days.*UGX/ })
      .waitFor();
    await bars.getByRole('application').focus();
    await press('ArrowDown', 'Enter');
    await page.waitForURL('**/unpaid?age=*');
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'knows tabs apart by their titles, and hears of a currency in which nothing was collected',
    { tags: 'long' },
    async () => {
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, email, '/oversight');
      expect(await page.title()).toBe('Revenue · Revenue Rail');
      const parts = page.locator('main > .scroll tbody tr');
      const amountOf = async (text: Promise<string>) => Number((await text).replaceAll(/\D/g, ''));
      const [whole, part] = [
        await amountOf(page.locator('.figures.sums strong').first().innerText()),
        await amountOf(parts.first().locator('td').first().innerText()),
      ];
      expect(await parts.first().locator('td').nth(1).innerText()).toBe(`${((100 * part) / whole).toFixed(1)}%`);
      await page.goto('/oversight?agency=KCCA&channel=cash');
      expect(await page.title()).toBe(`${KCCA}, Cash · Revenue · Revenue Rail`);
      await page.goto('/oversight?currency=KES');
      await page.getByText('Nothing was collected in KES in this period.').waitFor();
      await page.getByRole('navigation', { name: 'Currency' }).getByRole('link', { name: 'UGX' }).click();
      await parts.first().waitFor();
      expect(wrong).toEqual([]);
      await close();
    },
  );

  it('sees the same without a script', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await signIn(page, email, '/oversight?order=loss');
    // Each has its part of the largest in its row; its chart is a picture for pages elsewhere.
    expect(await row(page, KCCA).locator('td').first().locator('svg rect').getAttribute('width')).toMatch(/^\d+\.\d%$/);
    const picture = await page.request.get('/oversight?format=svg&part=comparison');
    expect([picture.status(), await picture.text()]).toEqual([200, expect.stringContaining(KCCA)]);
    await row(page, KCCA).getByRole('link', { name: KCCA, exact: true }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText(KCCA).waitFor();
    expect(await row(page, 'UGX').count()).toBe(1);
    expect(wrong).toEqual([]);
    await close();
  });
});

it('loads at most 200 KB for a first look at a page with charts', async () => {
  const { cookie } = await makeStaff(rail, 'oversight');
  const { assets, bytes } = await weighPage(rail, '/oversight', cookie);
  expect(assets.map((path) => path.replace(/\.[0-9a-f]+\./, '.'))).toEqual([
    '/assets/icon.svg',
    '/assets/site.css',
    '/assets/site.js',
    '/assets/live.js',
    '/assets/charts.js',
  ]);
  expect(bytes).toBeLessThan(200_000);
});

it('shows every part of a breakdown, a page at a time, with bars of the same length', { tags: 'long' }, async () => {
  const analyst = await makeStaff(rail, 'oversight');
  const open = async (query: string) => (await analyst.ask(`/oversight?by=service&${query}`)).text;
  const partsOf = (text: string) =>
    [...text.matchAll(/<th scope="row" class="long">.*?<bdi[^>]*>([^<]*)/g)].map(([, name]) => name!);
  const barsOf = (text: string) =>
    [...text.matchAll(/rect width="([\d.]+%)" height="100%"/g)].map(([, width]) => width!);
  const onward = (text: string, rel: string) =>
    RegExp(`rel="${rel}" href="\\?([^"]+)"`)
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&')
      .replace('by=service&', '')
      .replace('first=100', 'first=20') ?? null;
  const first = await open('first=20');
  const whole = await open('first=100');
  const all = partsOf(whole);
  expect(all.length).toBeGreaterThan(40);
  const seen = partsOf(first);
  const bars = barsOf(first);
  let text = first;
  for (let next = onward(first, 'next'); next; next = onward(text, 'next')) {
    text = await open(next);
    seen.push(...partsOf(text));
    bars.push(...barsOf(text));
  }
  expect(seen).toEqual(all);
  expect(bars).toEqual(barsOf(whole));
  const back = onward(text, 'prev')!.replace('last=100', 'last=20');
  expect(partsOf(await open(back)).at(-1)).toBe(seen.at(-1 - partsOf(text).length));
});

it('hands a table of figures as it is seen, or with all columns for programs', async () => {
  const { cookie } = await makeStaff(rail, 'oversight');
  const read = async (path: string) => {
    const answer = await rail.ask(`/oversight/files/${path}`, { headers: { cookie } });
    const [, name] = /filename="(.*)"/.exec(answer.headers.get('content-disposition')!)!;
    const [heads, ...rows] = answer.text.replace('\uFEFF', '').trim().split('\r\n');
    return { name, heads, rows };
  };
  const dayIn = (days: number) => formatDay(new Date(rail.rail.now().getTime() + days * DAY_MS));
  const [from, to] = [dayIn(-30), dayIn(1)];
  const days = `fromDate=${from}&toDate=${to}`;
  const question = `explore.csv?by=channel&by=agency&measures=net&measures=payments&${days}`;
  const seen = await read(question);
  expect(seen.name).toBe(`net-and-payments-by-channel-and-agency_${from}_${to}.csv`);
  expect(seen.heads).toBe('Channel,Agency,Currency,Net revenue,Payments');
  expect(seen.rows.length).toBeGreaterThan(0);
  for (const line of seen.rows) expect(line).toMatch(/^[a-z_]+,"?[A-Z][^"]+"?,UGX,\d+,\d+$/);
  const all = await read(`${question}&columns=all`);
  expect([all.name, all.rows.length]).toEqual(['explore.csv', seen.rows.length]);
  expect(all.heads!.split(',').length).toBeGreaterThan(100);
  expect(await read(`comparison.csv?${days}`)).toMatchObject({
    name: `revenue-compared-by-agency_${from}_${to}.csv`,
    heads: 'Agency,Currency,This period,Previous period,Difference,Change,Same period last year',
  });
  expect(await read(`revenue.csv?step=month&${days}`)).toMatchObject({
    name: `revenue-by-month_${from}_${to}.csv`,
    heads: 'Month,Currency,Collected,Reversed,Net revenue,Payments and reversals',
  });
});

it('hands no file to whoever may not see the page, and no chart that it does not have', async () => {
  const clerk = await makeStaff(rail, 'clerk');
  const analyst = await makeStaff(rail, 'oversight');
  const ask = (path: string, cookie = '') => rail.ask(path, { headers: { cookie } });
  expect((await ask('/oversight/files/comparison.csv')).status).toBe(303);
  expect((await ask('/oversight/files/comparison.csv', clerk.cookie)).status).toBe(403);
  expect((await ask('/oversight?format=svg&part=nothing', analyst.cookie)).status).toBe(404);
  const picture = await ask('/oversight?format=svg&part=revenue', analyst.cookie);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect((await ask('/oversight/files/revenue.csv?step=day&fromDate=soon', analyst.cookie)).status).toBe(422);
});
