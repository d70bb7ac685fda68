import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { makeStory } from '../../../src/sandbox/story.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { listsFor, presetsOf } from '../../../src/site/records/lists.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { type StaffActor, makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

let admin: StaffActor;

beforeAll(async () => {
  await makeStory(rail.rail, { days: 3 });
  admin = await makeStaff(rail, 'admin', 'auditor');
});

const get = (path: string) => fetch(rail.origin + path, { headers: { cookie: admin.cookie, accept: 'text/html' } });
type Line = Readonly<Record<string, string>>;
const linesOf = async (path: string) => parse<Line>(await (await get(path)).text(), { columns: true, bom: true });

it('a list leads to its next part from each part, and says once what its page is to keep', () => {
  const query = new URLSearchParams('by=service&first=100&after=a&later=true');
  const page = { hasPreviousPage: true, hasNextPage: true, startCursor: 'b', endCursor: 'c' };
  const { previous, next } = listsFor(textsOf('en'), '/oversight', query).partsOf(page, 100, 100, { later: 'true' });
  expect(next).toBe('?by=service&first=100&after=c&later=true');
  expect(previous).toBe('?by=service&last=100&before=b&later=true');
});

describe('the days that lists are asked for', () => {
  it('end today, and a fiscal year begins with the month of the country', () => {
    // A Thursday.
    expect(presetsOf('2026-11-26', 7)).toEqual({
      today: { fromDate: '2026-11-26', toDate: '2026-11-26' },
      yesterday: { fromDate: '2026-11-25', toDate: '2026-11-25' },
      week: { fromDate: '2026-11-23', toDate: '2026-11-26' },
      month: { fromDate: '2026-11-01', toDate: '2026-11-26' },
      fiscalYear: { fromDate: '2026-07-01', toDate: '2026-11-26' },
    });
    expect(presetsOf('2027-03-01', 7).fiscalYear.fromDate).toBe('2026-07-01');
    expect(presetsOf('2027-03-01', 7).yesterday.fromDate).toBe('2027-02-28');
    expect(presetsOf('2027-03-07', 1)).toMatchObject({
      week: { fromDate: '2027-03-01' },
      fiscalYear: { fromDate: '2027-01-01' },
    });
  });
});

describe.skipIf(!browser.found)(runInBrowser('a row of a list'), () => {
  it.each([1280, 360])('%i px wide leads where its name does, and what is within it elsewhere', async (width) => {
    const { page, wrong, close } = await openWindow(browser, rail, { viewport: { width, height: 740 } });
    await addCookie(page.context(), rail, admin.cookie);
    const open = async () => {
      await page.goto('/console/payments?status=Confirmed');
      return page.locator('.list tbody tr').first();
    };
    const id = await (await open()).getByRole('rowheader').getByRole('link').innerText();
    for (const [x, y] of [
      [0.02, 0.5],
      [0.5, 0.3],
      [0.98, 0.9],
    ] as const) {
      const box = (await (await open()).boundingBox())!;
      await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
      await page.waitForURL(`**/console/payments/${id}`);
    }
    const other = (await open()).getByRole('cell').getByRole('link').first();
    const assessment = await other.innerText();
    await other.click();
    await page.waitForURL(`**/console/assessments/${assessment}`);
    // Heads stay above the rows that are scrolled below them.
    await page.goto('/console/payments');
    if (width > 700) {
      await page.mouse.wheel(0, 600);
      const seen = () =>
        page.evaluate(() => {
          const head = document.querySelector('.list thead th')!.getBoundingClientRect();
          return [head.top, document.elementFromPoint(head.left + 5, head.top + 5)?.closest('thead') !== null];
        });
      await expect.poll(seen).toEqual([0, true]);
    }
    expect(wrong).toEqual([]);
    await close();
  });
});

describe('a list', () => {
  it('is the same as a file: the rows that the filter leaves, in its order, with their sum', async () => {
    const filter = 'status=Confirmed&channel=mtn_momo&minAmount=50000&orderBy=amount_desc';
    const page = await (await get(`/console/payments?${filter}`)).text();
    const found = await rail.rows<{ name: string; amount: number }>(sql`
      select name, amount::float8 as amount from payment_intent
      where status = 'Confirmed' and channel = 'mtn_momo' and amount >= 50000 order by amount desc, name desc`);
    expect(found.length).toBeGreaterThan(3);
    const [, file] = /href="(\/console\/payments\.csv[^"]*)"/.exec(page)!;
    const lines = await linesOf(file!.replaceAll('&amp;', '&'));
    expect(lines.map(({ id }) => id)).toEqual(found.map(({ name }) => name));
    expect(Object.keys(lines[0]!)).toEqual([
      'id', 'status', 'channel', 'amount', 'currency', 'assessment_id', 'created_at', 'splits',
    ]); // prettier-ignore
    const sum = found.reduce((total, { amount }) => total + amount, 0);
    expect(page).toContain(`Total: UGX\u00a0${new Intl.NumberFormat('en').format(sum)}`);
    expect(page).toContain(`1–${found.length} of ${found.length}`);
  });

  it('says by which days it is filtered as its pages do, and takes its file by the same clock', async () => {
    const [{ day }] = (await rail.rows<{ day: string }>(sql`
      select to_char(max(created_at) at time zone 'Africa/Kampala', 'YYYY-MM-DD') as day from payment_intent`)) as [
      { day: string },
    ];
    const [{ count }] = (await rail.rows<{ count: number }>(sql`
      select count(*)::int as count from payment_intent
      where to_char(created_at at time zone 'Africa/Kampala', 'YYYY-MM-DD') = ${day}`)) as [{ count: number }];
    const page = await (await get(`/console/payments?from=${day}&to=${day}`)).text();
    expect(page).toContain(` of ${count}<`);
    expect(await linesOf(`/console/payments.csv?from=${day}&to=${day}`)).toHaveLength(count);
  });

  it('of payments is filtered by what they were confirmed by', async () => {
    await rail.rail.transaction(async (db) => {
      await db.rows(sql`set local session_replication_role = replica`);
      await db.rows(sql`
        update payment_event set proof = 'approval'
        where intent in (select distinct intent from payment_event order by intent limit 3)`);
    });
    const approved = await rail.rows<{ intent: string }>(
      sql`select distinct intent from payment_event where proof = 'approval' order by intent desc`,
    );
    expect(approved).toHaveLength(3);
    const page = await (await get('/console/payments?proof=approval')).text();
    expect(page).toContain('<option value="approval" selected>Two people</option>');
    expect(page).toContain('1–3 of 3');
    const lines = await linesOf('/console/payments.csv?proof=approval');
    expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(approved.map(({ intent }) => intent)));
  });

  it('has no total where it is too long to be added up, and says so', async () => {
    await rail.rows(sql`
      with made as (
        insert into assessment (
          name, citizen, integrator, status, currency, total_amount, line_count, revision, created_at, updated_at
        )
        select 'ASMT-2020-01-' || lpad(n::text, 6, '0'), a.citizen, a.integrator, 'Draft', 'UGX', 1, 1, 1, now(), now()
        from generate_series(1, 10001) n, (select citizen, integrator from assessment limit 1) a
        returning name
      )
      insert into assessment_line (assessment, idx, service, service_name, mda, quantity, rate, amount)
      select m.name, 1, s.name, s.service_name, s.mda, 1, 1, 1 from made m, (select * from service limit 1) s`);
    const query = `{ all: assessments(first: 1) { totalCount totalCountIsLowerBound totals { currency amount } }
      some: assessments(first: 1, status: Draft, maxAmount: -1) { totalCount totals { currency amount } } }`;
    const headers = { cookie: admin.cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${rail.origin}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as { data: unknown };
    expect(data).toEqual({
      all: { totalCount: 10_000, totalCountIsLowerBound: true, totals: null },
      some: { totalCount: 0, totals: [] },
    });
  });

  it('is a file wherever its page is one, for those who may see the page', async () => {
    const { files } = readDocuments(schema);
    const lists = files.filter(({ path, who }) => who === 'STAFF' && path.startsWith('/console'));
    expect(lists.length).toBeGreaterThan(10);
    const clerk = await makeStaff(rail, 'clerk');
    for (const { path } of lists) {
      const answer = await get(`${path}.csv`);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      await answer.text();
      const refused = await fetch(`${rail.origin}${path}.csv`, { headers: { cookie: clerk.cookie } });
      const shown = await fetch(rail.origin + path, { headers: { cookie: clerk.cookie } });
      // The services themselves are public.
      if (path !== '/console/services') expect([path, refused.status]).toEqual([path, shown.status]);
      await Promise.all([refused.text(), shown.text()]);
    }
  });
});

