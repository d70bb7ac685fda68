import { spawnSync } from 'node:child_process';
import type { Page } from 'playwright-core';

/** Number of the sheets of A4, or of the slip, that a page is printed on, and what is on them. */
export interface Paper {
  readonly sheets: number;
  readonly text: string;
}

/**
 * Prints a page. Its text is read off the paper, and where there is no pdftotext (Debian's poppler-utils), off the page
 * as printers see it.
 */
export async function printPage(page: Page): Promise<Paper> {
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, printBackground: true });
  const sheets = pdf.toString('latin1').match(/\/Type ?\/Page\b/g)!.length;
  const { error, stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  if (!error) return { sheets, text: stdout };
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: null });
  return { sheets, text };
}
