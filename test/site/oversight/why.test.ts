import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedHistory } from '../../../src/sandbox/history.ts';
import { remakeCopies } from '../../../src/platform/analytics/feed.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { largest, splitChange } from '../../../src/site/figures/why/contributions.ts';
import { marksOf } from '../../../src/site/figures/why/marks.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { makeStaff } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { openWindow, signIn } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let fallen: { mda: string; agency: string; counter: string };

/** A history in which one counter of an agency took nothing of late. */
beforeAll(async () => {
  for await (const _ of seedHistory(rail.rail, { events: 3_000, years: 1, agencies: 6, seed: 11, whole: true }));
  const ofCounter = sql`
    select e.name, e.amount, e.mda, s.counter_label as counter from payment_event e
    join assessment a on a.name = e.assessment join counter_shift s on s.name = a.shift and s.mda = e.mda
    where e.occurred_at between now() - interval '27 days' and now()`;
  const [most] = await rail.rows<typeof fallen>(sql`
    select c.mda, m.mda_name as agency, c.counter from (${ofCounter}) c join mda m on m.name = c.mda
    group by c.mda, m.mda_name, c.counter order by sum(c.amount) desc limit 1`);
  fallen = most!;
  await rail.rail.transaction(async (db) => {
    await db.rows(sql`set local session_replication_role = replica`);
    await db.rows(sql`
      update payment_event set occurred_at = occurred_at - interval '30 days'
      where name in (select name from (${ofCounter}) c where c.mda = ${fallen.mda} and c.counter = ${fallen.counter})`);
    await remakeCopies(db);
  });
});

/** The last column of a table of the page, in figures. */
async function differences(page: Page, by: string): Promise<number[]> {
  const cells = await page.locator(`[aria-labelledby="by-${by}"] tbody tr td:last-child`).allInnerTexts();
  return cells.map((text) => figure(text));
}

const figure = (text: string) => Number(text.replace('\u2212', '-').replaceAll(/[^\d.-]/g, ''));
const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);

describe.skipIf(!browser.found)(runInBrowser('an analyst who asks why'), () => {
  it(
    'gets from an agency that fell to the counter that did, by figures that are those of SQL',
    { tags: 'long' },
    async () => {
      const { page, wrong, close } = await openWindow(browser, rail);
      const { email } = await makeStaff(rail, 'oversight');
      await signIn(page, email, '/oversight');
      await page.getByRole('link', { name: `Why did ${fallen.agency} change?` }).click();
      await page.waitForURL('**/oversight/why?**');
      await page.getByText(fallen.agency).first().waitFor();
      const query = new URL(page.url()).searchParams;
      const [from, to] = [query.get('fromDate')!, query.get('toDate')!];

      const [row] = await rail.rows<{ now: number; was: number }>(sql`
      with event as (
        select amount, (occurred_at at time zone c.time_zone)::date as day from payment_event e
        join agency_calendar c on c.mda = e.mda where e.mda = ${fallen.mda} and e.currency = ${query.get('currency')}
      )
      select coalesce(sum(amount) filter (where day between ${from}::date and ${to}::date), 0)::float8 as now,
        coalesce(sum(amount) filter (where day < ${from}::date
          and day >= ${from}::date - (${to}::date - ${from}::date + 1)), 0)::float8 as was
      from event`);
      const change = row!.now - row!.was;
      const sums = (await page.locator('.figures.sums strong').allInnerTexts()).map((text) => figure(text));
      expect(sums[0]).toBe(change);
      expect(sum(sums.slice(1))).toBe(change);
      for (const by of ['service', 'channel', 'counter', 'day'])
        expect(sum(await differences(page, by)), by).toBe(change);

      const [counter] = await rail.rows<{ difference: number }>(sql`
      with event as (
        select e.amount, (e.occurred_at at time zone k.time_zone)::date as day from payment_event e
        join agency_calendar k on k.mda = e.mda
        join assessment a on a.name = e.assessment join counter_shift s on s.name = a.shift
        where e.mda = ${fallen.mda} and s.counter_label = ${fallen.counter} and e.currency = ${query.get('currency')}
      )
      select coalesce(sum(case when day between ${from}::date and ${to}::date then amount
        when day < ${from}::date and day >= ${from}::date - (${to}::date - ${from}::date + 1) then -amount end), 0)::float8
        as difference from event`);
      const found = page.locator('[aria-labelledby="by-counter"] tbody tr').filter({ hasText: fallen.counter }).first();
      expect(figure(await found.locator('td').last().innerText())).toBe(counter!.difference);
      expect(counter!.difference).toBeLessThan(0);
      await expectAccessible(page);
      expect(wrong).toEqual([]);
      await close();
    },
  );
});

