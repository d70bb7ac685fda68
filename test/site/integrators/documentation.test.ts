import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { addStaff } from '../../../src/identity/members/add.ts';
import { LANGUAGES } from '../../../src/site/languages/language.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { findPage } from '../../../src/site/addresses.ts';
import { themeOf } from '../../../src/graphql/operations/named.ts';
import { textsOf } from '../../../src/site/languages/texts.ts';
import { GUIDES } from '../../../src/site/records/docs/files.ts';
import { searchDocs } from '../../../src/site/records/docs/search.ts';
import { TASKS, TASK_NAMES, getTask, taskAt } from '../../../src/site/records/docs/tasks.ts';
import type { Description } from '../../../src/site/records/reference/description.ts';
import { listEvents } from '../../../src/site/records/reference/event.ts';
import { listOperations } from '../../../src/site/records/reference/operation.ts';
import { cookieOf } from '../../harness/people/accounts.ts';
import { PASSWORD, logIn } from '../../harness/people/staff.ts';
import { runInBrowser, testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { expectAccessible } from '../accessible.ts';
import { addCookie, openWindow } from '../browsing.ts';

const browser = testBrowser();
const rail = testRail();

const PICTURE = /<img src="([^"]+)" alt="([^"]+)" width="\d+" height="\d+" loading="lazy">/g;

describe('the tasks of the documentation', () => {
  const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').split(/\s+/).length;

  it.each(TASK_NAMES)('%s is short, and a task of counters is in each language', (name) => {
    const languages =
      TASKS[name].role === 'counter' ? (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) : ['en' as const];
    const all = languages.map((language) => getTask(name, language));
    expect(all.map(({ language }) => language)).toEqual(languages);
    for (const { html, contents } of all) {
      expect(wordsOf(html)).toBeGreaterThan(200);
      expect(wordsOf(html)).toBeLessThan(900);
      // The same sections as in English.
      expect(contents.length).toBe(all[0]!.contents.length);
    }
  });

  it('are there for each kind of reader, each whole in over 300 words where it is in English alone', () => {
    const roles = new Set<string>(Object.values(TASKS).map(({ role }) => role));
    expect([...roles].toSorted()).toEqual([
      'agencies',
      'analysts',
      'auditors',
      'counter',
      'integrators',
      'operators',
      'staff',
      'supervisors',
    ]);
    for (const name of TASK_NAMES.filter((one) => TASKS[one].role !== 'counter'))
      expect(wordsOf(getTask(name, 'en').html), name).toBeGreaterThan(300);
  });

  it('have one to three pictures each, with words for those who do not see them, and small in all', async () => {
    const named = TASK_NAMES.flatMap((name) =>
      (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])
        .filter((language) => language === 'en' || TASKS[name].role === 'counter')
        .map((language) => [name, language, [...getTask(name, language).html.matchAll(PICTURE)]] as const),
    );
    for (const [name, language, pictures] of named) {
      expect([name, language, pictures.length]).toEqual([name, language, Math.min(Math.max(pictures.length, 1), 3)]);
      for (const [, path, words] of pictures) {
        const { status, headers } = await rail.ask(path!);
        expect([path, status, headers.get('content-type'), words!.length > 20]).toEqual([
          path,
          200,
          'image/webp',
          true,
        ]);
        expect(Number(headers.get('content-length'))).toBeLessThan(40_000);
      }
    }
  });

  it('name pages that there are', () => {
    const { pages } = readDocuments(schema);
    const named = TASK_NAMES.flatMap((name) =>
      [...getTask(name, 'en').html.matchAll(/<code>(\/[a-z/-]+)<\/code>/g)].map(([, path]) => path!),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !findPage(pages, path))).toEqual([]);
  });

  it('say an assessment by the glossary in Swahili and Luganda', () => {
    const all = (language: 'sw' | 'lg') => TASK_NAMES.map((name) => getTask(name, language).html).join(' ');
    expect(all('sw')).toMatch(/tathmini/);
    expect(all('sw')).not.toMatch(/\b(ma)?dai\b/);
    expect(all('lg')).toMatch(/okubalirira/);
    expect(all('lg')).not.toMatch(/banjibwa|musasuza/);
  });

  it('are led to from pages that there are', () => {
    const { pages } = readDocuments(schema);
    const led = pages.map(({ path }) => taskAt(path));
    expect(TASK_NAMES.filter((name) => !led.includes(name))).toEqual([]);
  });
});

