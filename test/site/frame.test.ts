import { describe, expect, it } from 'vitest';
import { clockOf, readDay } from '../../src/site/operations/local-time.ts';
import { textsOf } from '../../src/site/languages/texts.ts';
import { runInBrowser, testBrowser } from '../harness/people/browser.ts';
import { testRail } from '../harness/rail.ts';
import { openWindow } from './browsing.ts';

const browser = testBrowser();
const rail = testRail();

describe.skipIf(!browser.found)(runInBrowser('whoever reads a page'), () => {
  it('finds the first payment first, the heads of a table as it is scrolled, and whose clock it is', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto('/docs');
    await page.locator('#guides + .cards a').first().click();
    await page.waitForURL('**/docs/first-payment');
    expect(await page.textContent('h1')).toBe('A first payment');
    await page.locator('pre').getByText('# Who: one of the example citizens. (').waitFor();
    await page.getByText('Times: Kampala (UTC+3)').waitFor();
    await page.goto('/docs/integrators');
    expect(await page.getByRole('link', { name: 'first payment', exact: true }).getAttribute('href')).toBe(
      '/docs/first-payment',
    );

    await page.goto('/docs/glossary');
    const box = page.locator('.scroll.fits').first();
    await box.waitFor();
    const row = box.locator('tbody tr').last();
    await row.evaluate((last) => last.scrollIntoView({ block: 'end' }));
    const head = await box.locator('thead th').first().boundingBox();
    const first = await box.locator('tbody tr').first().boundingBox();
    expect(first!.y).toBeLessThan(0);
    expect(Math.round(head!.y)).toBe(0);

    const icon = await page.request.get((await page.locator('link[rel="icon"]').getAttribute('href'))!);
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('days and moments', () => {
  it('are written with the day first, in English too', () => {
    const { date, moment } = textsOf('en');
    expect([date('2026-11-03'), moment('2026-11-03T21:30:00Z', 'Africa/Kampala')]).toEqual([
      '3 Nov 2026',
      '4 Nov 2026, 00:30',
    ]);
  });

  it('that somebody filters by begin and end by the clock of the page', () => {
    expect([readDay('2026-11-23', 'Africa/Kampala', false), readDay('2026-11-23', 'Africa/Kampala', true)]).toEqual([
      '2026-11-22T21:00:00.000Z',
      '2026-11-23T20:59:59.999Z',
    ]);
    expect([readDay('2026-11-23', undefined, false), readDay('soon', 'Africa/Kampala', true)]).toEqual([
      '2026-11-23',
      'soon',
    ]);
    expect([clockOf('Africa/Kampala', new Date()), clockOf('UTC', new Date())]).toEqual(['Kampala (UTC+3)', 'UTC']);
  });
});