describe('what happened meanwhile', () => {
  it('is outages, notices to the agency, fees that changed and anomalies, by their days', () => {
    const fee = (feeAmount: number, from: string) => ({
      serviceId: 'SVC-1',
      serviceName: 'Passport',
      feeAmount,
      currency: 'UGX',
      from,
      agency: { timeZone: 'Africa/Kampala' },
    });
    const incident = (title: string, ...agencyIds: string[]) => ({
      title,
      startedAt: '2028-02-03T21:30:00Z',
      agencyIds,
    });
    const marks = marksOf(
      {
        anomalies: { nodes: [{ kind: 'revenue_drop', raisedAt: '2028-02-02T08:00:00Z', agency: null }] },
        fees: { nodes: [fee(300_000, '2028-02-04T21:00:00Z'), fee(250_000, '2028-02-02T05:00:00Z')] },
        health: {
          channels: [
            {
              channel: 'card',
              days: [
                { day: '2028-02-02', health: 'down' },
                { day: '2028-02-03', health: 'unknown' },
              ],
            },
            {
              channel: 'airtel_money',
              days: [
                { day: '2028-01-31', health: 'degraded' },
                { day: '2028-02-01', health: 'up' },
                ...['2028-02-03', '2028-02-04', '2028-02-05'].map((day) => ({ day, health: 'degraded' })),
              ],
            },
          ],
          incidents: [incident('Maintenance'), incident('Of others', 'URA')],
        },
        holidays: [
          { country: 'UG', day: '02-01', name: 'A day of each year' },
          { country: 'UG', day: '2027-02-05', name: 'Of another year' },
          { country: 'KE', day: '02-01', name: 'Of another country' },
        ],
      },
      ['2028-02-01', '2028-02-02', '2028-02-03', '2028-02-04', '2028-02-05'],
      {
        texts: textsOf('en'),
        timeZone: 'Africa/Kampala',
        query: new URLSearchParams('agency=KCCA'),
        agencies: [{ id: 'KCCA', name: 'Kampala', country: 'UG' }],
      },
    );
    expect(marks).toEqual([
      { at: 0, text: 'A day of each year' },
      { at: 1, text: 'Card did not work; Revenue fell sharply' },
      { at: 2, text: 'Airtel Money worked in part, until 5 Feb 2028' },
      { at: 3, text: 'Maintenance' },
      { at: 4, text: 'Fee of Passport: UGX\u00a0250,000 → UGX\u00a0300,000' },
    ]);
  });
});

describe('a change, taken apart', () => {
  const taken = (payments: number, collected: number, reversed = 0) => ({
    payments,
    collected,
    reversed,
    net: collected - reversed,
  });

  it('is what more payments, larger ones and reversals make of it, also from nothing and to nothing', () => {
    expect(splitChange(taken(10, 1_500, 100), taken(20, 2_000))).toEqual({
      number: -1_000,
      size: 500,
      reversals: -100,
    });
    expect(splitChange(taken(3, 10), taken(0, 0))).toEqual({ number: 10, size: 0, reversals: 0 });
    expect(splitChange(taken(0, 0), taken(3, 10))).toEqual({ number: -10, size: 0, reversals: 0 });
  });

  it('has what moved most, and the rest as one', () => {
    const part = (name: string, now: number, was: number) => ({ name, now, was, difference: now - was, link: null });
    const parts = Array.from({ length: 10 }, (_each, index) => part(`p${index}`, 0.1 * index, 0.3));
    const whole = part('rest', 4.5, 3);
    const list = largest(parts, whole);
    expect(list.at(-1)).toMatchObject({ name: 'rest' });
    expect(Math.round(sum(list.map(({ difference }) => difference)) * 100) / 100).toBe(1.5);
  });
});
