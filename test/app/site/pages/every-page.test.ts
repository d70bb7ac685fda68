import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../../src/app/schema.ts';
import { type Visitor, readDocuments } from '../../../../src/app/site/operations/documents.ts';
import { runInBrowser, testBrowser } from '../../../harness/people/browser.ts';
import { testRail } from '../../../harness/rail.ts';
import { expectAccessible, watchPage } from '../browsing.ts';
import { exampleOf, fillPages, openPages } from './every-page.ts';

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });
const { pages } = readDocuments(schema);
let windows: Readonly<Record<Visitor, Page>>;

beforeAll(async () => {
  if (!browser.found) return;
  windows = await openPages(browser, rail, await fillPages(rail, 2));
}, 120_000);

describe.skipIf(!browser.found)(
  runInBrowser('every page can be read by everybody, fits a telephone, and asks nobody else'),
  () => {
    it.each(pages.map(({ path, who }) => ({ path, who })))(
      '$path',
      async ({ path, who }) => {
        const page = windows[who];
        const wrong = watchPage(page, rail.origin);
        await page.setViewportSize({ width: 1280, height: 740 });
        const address = await exampleOf(rail, path);
        const answer = await page.goto(address);
        expect([answer!.status(), page.url().slice(rail.origin.length)]).toEqual([200, address]);
        await expectAccessible(page);
        const text = await page.locator('body').innerText();
        // What no message says is in such brackets.
        expect(text).not.toMatch(/undefined|\bNaN\b|\[object|\bInvalid Date\b|⟦/);
        await page.setViewportSize({ width: 360, height: 740 });
        const tooWide = await page.evaluate(() =>
          document.documentElement.scrollWidth <= innerWidth
            ? []
            : [...document.querySelectorAll('main *')]
                .filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest('.scroll'))
                .map(({ outerHTML }) => outerHTML.slice(0, 120)),
        );
        expect(tooWide).toEqual([]);
        expect(wrong).toEqual([]);
        page.removeAllListeners();
      },
      60_000,
    );
  },
);
