import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare const axe: typeof axeCore;

/** Axe, which a page is handed as text. Its module hands out the same, of more than twice the size. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Looks of text that was found to be legible: colour, size and background. */
export type Looks = Set<string>;

/**
 * Fails on what keeps people with a disability from using a page: in light, as windows open, and in dark, where colours
 * alone differ. Text that looks as legible text did before it, on this page or another, is as legible: axe takes most of
 * its time for colours.
 */
export async function expectAccessible(page: Page, legible: Looks = new Set()): Promise<void> {
  await bringAxe(page);
  const illegible = await findIllegible(page, legible);
  expect([...illegible, ...(await findOtherViolations(page))], `${page.url()} in light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    expect(await findIllegible(page, legible), `${page.url()} in dark`).toEqual([]);
  } finally {
    await page.emulateMedia({ colorScheme: 'light' });
  }
}

async function findIllegible(page: Page, legible: Looks): Promise<string[]> {
  const { illegible, found } = await lookForColours(page, [...legible]);
  for (const look of found) legible.add(look);
  return illegible;
}

const findOtherViolations = (page: Page) =>
  page.evaluate(async () => {
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      rules: { 'color-contrast': { enabled: false } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  });

/** Finds text that cannot be read for its colour, and what other text looks like that was not known to be legible. */
const lookForColours = (page: Page, known: readonly string[]) =>
  page.evaluate(async (looksKnown) => {
    const looks = new Set(looksKnown);
    const grounds = new Map<Element, string>();
    const groundOf = (element: Element): string => {
      const before = grounds.get(element);
      if (before !== undefined) return before;
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join();
      const behind = element.parentElement ? groundOf(element.parentElement) : '';
      const all = own === 'rgba(0, 0, 0, 0),none,1' ? behind : `${behind}/${own}`;
      grounds.set(element, all);
      return all;
    };
    const lookOf = (element: Element) => {
      const { color, fill, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      return [groundOf(element), color, fill, fontSize, fontWeight, textShadow].join();
    };
    const isRead = (element: Element) => {
      const says = [...element.childNodes].some((node) => node instanceof Text && node.data.trim());
      if (!says && !element.matches('input, select, textarea')) return false;
      const { right, bottom } = element.getBoundingClientRect();
      return right > 0 && bottom > 0 && element.checkVisibility();
    };
    const others = [...document.body.querySelectorAll('*')].filter(
      (element) => isRead(element) && !looks.has(lookOf(element)),
    );
    if (others.length === 0) return { illegible: [], found: [] };
    const { passes, violations } = await axe.run(
      { include: others },
      { runOnly: { type: 'rule', values: ['color-contrast'] }, elementRef: true },
    );
    return {
      illegible: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
      found: passes.flatMap(({ nodes }) => nodes.flatMap(({ element }) => (element ? [lookOf(element)] : []))),
    };
  }, known);

/**
 * Has a page know axe. It is large: pages that are not looked at are spared it, and it goes to the browser as it is, not
 * as a value that a function of the page evaluates. The page's own policy does not apply to it.
 */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  await devtools.detach();
}

/** Has all pages of a window know axe from their start, without the browser being handed it for each. */
export async function keepAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}
