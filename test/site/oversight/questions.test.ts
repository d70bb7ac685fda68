import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { parse } from 'csv-parse/sync';
import { schema } from '../../../src/app/schema.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { listQuestions } from '../../../src/site/figures/questions/questions.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { makeStory } from '../../../src/sandbox/story.ts';
import { cookieOf } from '../../harness/people/accounts.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { PASSWORD, logIn } from '../../harness/people/staff.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();
let cookie: string;

beforeAll(async () => {
  await makeStory(rail.rail, { days: 2 });
  await addStaff(rail.rail, {
    email: 'analyst@bureau.example',
    name: 'Analyst',
    roles: ['oversight'],
    password: PASSWORD,
  });
  cookie = cookieOf(await logIn(rail, 'analyst@bureau.example'))!;
});

const open = (path: string) => rail.ask(`/oversight/questions${path}`, { headers: { cookie, accept: 'text/html' } });

describe('the questions of oversight', () => {
  it('are all answered, each under a name in every language', async () => {
    const questions = listQuestions(schema);
    expect(questions.length).toBeGreaterThan(30);
    const home = (await open('')).text;
    for (const { name } of questions) {
      expect(home).toContain(`href="/oversight/questions/${name}"`);
      const { status, text } = await open(`/${name}`);
      // Figures of single integrators need a scope that operators give only to keys.
      const answered = name === 'revenue-by-integrator' ? 403 : 200;
      expect([name, status, /⟦[^⟧]*⟧|undefined|\[object/.exec(text)]).toEqual([name, answered, null]);
      if (answered === 200) expect(text.includes('<table>'), name).toBe(true);
    }
    const inSwahili = questions.map(({ name }) => textsOf('sw').t(`questions.name.${name}`));
    expect(inSwahili).toContain('Mapato kwa taasisi');
    expect((await open('/nothing')).status).toBe(404);
  });

  it('say what is wrong where it was filled in, and have nobody without the scope', async () => {
    const { status, text } = await open('/revenue-by-agency?fromDate=2026-02-30');
    expect(status).toBe(422);
    expect(text.includes('must be a date, YYYY-MM-DD')).toBe(true);
    const { status: anybodys } = await rail.ask('/oversight/questions/revenue-by-agency?format=csv&part=figures', {
      headers: { accept: 'text/html' },
    });
    expect(anybodys).toBe(303);
  });
});

describe.skipIf(!browser.found)(runInBrowser('a question'), () => {
  const cellsOf = (page: Page) =>
    page
      .locator('main table')
      .last()
      .evaluate((table) =>
        [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent)),
      );

  it('is asked by its form, without a script too, and its CSV is its table', async () => {
    const { page, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    await addCookie(page.context(), rail, cookie);
    await page.goto('/oversight/questions');
    await page.getByRole('link', { name: 'Agencies by month' }).click();
    const all = await cellsOf(page);
    expect(all.length).toBeGreaterThan(2);
    await page.getByRole('textbox', { name: 'Agency' }).fill('URA, KCCA');
    await page.getByRole('button', { name: 'Show the answer' }).click();
    const two = await cellsOf(page);
    expect(two.length).toBeLessThan(all.length);
    const link = await page.getByRole('link', { name: /CSV/ }).first().getAttribute('href');
    const file = await rail.ask(`/oversight/questions/agencies-by-month${link}`, { headers: { cookie } });
    expect(file.headers.get('content-disposition')).toContain('figures.csv');
    const [, ...rows] = parse(file.text, { bom: true });
    const plain = (cell: string | null) => (cell ?? '').replace('–', '').replaceAll(/(?<=\d),(?=\d)/g, '');
    expect(two.map((cells) => cells.filter((cell) => !/%/.test(cell ?? '')).map(plain))).toEqual(
      rows.map((cells, row) => cells.filter((_cell, place) => !/%/.test(two[row]![place] ?? ''))),
    );
    await close();
  });

  it('is legible to all, and says how others ask it', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await addCookie(page.context(), rail, cookie);
    for (const path of ['', '/revenue-by-month', '/concentration']) {
      await page.setViewportSize({ width: 1280, height: 740 });
      await page.goto(`/oversight/questions${path}`);
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
    }
    const notebook = page.locator('#sample-Python');
    expect(await notebook.isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Python' }).check({ force: true });
    expect(await notebook.textContent()).toContain(`${rail.origin}/graphql?operation=concentration`);
    expect(wrong).toEqual([]);
    await close();
  });
});
