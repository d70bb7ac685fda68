import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { createConfirmed, makeActor } from '../../harness/flow.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff, makeStaffOf } from '../../harness/people/staff.ts';
import { type Answer, testRail } from '../../harness/rail.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let analyst: StaffActor;

beforeAll(async () => {
  const actor = await makeActor(rail);
  await createConfirmed(rail, actor);
  analyst = await makeStaff(rail, 'oversight');
});

interface Embedded {
  readonly id: string;
  readonly address: string;
  readonly expiresAt: string;
}

const embed = (who: StaffActor, args: string) =>
  who.post('/graphql', { query: `mutation { embedChart(name: "Home", ${args}) { id address expiresAt } }` });
const REVENUE = 'page: "/oversight?by=agency", chart: "revenue"';
const chartOf = ({ data }: Answer) => (data as { embedChart: Embedded }).embedChart;
const detailsOf = ({ json }: Answer) =>
  (json as { errors: { extensions: { code: string; details?: { path: string }[] } }[] }).errors[0]!.extensions;
const show = ({ address }: Pick<Embedded, 'address'>, headers = {}) => rail.ask(address, { headers });

describe('an embedded chart', () => {
  it('is the picture of its page as its owner sees it, for everybody and any website', async () => {
    const chart = chartOf(await embed(analyst, REVENUE));
    const { status, headers, text } = await show(chart);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const own = await analyst.ask('/oversight?by=agency&format=svg&part=revenue');
    expect(text).toBe(own.text);
    expect((await show(chart, { 'accept-language': 'fr' })).text).not.toBe(text);
  });

  it('ends on its last day', async () => {
    const chart = chartOf(await embed(analyst, `${REVENUE}, days: 1`));
    expect(Date.parse(chart.expiresAt) - rail.rail.now().getTime()).toBeLessThanOrEqual(24 * 3_600_000);
    await rail.rows(sql`update embedded_chart set expires_at = now() where id = ${chart.id}::uuid`);
    expect((await show(chart)).status).toBe(404);
    const { data } = await analyst.post('/graphql', { query: '{ embeddedCharts { id } }' });
    expect(JSON.stringify(data)).not.toContain(chart.id);
  });

  it('ends where its owner removes it, and nobody else does', async () => {
    const chart = chartOf(await embed(analyst, REVENUE));
    const remove = (who: StaffActor) =>
      who.post('/graphql', { query: `mutation { removeEmbeddedChart(id: "${chart.id}") }` });
    expect(detailsOf(await remove(await makeStaff(rail, 'oversight')))).toMatchObject({ code: 'not_found' });
    expect((await show(chart)).status).toBe(200);
    expect((await remove(analyst)).data).toEqual({ removeEmbeddedChart: true });
    expect((await show(chart)).status).toBe(404);
    expect((await show({ address: '/embed/nothing.svg' })).status).toBe(404);
    const auditor = await makeStaff(rail, 'auditor');
    const { data } = await auditor.ask(`/v1/ops/audit?subject=${chart.id}`);
    expect(data).toMatchObject([
      { action: 'chart.remove', actor: analyst.email },
      { action: 'chart.embed', actor: analyst.email, after: { page: '/oversight?by=agency', chart: 'revenue' } },
    ]);
  });

  it('shows no more than its owner may see: of another agency, once they left, or without the right, nothing', async () => {
    const officer = await makeStaffOf(rail, ['URA'], 'finance_officer');
    const own = chartOf(await embed(officer, 'page: "/agency?agency=URA", chart: "pace"'));
    const others = chartOf(await embed(officer, 'page: "/agency?agency=KCCA", chart: "pace"'));
    expect([(await show(own)).status, (await show(others)).status]).toEqual([200, 403]);
    await rail.rows(sql`update staff set roles = '{clerk}' where email = ${officer.email}`);
    expect((await show(own)).status).toBe(403);
    await rail.rows(sql`update staff set active = false where email = ${officer.email}`);
    expect((await show(own)).status).toBe(404);
  });

  it.each([
    ['page: "/counter", chart: "revenue"', 'page'],
    ['page: "//elsewhere.example/oversight", chart: "revenue"', 'page'],
    ['page: "/oversight", chart: "../revenue"', 'chart'],
    [`${REVENUE}, days: 0`, 'days'],
    [`${REVENUE}, days: 366`, 'days'],
  ])('is refused with %s', async (args, path) => {
    expect(detailsOf(await embed(analyst, args))).toMatchObject({ code: 'validation_failed', details: [{ path }] });
  });

  it('is one of 50 at most, and for staff alone', async () => {
    const owner = await makeStaff(rail, 'oversight');
    const many = Array.from(
      { length: 50 },
      (_one, index) => `v${index}: embedChart(name: "${index}", ${REVENUE}) { id }`,
    );
    for (let from = 0; from < 50; from += 10)
      await owner.post('/graphql', { query: `mutation { ${many.slice(from, from + 10).join(' ')} }` });
    expect(detailsOf(await embed(owner, REVENUE))).toMatchObject({ details: [{ path: 'name' }] });
    const { plaintext } = await rail.key('oversight.read');
    const query = `mutation { embedChart(name: "Home", ${REVENUE}) { id } }`;
    const refused = await rail.ask('/graphql', { key: plaintext, body: { query } });
    expect(detailsOf(refused)).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('what a page shows', () => {
  it('is a file in the form that its address says: the first of the page, or the one that is named', async () => {
    const records = await analyst.ask('/oversight?by=agency&format=json&part=revenue');
    expect(records.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const [first] = JSON.parse(records.text) as Record<string, unknown>[];
    expect(Object.keys(first!).length).toBeGreaterThan(1);
    const csv = await analyst.ask('/oversight?by=agency&format=csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="revenue.csv"');
    expect(csv.text.split('\r\n')[0]!.replace('\uFEFF', '').split(',')).toHaveLength(Object.keys(first!).length);
    const answered = await analyst.ask('/oversight/questions/revenue-by-agency?format=json');
    expect((JSON.parse(answered.text) as unknown[]).length).toBeGreaterThan(0);
    expect((await analyst.ask('/oversight?format=xlsx')).status).toBe(422);
    expect((await analyst.ask('/oversight?format=csv&part=nothing')).status).toBe(404);
  });
});

describe.skipIf(!browser.found)(runInBrowser('a chart on another website'), () => {
  it('is put there from the page that has it', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await signIn(page, analyst.email, '/oversight');
    await page.locator('[data-chart="revenue"]').getByRole('link', { name: 'Embed' }).click();
    expect(await page.getByLabel('Title, for people who cannot see the chart').inputValue()).toBe('Revenue by day');
    await page.getByRole('button', { name: 'Embed the chart' }).click();
    const section = page.locator('section', { hasText: 'Revenue by day' });
    const code = await section.locator('code').innerText();
    expect(code).toContain('alt="Revenue by day"');
    expect(wrong).toEqual([]);

    const site = createServer((_req, res) =>
      res.setHeader('content-type', 'text/html').end(`<title>Ministry</title>${code}`),
    );
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const widthOf = () => page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(widthOf).toBeGreaterThan(100);
    await page.goto('/figures/charts');
    await section.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The chart is removed').waitFor();
    expect(await page.getByText('Revenue by day').count()).toBe(0);
    site.close();
    await close();
  });
});
