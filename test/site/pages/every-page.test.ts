import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { findPage } from '../../../src/site/addresses.ts';
import { listAdvice } from '../../../src/site/records/advice.ts';
import { ANOMALY_KINDS } from '../../../src/collection/anomalies/kinds.ts';
import { type Visitor, readDocuments } from '../../../src/site/operations/documents.ts';
import { translate } from '../../../src/site/languages/said.ts';
import { Said } from '../../../src/kernel/text/said.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { sql } from '../../../src/platform/database/sql.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { sizeOf } from '../../harness/chaos/size.ts';
import { testRail } from '../../harness/rail.ts';
import { type Looks, expectAccessible, keepAxe } from '../accessible.ts';
import { LANGUAGES, type Language } from '../../../src/site/languages/language.ts';
import { watchPage } from '../browsing.ts';
import { printPage } from './paper.ts';
import { type Visitors, exampleOf, fillPages, openPages } from './every-page.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });
const { pages } = readDocuments(schema);
/** These brackets mark a message that is missing. */
const UNSAID = /undefined|\bNaN\b|\[object|\bInvalid Date\b|⟦/;
/** A browser takes most of the time: of each folder of pages it looks at so many, and at all in the long run. */
const LOOKED_AT = sizeOf({ fast: 1, long: Infinity });
const looked = [...Map.groupBy(pages, ({ path }) => path.split('/').slice(0, 2).join('/')).values()].flatMap((folder) =>
  folder.slice(0, LOOKED_AT),
);
/** Colours that were found to be legible on one of the pages. */
const legible: Looks = new Set();
/** Pages of somebody who is signed in without a "?", each with the reason. */
const WITHOUT_TASK: Readonly<Record<string, string>> = { '/work': 'It only leads on' };
let visitors: Visitors;
let windows: Readonly<Record<Visitor, Page>>;

/** Elements that are cut off at the right of a telephone. */
const findTooWide = (page: Page) =>
  page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('main *')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest('.scroll'))
          .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

/** What of a page's first screen begins below its bounds, or is underlined although it is in no running text. */
const findLate = (page: Page, most: { readonly h1: number; readonly row: number; readonly underlined: number }) =>
  page.evaluate(({ h1, row, underlined }) => {
    const topOf = (selector: string) => Math.round(document.querySelector(selector)?.getBoundingClientRect().top ?? 0);
    const links = [...document.querySelectorAll('a, button')].filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom <= 0 || top >= innerHeight || element.closest('p, .guide, .notice')) return false;
      return element.checkVisibility() && getComputedStyle(element).textDecorationLine.includes('underline');
    });
    // What waits to be decided stands above a list.
    const waiting = [...document.querySelectorAll('main > .notice')].reduce(
      (sum, { clientHeight }) => sum + clientHeight + 32,
      0,
    );
    const tops = { h1: topOf('h1'), row: topOf('.toolbar ~ .list tbody tr') - waiting, underlined: links.length };
    return Object.entries(tops).filter(([name, value]) => value > { h1, row, underlined }[name]!);
  }, most);

beforeAll(async () => {
  if (!browser.found) return;
  visitors = await fillPages(rail, { days: 2, hostile: true });
  windows = await openPages(browser, rail, visitors);
  for (const page of Object.values(windows)) await keepAxe(page);
});