describe('the search of the documentation', () => {
  let description: Description;
  beforeAll(async () => {
    description = (await rail.ask('/v1/openapi.json')).json;
  });

  it.each(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[])(
    'finds each task, lesson, operation, type of event and question by its words in %s',
    (language) => {
      const texts = textsOf(language);
      const places = [
        ...TASK_NAMES.map((name) => [getTask(name, language).title, `/docs/tasks/${name}`]),
        ...GUIDES.map((name) => [texts.t(`docs.page.${name}`), `/docs/${name}`]),
        ...listOperations(description).map(({ id, summary }) => [summary, `/docs/api/${id}`]),
        ...listEvents(description).map(({ type }) => [
          texts.t(`eventType.${type.replace('.', '_')}`),
          `/docs/events/${type}`,
        ]),
        ...[...themeOf.keys()].map((name) => [texts.t(`questions.name.${name}`), `/oversight/questions/${name}`]),
      ] as const;
      expect(places.length).toBeGreaterThan(250);
      const lost = places.filter(
        ([words, path]) => !searchDocs(description, words!, texts).some((hit) => hit.path === path),
      );
      expect(lost).toEqual([]);
    },
  );

  it.each([
    ['en', 'refund', 'cancel-or-reverse'],
    ['en', 'lost receipt', 'paid-twice'],
    ['fr', 'remboursement', 'cancel-or-reverse'],
    ['sw', 'kurejesha pesa', 'paid-twice'],
  ] as const)('in %s finds by other words: %s', (language, words, task) => {
    const paths = searchDocs(description, words, textsOf(language)).map(({ path }) => path);
    expect(paths).toContain(`/docs/tasks/${task}`);
  });

  it('takes words without their accents', () => {
    const paths = searchDocs(description, 'clôturer ecart', textsOf('fr')).map(({ path }) => path);
    expect(paths).toContain('/docs/tasks/close-with-a-difference');
  });
});

describe.skipIf(!browser.found)(runInBrowser('the documentation'), () => {
  it('is searched from each of its pages, without a script', async () => {
    const { page, close } = await openWindow(browser, rail, { javaScriptEnabled: false });
    for (const [from, words, title, path] of [
      ['/docs', 'confirm payment', 'Confirm a payment', '/docs/api/confirmPayment'],
      ['/docs/integrators', 'assessment.paid', 'assessment.paid', '/docs/events/assessment.paid'],
      ['/docs/api', 'passkey', 'Staff', '/docs/counter#staff'],
    ] as const) {
      await page.goto(from);
      await page.getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('main').getByRole('link', { name: title, exact: true }).first().click();
      expect(page.url()).toBe(rail.origin + path);
    }
    await page.goto('/docs/search?q=nothinglikethis');
    await page.getByText('Nothing has all these words').waitFor();
    await close();
  });

  it('is searched in the language of its reader, and leads nobody to a page that is not for them', async () => {
    const { page, close } = await openWindow(browser, rail, { locale: 'fr' });
    await page.goto('/graphql');
    await page.getByRole('searchbox').fill('recettes par mois');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Recettes par mois' }).click();
    expect(page.url()).toBe(`${rail.origin}/graphql#revenue-by-month`);
    await close();
  });

  it('shows what it found legibly, and marks nothing up that somebody searches for', async () => {
    const { page, wrong, close } = await openWindow(browser, rail);
    await page.goto(`/docs/search?q=${encodeURIComponent('shift <img src=x>')}`);
    await page.goto('/docs/search?q=shift');
    expect(await page.locator('.hits li').count()).toBeGreaterThan(5);
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(wrong).toEqual([]);
    await close();
  });

  it('leads from a page to the task that is done there, in the language of its reader', async () => {
    await addStaff(rail.rail, { email: 'clerk@agency.example', name: 'A Clerk', roles: ['clerk'], password: PASSWORD });
    const { page, wrong, close } = await openWindow(browser, rail, { locale: 'sw' });
    await addCookie(page.context(), rail, cookieOf(await logIn(rail, 'clerk@agency.example'))!);
    await page.goto('/counter');
    await page.getByRole('link', { name: 'Msaada: Fungua zamu' }).click();
    expect(page.url()).toBe(`${rail.origin}/docs/tasks/open-a-shift`);
    await page.getByRole('heading', { name: 'Kukiwa na tatizo' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'funga zamu' }).click();
    expect(page.url()).toBe(`${rail.origin}/docs/tasks/close-with-a-difference`);
    await page.goto('/docs/tasks/webhook-fails');
    await page.getByText('Nyaraka hizi ziko kwa Kiingereza').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  it('copies the commands of a lesson by a button', async () => {
    const { page, close } = await openWindow(browser, rail, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto('/docs/first-payment');
    await page.locator('article').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`RAIL=${rail.origin}`);
    await close();
  });
});
