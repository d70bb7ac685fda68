import type { GraphQLEnumType } from 'graphql';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { writeFigure } from '../../../src/site/figures/explore/table.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { railWithBusyHistory } from '../../oversight/revenue/busy-history.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = railWithBusyHistory();
let analyst: StaffActor;
let key: string;

/** A history of two currencies. */
beforeAll(async () => {
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`update payment_event set currency = 'KES' where mda = 'MOH'`);
    await remakeCopies(db);
  });
  analyst = await makeStaff(rail, 'oversight');
  key = (await rail.key('oversight.read', 'oversight.audit')).plaintext;
});

type Row = Readonly<Record<string, string | number | null>>;

/** The answer of REST to a question. */
async function ask(query: string): Promise<readonly Row[]> {
  const answer = await rail.ask(`/v1/oversight/figures?${query}`, { key });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer.data;
}

const texts = textsOf('en');
const money = (row: Row, measure: string) => texts.money(row[measure], String(row['currency']));

/** The cells of the rows of the answer's table, as they are read. */
const rowsOf = (page: Page, part = 'tbody') =>
  page
    .locator(`table.answer ${part} tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));

describe.skipIf(!browser.found)(runInBrowser('a question about figures'), () => {
  it(
    'is put together by choosing, and answered as REST answers it, in files and in GraphQL too',
    { tags: 'long' },
    async () => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      const { page, wrong, close } = await openWindow(browser, rail, { permissions });
      await signIn(page, analyst.email, '/oversight');
      await page.getByRole('link', { name: 'Explore' }).click();
      await page.getByRole('heading', { name: 'Net revenue and Payments by Agency' }).waitFor();

      // Each choice is an address of its own, and leaves who makes it where they were.
      await page.locator('summary', { hasText: 'Rows' }).click();
      await page.getByRole('checkbox', { name: 'Agency' }).uncheck();
      await page.waitForURL((url) => !url.searchParams.has('by'));
      await page.getByRole('checkbox', { name: 'Channel' }).check();
      await page.waitForURL('**by=channel*');
      await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('channel');
      await page.getByRole('checkbox', { name: 'Month' }).focus();
      await page.keyboard.press('Space');
      await page.waitForURL('**by=channel&by=month*');
      await page.getByLabel('From', { exact: true }).fill('2026-01-01');
      await page.getByRole('heading', { name: 'Explore' }).click();
      await page.waitForURL('**fromDate=2026-01-01*');
      await page.getByText('Filters', { exact: true }).click();
      await page.getByLabel('Agency').last().selectOption({ label: 'Uganda Revenue Authority' });
      await page.waitForURL('**agency=URA*');
      await page.getByRole('link', { name: 'Net revenue', exact: true }).click();
      await page.waitForURL('**order=net&direction=desc*');

      const rows = await ask(
        'by=channel,month&measures=net,payments&from_date=2026-01-01&agency=URA&time_zone=country&order_by=net',
      );
      expect(rows.length).toBeGreaterThan(10);
      const expected = rows.map((row) => [
        texts.t(`channel.${row['channel']}`),
        texts.month(row['month']),
        'UGX',
        money(row, 'net'),
        texts.number(row['payments']),
      ]);
      expect(await rowsOf(page)).toEqual(expected);
      const [total] = await ask('measures=net,payments&from_date=2026-01-01&agency=URA');
      expect(await rowsOf(page, 'tfoot')).toEqual([
        ['All, UGX', money(total!, 'net'), texts.number(total!['payments'])],
      ]);
      expect(await page.locator('th[aria-sort="descending"]').textContent()).toBe('Net revenue');
      await page.locator('.chart.lines').waitFor();

      const address = await page.getByRole('link', { name: 'This answer as CSV' }).getAttribute('href');
      const [head, ...lines] = (await (await page.request.get(address!)).text()).trim().split('\r\n');
      const columns = head!.replace('\u{feff}', '').split(',');
      const table = lines.map((line) => line.split(','));
      const column = (name: string) => table.map((cells) => cells[columns.indexOf(name)]);
      expect([column('Channel'), column('Month'), column('Net revenue')]).toEqual([
        rows.map((row) => row['channel']),
        rows.map((row) => row['month']),
        rows.map((row) => String(row['net'])),
      ]);
      const parquet = await page.getByRole('link', { name: 'This answer as Parquet' }).getAttribute('href');
      expect(await (await page.request.get(parquet!)).text()).toMatch(/^PAR1/);

      await page.getByText('The GraphQL of this answer').click();
      const [query, variables] = await page.locator('.graph code').allTextContents();
      const graph = await rail.ask('/graphql', { key, body: { query, variables: JSON.parse(variables!) } });
      expect(graph.json.errors).toBeUndefined();
      expect(graph.json.data.oversight.figureRecords.nodes).toMatchObject(rows);
      await page.getByRole('button', { name: 'Copy: Operation' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(query);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Net revenue', exact: true }).click();
      await page.waitForURL('**direction=asc*');
      await page.getByLabel('Sort by').selectOption('payments');
      await page.waitForURL(
        (url) => url.searchParams.get('order') === 'payments' && !url.searchParams.has('direction'),
      );
      await page.goBack();
      await page.goBack();
      await page.getByRole('link', { name: 'Remove Uganda Revenue Authority' }).click();
      await page.waitForURL((url) => !url.searchParams.has('agency'));
      await page.goBack();
      await page.waitForURL('**agency=URA*');
      expect(await rowsOf(page)).toEqual(expected);
      expect(wrong).toEqual([]);
      await close();
    },
  );

  it('has values of a dimension as columns, and a chart of one currency at a time', { tags: 'long' }, async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    const query = 'by=agency&columns=station&measures=net&fromDate=2026-01-01';
    await signIn(page, analyst.email, `/oversight/explore?${query}`);
    const cells = await ask('by=agency,station&measures=net&from_date=2026-01-01');
    const wholes = await ask('by=agency&measures=net&from_date=2026-01-01&order_by=net');
    const stations = await page.locator('table.answer th[scope="colgroup"]').allTextContents();
    expect(stations.toSorted()).toEqual(['All', 'Counter', 'Online', 'Other']);
    const keyOf = (name: string) =>
      ['counter', 'integrator', 'other'].find((one) => texts.t(`oversight.station.${one}`) === name);
    const expected = wholes.map((whole) => [
      whole['agency_name'],
      whole['currency'],
      ...stations.slice(0, -1).map((station) => {
        const cell = cells.find((row) => row['agency'] === whole['agency'] && row['station'] === keyOf(station));
        return texts.money(cell?.['net'] ?? 0, String(whole['currency']));
      }),
      money(whole, 'net'),
    ]);
    expect(await rowsOf(page)).toEqual(expected);
    expect((await rowsOf(page, 'tfoot')).map(([name]) => name)).toEqual(['All, KES', 'All, UGX']);

    const charted = page.getByRole('navigation', { name: 'Currency of the chart' });
    expect(await charted.locator('[aria-current]').textContent()).toBe('UGX');
    const agencies = () => page.locator('.chart tbody th').allTextContents();
    expect(await agencies()).not.toContain('Ministry of Health');
    await charted.getByRole('link', { name: 'KES' }).click();
    await page.waitForURL('**charted=KES*');
    // One bar says nothing: there is the table, and the way back.
    expect(await page.locator('.chart').count()).toBe(0);
    expect(await charted.locator('[aria-current]').textContent()).toBe('KES');
    expect(await rowsOf(page)).toEqual(expected);

    // Currencies as columns are never added.
    await page.goto('/oversight/explore?by=agency&columns=currency&measures=net&fromDate=2026-01-01');
    expect(await page.locator('table.answer th[scope="colgroup"]').allTextContents()).toEqual(['UGX', 'KES']);
    const [foot] = await rowsOf(page, 'tfoot');
    expect(foot![0]).toBe('All');
    const totals = await ask('measures=net&from_date=2026-01-01');
    expect(foot!.slice(1).toSorted()).toEqual(totals.map((row) => money(row, 'net')).toSorted());
    expect(wrong).toEqual([]);
    await close();
  });

  it('goes on to further rows after the first hundred', { tags: 'long' }, async () => {
    const { page, close } = await openWindow(browser, rail);
    await signIn(page, analyst.email, '/oversight/explore?by=agency&by=day&fromDate=2026-01-01');
    const rows = await ask('by=agency,day&measures=net&from_date=2026-01-01');
    expect(rows.length).toBeGreaterThan(200);
    expect(await page.locator('table.answer caption').textContent()).toBe(`${texts.number(rows.length)} rows`);
    const nameOf = (row: Row) => [row['agency_name'], texts.date(row['day'])];
    const first = async () => (await rowsOf(page)).map(([agency, day]) => [agency, day]);
    expect(await first()).toEqual(rows.slice(0, 100).map(nameOf));
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL('**page=2*');
    expect(await first()).toEqual(rows.slice(100, 200).map(nameOf));
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.waitForURL('**order=day*');
    expect(new URL(page.url()).searchParams.has('page')).toBe(false);
    const days = await page
      .locator('table.answer tbody tr')
      .evaluateAll((all) => all.map((row) => row.children[1]!.textContent));
    expect(days).toEqual(
      rows
        .map((row) => String(row['day']))
        .toSorted()
        .slice(0, 100)
        .map(texts.date),
    );
    await close();
  });

  it('is asked without a script, and keeps what its form has no field for', async () => {
    const { page, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await signIn(page, analyst.email, '/oversight/explore');
    await page.goto('/oversight/explore?by=month&agency=URA&agency=KCCA&counter=URA+Window+1');
    await page.locator('summary', { hasText: 'Rows' }).click();
    await page.getByRole('checkbox', { name: 'Channel' }).check();
    await page.getByLabel('Period').selectOption('last_fiscal_year');
    await page.getByRole('button', { name: 'Show the answer' }).click();
    await page.waitForURL('**preset=last_fiscal_year*');
    const { searchParams } = new URL(page.url());
    expect([searchParams.getAll('agency').toSorted(), searchParams.get('counter')]).toEqual([
      ['KCCA', 'URA'],
      'URA Window 1',
    ]);
    const rows = await ask(
      'by=channel,month&measures=net&preset=last_fiscal_year&agency=URA,KCCA&counter=URA%20Window%201',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await rowsOf(page)).toEqual(
      rows.map((row) => [texts.t(`channel.${row['channel']}`), texts.month(row['month']), 'UGX', money(row, 'net')]),
    );
    await close();
  });

  it('is refused in words, with its form, where it names what there is not', { tags: 'long' }, async () => {
    const { page, close } = await openWindow(browser, rail);
    await signIn(page, analyst.email, '/oversight/explore');
    for (const [query, status, words] of [
      ['by=planet', 422, 'Rows there is no such choice: planet'],
      ['columns=planet', 422, 'Columns there is no such choice: planet'],
      ['measures=luck', 422, 'Figures there is no such choice: luck'],
      ['by=month&agency=NOPE', 422, 'Agency there is no agency NOPE'],
      ['by=month&preset=today&fromDate=2026-01-01', 422, 'Period cannot be combined with Days'],
      ['by=month&fromDate=someday', 422, 'must be a date'],
      ['by=integrator', 403, 'oversight.audit'],
    ] as const) {
      const answer = await page.goto(`/oversight/explore?${query}`);
      expect(answer!.status(), query).toBe(status);
      expect(await page.getByRole('alert').textContent(), query).toContain(words);
      expect(await page.locator('[name="by"][value="month"]').isChecked()).toBe(query.includes('month'));
      expect(await page.locator('table.answer').count()).toBe(0);
    }
    await expectAccessible(page);
    await close();
  });

  it('is for those alone who may read oversight', async () => {
    const { page, close } = await openWindow(browser, rail);
    const { email } = await makeStaff(rail, 'supervisor');
    await signIn(page, email, '/work');
    expect((await page.goto('/oversight/explore'))!.status()).toBe(403);
    expect((await page.goto('/oversight/explore?by=planet'))!.status()).toBe(403);
    expect(await page.locator('main').textContent()).toContain('Only staff with this role can open this page');
    expect((await page.request.get('/oversight/files/explore.csv')).status()).toBe(403);
    await close();
  });

  it('says of figures that are not kept by a dimension that they are not', { tags: 'long' }, async () => {
    const { page, close } = await openWindow(browser, rail);
    await signIn(page, analyst.email, '/oversight/explore?by=service&measures=median&measures=net&fromDate=2026-01-01');
    const rows = await rowsOf(page);
    expect(rows.length).toBeGreaterThan(10);
    expect(
      rows.every((cells) => cells.at(-2) === 'not kept by this dimension' && cells.at(-1)!.includes('\u00a0')),
    ).toBe(true);
    const refused = await page.goto('/oversight/explore?by=service&measures=median');
    expect(refused!.status()).toBe(422);
    expect(await page.getByRole('alert').textContent()).toContain('none of the figures that were asked for is kept');
    await close();
  });
});

describe('figures as flat rows', () => {
  it('are ordered by a measure or a dimension, in either direction, and not by both', async () => {
    const list = async (order: string) => {
      const query = `{ oversight { figureRecords(by: [agency], preset: last_fiscal_year, ${order}) { nodes { agency net } } } }`;
      return (await rail.ask('/graphql', { key, body: { query } })).json;
    };
    const codes = async (order: string): Promise<string[]> =>
      (await list(order)).data.oversight.figureRecords.nodes.map(({ agency }: Row) => agency);
    const up = await codes('orderBy: [{ dimension: agency, direction: asc }]');
    expect(up.length).toBeGreaterThan(5);
    expect(up).toEqual(up.toSorted());
    expect(await codes('orderBy: [{ dimension: agency }]')).toEqual(up.toReversed());
    const largest = await codes('orderBy: [{ measure: net }]');
    expect(largest).not.toEqual(up);
    expect(await codes('orderBy: [{ measure: net, direction: asc }]')).toEqual(largest.toReversed());
    const both = await list('orderBy: [{ measure: net, dimension: agency }]');
    expect(both.errors[0].message).toContain('give either a measure or a dimension');
  });
});

describe('a figure that is not there', () => {
  it('is said to be kept back, not recorded, or without data, and zero where nothing was recorded of a sum', () => {
    const written = (row: Row | undefined, measure: string) => writeFigure(row, measure, 'UGX', texts).text;
    expect(written({ median: null, hidden: 'revenue: not_recorded; sizes: few_people' }, 'median')).toBe('kept back');
    expect(written({ net: null, hidden: 'revenue: not_recorded; sizes: few_people' }, 'net')).toBe('not recorded');
    expect(written({ average: null, hidden: null }, 'average')).toBe('no data');
    expect([written(undefined, 'net'), written(undefined, 'payments')]).toEqual(['UGX\u00a00', '0']);
    expect([written(undefined, 'median'), written(undefined, 'average')]).toEqual(['no data', 'no data']);
  });
});

describe('the words of the page', () => {
  it('are there for each dimension, span and reason', () => {
    const valuesOf = (type: string) => (schema.getType(type) as GraphQLEnumType).getValues().map(({ name }) => name);
    const words = [
      ...valuesOf('FigureDimension').map((name) => `explore.dimension.${name}`),
      ...valuesOf('FigureMeasure').map((name) => `explore.measure.${name}`),
      ...valuesOf('SpanPreset').map((name) => `explore.preset.${name}`),
      ...valuesOf('OversightTimeZone').map((name) => `explore.timeZones.${name}`),
      ...valuesOf('HiddenReason')
        .filter((name) => name !== 'few_people')
        .map((name) => `explore.hidden.${name}`),
    ];
    expect(words.filter((word) => !texts.has(word))).toEqual([]);
  });
});