describe.skipIf(!browser.found)(
  runInBrowser('every page can be read by everybody, fits a telephone, and asks nobody else, whatever names it shows'),
  () => {
    it.each(pages.map(({ path, who }) => ({ path, who })))(
      '$path',
      async ({ path, who }) => {
        const page = windows[who];
        const address = await exampleOf(rail, path);
        const answer = await page.request.get(address, { maxRedirects: 0 });
        expect(answer.status()).toBe(200);
        const text = await answer.text();
        expect(text.replaceAll(/<script.*?<\/script>|<[^>]*>/gs, ' ')).not.toMatch(UNSAID);
        if (who !== 'EVERYBODY' && !(path in WITHOUT_TASK))
          expect(text).toMatch(/<a class="help screen" href="\/docs\/tasks\//);
        if (!looked.some((one) => one.path === path)) return;
        const wrong = watchPage(page, rail.origin);
        await page.setViewportSize({ width: 1280, height: 740 });
        const opened = await page.goto(address);
        expect([opened!.status(), page.url().slice(rail.origin.length)]).toEqual([200, address]);
        await expectAccessible(page, legible);
        expect(await page.evaluate(() => document.body.innerText)).not.toMatch(UNSAID);
        expect(await findLate(page, { h1: 120, row: path === '/styleguide' ? Infinity : 320, underlined: 12 })).toEqual(
          [],
        );
        await page.setViewportSize({ width: 360, height: 740 });
        expect(await findLate(page, { h1: 160, row: Infinity, underlined: 12 })).toEqual([]);
        expect(await findTooWide(page)).toEqual([]);
        // 200 % and 400 % of a window of 1280 px.
        for (const width of [640, 320]) {
          await page.setViewportSize({ width, height: 740 });
          expect([width, await findTooWide(page)]).toEqual([width, []]);
        }
        expect(wrong).toEqual([]);
        page.removeAllListeners();
      },
      60_000,
    );
  },
);

describe.skipIf(!browser.found)(runInBrowser('every page, without a script'), () => {
  const open = { javaScriptEnabled: false, viewport: { width: 360, height: 740 } } as const;
  let plain: Readonly<Record<Visitor, Page>>;
  beforeAll(async () => {
    plain = await openPages(browser, rail, visitors, open);
  });

  it.each(pages.map(({ path, who }) => ({ path, who })))(
    '$path fits a telephone in each language, and has nothing to press that does nothing',
    { tags: 'long' },
    async ({ path, who }) => {
      const page = plain[who];
      const address = await exampleOf(rail, path);
      for (const language of Object.keys(LANGUAGES) as Language[]) {
        await page.context().addCookies([{ name: 'language', value: language, url: rail.origin }]);
        expect((await page.goto(address))!.status(), language).toBe(200);
        expect(await page.locator('html').getAttribute('lang')).toMatch(language);
        expect(await page.locator('body').innerText()).not.toMatch(UNSAID);
        expect([language, await findTooWide(page)]).toEqual([language, []]);
        // The guide to styles shows buttons that are for nothing.
        if (path !== '/styleguide')
          expect(await page.locator('button[type="button"]:not([popovertarget]):visible').count()).toBe(0);
      }
    },
  );
});

/** What is printed: on how many sheets at most where names have 300 letters, what has to be on them, and what may not. */
const PAPER: Readonly<Record<string, { sheets: number; has: readonly RegExp[]; lacks: RegExp }>> = {
  '/counter/slips/{id}': {
    sheets: 2,
    has: [/^Payment receipt/, /UGX.\d/, /RCP-\d/, /Cash, Payer/, /Total/, /Code \w{5}-/],
    lacks: /Next person|Print/,
  },
  '/pay/{token}/done': {
    sheets: 1,
    has: [/^Payment receipt/, /UGX.\d/, /RCP-\d/, /Total/, /Code \w{5}-/],
    lacks: /PDF/,
  },
  '/counter/shifts/{id}/closed': {
    sheets: 2,
    has: [
      /^Shift closed\s+Agency/,
      /Counter/,
      /Clerk/,
      /Opened\s+\d/,
      /Closed\s+\d/,
      /Receipts\s+RCP-/,
      /Left unpaid\s+0/,
      /Expected cash\s+UGX/,
      /Cash counted\s+UGX/,
      /Variance\s+UGX/,
      /Collected in other ways\s+UGX/,
      /UGX.1,000\s+30\s+UGX.30,000/,
      /Signature of the clerk\s+Signature of the supervisor/,
    ],
    lacks: /Print/,
  },
  '/oversight': {
    sheets: 3,
    has: [/^Revenue\s/, /Breakdown: Agency/, /Difference/],
    lacks: /Live|Filters|Save|CSV|Why/,
  },
  '/agency': { sheets: 2, has: [/today/, /Counters, this month/, /Seals/], lacks: /Save|SVG|Payments of the agency/ },
};

describe.skipIf(!browser.found)(runInBrowser('what is printed'), () => {
  it.each(Object.entries(PAPER))('%s is whole on its sheets, without what is for screens', async (path, paper) => {
    const page = windows[pages.find((one) => one.path === path)!.who];
    await page.setViewportSize({ width: 1280, height: 740 });
    await page.goto(await exampleOf(rail, path));
    const { sheets, text } = await printPage(page);
    for (const words of paper.has) expect(text).toMatch(words);
    expect(text).not.toMatch(paper.lacks);
    expect(sheets).toBeLessThanOrEqual(paper.sheets);
  });
});

describe.skipIf(!browser.found)(runInBrowser('what the rail wrote down by then'), () => {
  it('has words on pages: the parts of records that operators changed, and the traces of payments', async () => {
    const texts = textsOf('en');
    const parts = await rail.rows<{ name: string }>(sql`
      select distinct jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) as name from operator_audit`);
    const traced = await rail.rows<{ form: string; values: string[] }>(sql`
      select distinct summary ->> 0 as form, summary - 0 as values from trace_row`);
    expect([parts.length > 30, traced.length > 10]).toEqual([true, true]);
    expect(parts.filter(({ name }) => !texts.has(`audited.${name}`))).toEqual([]);
    expect(traced.filter(({ form, values }) => translate(new Said(form, values), textsOf('fr')).lang !== null)).toEqual(
      [],
    );
  });
});

describe.skipIf(!browser.found)(runInBrowser('what an anomaly advises'), () => {
  it('has a button to a page that answers, for each kind that was raised, and for the others to one that there is', async () => {
    const raised = await rail.rows<{ kind: string; name: string }>(
      sql`select distinct on (kind) kind, name from anomaly where status = 'Open' order by kind, name`,
    );
    expect(raised.length).toBeGreaterThan(5);
    for (const { kind, name } of raised) {
      const { request } = windows.STAFF;
      const html = await (await request.get(`/console/anomalies/${name}`)).text();
      const advice = [...html.matchAll(/<a class="button other" href="([^"]+)">[^<]+<span/g)].map(([, path]) =>
        path!.replaceAll('&amp;', '&'),
      );
      expect(advice.length, kind).toBeGreaterThan(0);
      for (const path of advice)
        expect([kind, path, (await request.get(path, { maxRedirects: 0 })).status()]).toEqual([kind, path, 200]);
    }
    const anything = new Proxy({}, { get: () => 'X-1' });
    for (const kind of ANOMALY_KINDS)
      for (const { path } of listAdvice({ kind, subjectId: 'X-1', evidence: anything, agencies: [{ id: 'URA' }] }))
        expect([kind, path, findPage(pages, path)]).not.toEqual([kind, path, null]);
  });
});

