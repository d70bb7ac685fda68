import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayIn } from '../../../src/kernel/time.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { placeEvents } from '../../../src/oversight/events/place.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let email: string;
let key: string;
let today: string;

const ask = async (field: string) => {
  const answer = await rail.ask('/graphql', { key, body: { query: `{ oversight { ${field} } }` } });
  return (answer.json as { data: { oversight: Record<string, unknown> } }).data.oversight;
};

beforeAll(async () => {
  key = (await rail.key('oversight.read')).plaintext;
  ({ email } = await makeStaff(rail, 'oversight'));
  today = dayIn(rail.rail.now(), 'Africa/Kampala');
});

const cells = (page: Page, chart: string) => page.locator(`[data-chart="${chart}"] details td`).allTextContents();

describe('when recording began', () => {
  it('is null before the first payment, and its day at once', async () => {
    expect(await ask('recordedSince')).toEqual({ recordedSince: null });
    const actor = await makeActor(rail);
    for (const _ of [1, 2]) {
      const { assessment } = await createConfirmed(rail, actor);
      await actor.post(`/v1/assessments/${assessment}:cancel`);
    }
    expect(await ask('recordedSince')).toEqual({ recordedSince: today });
    expect(await ask('recordedSince, of: recordedSince(agency: "URA"), other: recordedSince(agency: "KCCA")')).toEqual({
      recordedSince: today,
      of: today,
      other: null,
    });
  });
});

describe.skipIf(!browser.found)(runInBrowser('whoever reads figures in a browser'), () => {
  it('compares nothing with days of which nothing is recorded, and sees which day goes on', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, email, '/oversight');
    const sums = page.locator('.figures.sums');
    const began = `Recording began on ${textsOf('en').date(today)}.`;
    expect(await sums.getByText(began).count()).toBe(2);
    expect(await sums.innerText()).not.toMatch(/%|×/);
    expect((await cells(page, 'revenue')).slice(0, -1)).toEqual(Array.from({ length: 29 }, () => '–'));
    await page.locator('[data-chart="revenue"] th').getByText(', so far').waitFor({ state: 'attached' });
    expect(await page.locator('main > .scroll tbody td').getByText('no data').count()).toBe(10);
    // Nobody knows two payers from one; until they are told, not that there are some.
    await rail.rows(sql`delete from people_waiting`);
    await page.goto('/oversight/channels');
    const row = page.locator('main > .scroll').getByRole('row').nth(1);
    expect((await row.innerText()).match(/kept back|no data/g)).toEqual(
      expect.arrayContaining(['kept back', 'no data']) as string[],
    );
    await page.getByRole('columnheader', { name: 'Open' }).waitFor();
    await page.getByRole('columnheader', { name: 'Share paid of those that ended' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it(
    'has charts of anomalies that follow the filter, and a list in the order of its moments',
    { tags: 'long' },
    async () => {
      const names = await rail.rows<{ name: string }>(sql`select name from anomaly order by name`);
      for (const [index, { name }] of names.entries())
        await rail.rows(sql`
        update anomaly set raised_at = now() - make_interval(hours => ${index}) where name = ${name}`);
      const admin = await makeStaff(rail, 'admin');
      const resolved = await admin.post(`/v1/ops/anomalies/${names[0]!.name}:resolve`, { note: 'As it should be' });
      expect(resolved.status, resolved.text).toBe(200);
      while ((await placeEvents(rail.rail)) > 0);
      const { page, wrong, close } = await openWindow(browser, rail);
      await signIn(page, email, '/oversight/anomalies');
      const total = async () => (await cells(page, 'kinds')).reduce((sum, cell) => sum + Number(cell), 0);
      expect(await total()).toBe(names.length);
      const links = page.locator('main > .scroll tbody a');
      expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')!.split('/').at(-1)))).toEqual(
        names.map(({ name }) => name),
      );
      for (const [status, count] of [
        ['Open', names.length - 1],
        ['Resolved', 1],
      ] as const) {
        await page.getByText('Filters', { exact: true }).click();
        await page.getByLabel('Status').selectOption({ label: status });
        await page.getByRole('button', { name: 'Apply filters' }).click();
        await page.waitForURL(`**status=${status}*`);
        expect(await total(), status).toBe(count);
        expect(await links.count(), status).toBe(count);
      }
      expect(wrong).toEqual([]);
      await close();
    },
  );
});

describe('changes in words', () => {
  it('are shares of what was up to 300 %, and how often it is beyond', () => {
    const { change, percent, money } = textsOf('en');
    expect([change(0.05), change(-0.154), change(73.851), change(3.4), change(0)]).toEqual([
      '+5.0%',
      '−15.4%',
      '×75',
      '×4.4',
      '0.0%',
    ]);
    expect([percent(0.9), percent(0.923), money(-338_000, 'UGX')]).toEqual(['90.0%', '92.3%', 'UGX\u00a0−338,000']);
  });
});