describe.skipIf(!browser.found)(runInBrowser('a list on a telephone'), () => {
  it('is cards, sorted and paged by links, without a script', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    await addCookie(page.context(), rail, admin.cookie);
    await page.goto('/console/payments?status=Confirmed');
    const total = await rail.count(sql`select 1 from payment_intent where status = 'Confirmed'`);
    await page.getByText(`1–50 of ${total}`).waitFor();
    await page.getByRole('link', { name: 'Amount', exact: true }).click();
    await page.waitForURL(/orderBy=amount_desc/);
    await page.getByRole('link', { name: 'Amount', exact: true }).click();
    await page.waitForURL(/orderBy=amount_asc/);
    const [{ least }] = (await rail.rows<{ least: number }>(
      sql`select min(amount)::float8 as least from payment_intent where status = 'Confirmed'`,
    )) as [{ least: number }];
    const first = page.locator('.list tbody tr').first();
    const written = new Intl.NumberFormat('en').format(least);
    await first.getByText(`UGX\u00a0${written}`, { exact: true }).waitFor();
    // All of a card is within the window, and each of its values says what it is.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const card = (await first.boundingBox())!;
    for (const cell of await first.locator('td').all()) {
      const box = (await cell.boundingBox())!;
      expect(box.x >= card.x && box.x + box.width <= card.x + card.width).toBe(true);
    }
    expect(
      await first
        .locator('td')
        .first()
        .evaluate((cell) => getComputedStyle(cell, '::before').content),
    ).toBe('"Amount"');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText(`51–${Math.min(100, total)} of ${total}`).waitFor();
    await page.getByRole('link', { name: 'Previous page' }).click();
    await page.getByText(`1–50 of ${total}`).waitFor();
    await page.getByRole('link', { name: 'Remove the filter Status: Paid' }).click();
    await page.getByText(`1–50 of ${await rail.count(sql`select 1 from payment_intent`)}`).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('has rows of 36 px where there is room, its heads in sight, and copies what is clicked', async () => {
    const { page, wrong, close } = await openWindow(browser, rail, { viewport: { width: 1400, height: 800 } });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await addCookie(page.context(), rail, admin.cookie);
    await page.goto('/console/payments?orderBy=created_desc');
    const row = page.locator('.list tbody tr').nth(30);
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(36.5);
    await row.scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 900);
    await expect.poll(async () => (await page.locator('.list thead th').first().boundingBox())!.y).toBe(0);
    await row.hover();
    await row.locator('.copy').first().click();
    const name = await row.locator('th a').textContent();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(name);
    await page.getByRole('link', { name: 'This month' }).click();
    await page.getByText(/Filtered by/).waitFor();
    await expectAccessible(page);
    expect(wrong).toEqual([]);
    await close();
  });
});
