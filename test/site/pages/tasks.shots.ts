import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Sql, raw, sql } from '../../../src/platform/database/sql.ts';
import { LANGUAGES, type Language } from '../../../src/site/languages/language.ts';
import type { Visitor } from '../../../src/site/operations/documents.ts';
import { PICTURE_SIZE } from '../../../src/site/records/docs/markdown.ts';
import { TASKS } from '../../../src/site/records/docs/tasks.ts';
import { testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { EVERYBODY } from './examples.ts';
import { exampleOf, fillPages, openPages } from './every-page.ts';

const FOLDER = new URL('../../../docs/tasks/pictures/', import.meta.url);
/** In bytes: readers pay for what their telephones load. */
const LARGEST = 40_000;

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });

interface Picture {
  readonly task: keyof typeof TASKS;
  /** The page, with an example where its address has parameters. */
  readonly path: string;
  readonly query?: string;
  /** The example, if it is another than that of the page elsewhere. */
  readonly example?: Sql;
  /** The text at the top of the picture; by default, the heading of the page. */
  readonly from?: string;
  /** Tells pictures of the same task apart. */
  readonly name?: string;
  /** A link of the page that leads to what is shown. */
  readonly through?: string;
}

const PICTURES: readonly Picture[] = [
  { task: 'open-a-shift', path: '/counter', from: 'form[action="/counter/shifts"]' },
  { task: 'take-a-payment', name: 'basket', path: '/counter/shifts/{id}/basket/{citizen}' },
  { task: 'take-a-payment', name: 'pay', path: '/counter/assessments/{id}' },
  { task: 'close-with-a-difference', path: '/counter/shifts/{id}/close' },
  { task: 'paid-twice', path: '/counter/slips/{id}' },
  { task: 'cancel-or-reverse', path: '/work/assessments/{id}/cancel' },
  { task: 'find-anything', path: '/work/find', query: '?q=UGX+10%2C000' },
  { task: 'secure-your-account', path: '/work/account' },
  { task: 'decide-on-a-difference', path: '/supervision/shifts/{id}' },
  { task: 'the-day-of-an-agency', path: '/agency', query: '?agency=URA' },
  { task: 'manage-your-keys', path: '/dashboard/keys' },
  {
    task: 'a-request-fails',
    path: '/dashboard/requests/{id}',
    example: sql`
      select to_char(ts at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '_' || id as id from audit_log
      where integrator in (select integrator from session) order by http_status = 422 desc, http_status desc limit 1`,
  },
  {
    task: 'webhook-fails',
    path: '/dashboard/webhooks/deliveries/{id}',
    example: sql`
      select name as id from webhook_delivery where integrator in (select integrator from session)
      order by status = 'delivered', attempts desc, name limit 1`,
  },
  { task: 'an-outage', path: '/console' },
  { task: 'work-through-anomalies', path: '/console/anomalies/{id}' },
  {
    task: 'compare-a-statement',
    path: '/console/reconciliation/runs/{id}',
    from: 'main #live h2',
    example: sql`select name as id from reconciliation_run order by missing_here desc, matched desc limit 1`,
  },
  { task: 'change-a-fee', path: '/console/services/{id}' },
  { task: 'give-somebody-access', path: '/console/staff/invite' },
  { task: 'let-an-integrator-go-live', path: '/console/live-requests/{id}' },
  { task: 'explain-a-change', path: '/oversight', through: 'a[href^="/oversight/why"]' },
  { task: 'answer-a-question', path: '/oversight/channels' },
  { task: 'have-figures-mailed', path: '/figures/views/{id}' },
  { task: 'prove-the-records', path: '/oversight/seals' },
];

/** Replaces the tests' names, since people read these pictures. */
async function nameLegibly(): Promise<void> {
  await rail.rows(sql`update staff set name = 'Sarah Nakato' where email = ${EVERYBODY}`);
  await rail.rows(sql`delete from service_notice`);
  for (const [table, column] of [
    ['saved_view', 'name'],
    ['staff_passkey', 'label'],
  ] as const)
    await rail.rows(sql`
      update ${raw(table)} set ${raw(column)} = regexp_replace(${raw(column)}, '<[^>]*>', '', 'g')`);
}

/** A screenshot as WebP, which is a third of the size of a PNG. */
async function shoot(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  await devtools.detach();
  return Buffer.from(data, 'base64');
}

it('takes the pictures of the tasks, in the languages that a task is in', async () => {
  mkdirSync(FOLDER, { recursive: true });
  const windows = await openPages(browser, rail, await fillPages(rail, { days: 30, months: 2 }));
  await nameLegibly();
  const [width, height] = PICTURE_SIZE;
  for (const { task, path, query = '', example, from = 'main h1', name, through } of PICTURES) {
    const who: Visitor = path.startsWith('/dashboard') ? 'INTEGRATOR' : 'STAFF';
    const page = windows[who];
    await page.setViewportSize({ width, height });
    const languages = TASKS[task].role === 'counter' ? (Object.keys(LANGUAGES) as Language[]) : ['en' as const];
    for (const language of languages) {
      await page.context().addCookies([{ name: 'language', value: language, url: rail.origin }]);
      expect((await page.goto((await exampleOf(rail, path, example)) + query))!.status(), path).toBe(200);
      if (through) await page.goto((await page.locator(through).first().getAttribute('href'))!);
      await page
        .locator(from)
        .first()
        .evaluate((top) => scrollTo(0, top.getBoundingClientRect().top + scrollY - 12));
      await page.evaluate(() => document.fonts.ready);
      const picture = await shoot(page);
      expect(picture.length, path).toBeLessThan(LARGEST);
      writeFileSync(new URL([task, ...(name ? [name] : []), language, 'webp'].join('.'), FOLDER), picture);
    }
  }
}, 600_000);