describe.skipIf(!browser.found)(runInBrowser('looking at a page for what keeps people from reading it'), () => {
  const show = async (style: string, body: string) => {
    const page = windows.EVERYBODY;
    // The page before it has a policy, which would be that of what is written into it.
    await page.goto('about:blank');
    await page.setContent(
      `<!doctype html><html lang="en"><title>A page</title><style>${style}</style><main><h1>A page</h1>${body}</main></html>`,
    );
    return page;
  };
  const input = '<input name="amount">';
  const pale = 'p { color: #ccc; background: #fff }';

  it('names what is wrong, whatever the colours', async () => {
    await expect(expectAccessible(await show(pale, `<p>Pale</p>${input}`))).rejects.toMatchObject({
      message: expect.stringContaining('in light'),
      actual: ['color-contrast: <p>Pale</p>', `label: ${input}`],
    });
  });

  it('names colours that are wrong in the dark alone', async () => {
    const page = await show(`@media (prefers-color-scheme: dark) { ${pale} }`, '<p>Pale</p>');
    await expect(expectAccessible(page)).rejects.toMatchObject({
      message: expect.stringContaining('in dark'),
      actual: ['color-contrast: <p>Pale</p>'],
    });
  });

  it('looks again at text like that before it, where it stands in other colours', async () => {
    const dark = (background: string) => `@media (prefers-color-scheme: dark) { main { color: #ccc; ${background} } }`;
    const looks: Looks = new Set();
    await expectAccessible(await show(dark('background: #222'), '<p>Pale</p>'), looks);
    // Two texts, in light and in dark.
    expect(looks.size).toBe(4);
    await expectAccessible(await show(dark('background: #222'), '<p>Pale</p>'), looks);
    const changed = expectAccessible(await show(dark('background: #fff'), '<p>Pale</p>'), looks);
    await expect(changed).rejects.toMatchObject({
      actual: ['color-contrast: <h1>A page</h1>,<p>Pale</p>'],
    });
  });

  it('has nothing to say of a page without a fault', async () => {
    await expectAccessible(await show('', `<p>Dark</p><label>Amount ${input}</label>`));
  });
});
