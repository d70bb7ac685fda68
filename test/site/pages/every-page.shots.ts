import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { schema } from '../../../src/app/schema.ts';
import { readDocuments } from '../../../src/site/operations/documents.ts';
import { testBrowser } from '../../harness/people/browser.ts';
import { testRail } from '../../harness/rail.ts';
import { exampleOf, fillPages, openPages } from './every-page.ts';

const FOLDER = new URL('../../../shots/', import.meta.url);
const WIDTHS = [360, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;

const browser = testBrowser();
const rail = testRail({ DEV_REVEAL: 'on' });
const taken: { readonly path: string; readonly files: readonly string[] }[] = [];

/** `/counter/shifts/{id}` as a file is called. */
const fileNameOf = (path: string) => path.replaceAll(/[{}]/g, '').replaceAll('/', '-').slice(1) || 'root';

it('takes a picture of every page, narrow and wide, in light and dark', async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const windows = await openPages(browser, rail, await fillPages(rail, { days: 30, months: 24 }));
  const { pages } = readDocuments(schema);
  for (const { path, who } of pages.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const page = windows[who];
    const files: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 900 });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        if (files.length === 0) expect((await page.goto(await exampleOf(rail, path)))!.status(), path).toBe(200);
        const file = `${fileNameOf(path)}.${width}.${colorScheme}.png`;
        await page.screenshot({ path: fileURLToPath(new URL(file, FOLDER)), fullPage: true });
        files.push(file);
      }
    }
    taken.push({ path, files });
  }
}, 600_000);

// All of them on one sheet, to be looked at in a minute.
afterAll(() => {
  const figures = taken.map(
    ({ path, files }) =>
      `<section><h2>${path}</h2>${files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`).join('')}</section>`,
  );
  const style =
    'body{font:14px system-ui;margin:1rem}img{height:22rem;margin:0 .5rem .5rem 0;border:1px solid #999;vertical-align:top;object-fit:cover;object-position:top}';
  writeFileSync(
    new URL('index.html', FOLDER),
    `<!doctype html><meta charset="utf-8"><title>Pages</title><style>${style}</style>${figures.join('')}`,
  );
  process.stdout.write(`${taken.length} pages: open ${fileURLToPath(new URL('index.html', FOLDER))}\n`);
});
