import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeMarkdown } from './markdown.ts';
import { writePage } from './page.ts';
import type { Report } from './report.ts';

/** Writes a report into a folder, in each of its forms. */
export function writeReport(folder: string, report: Report): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, 'report.md'), writeMarkdown(report));
  writeFileSync(join(folder, 'report.html'), writePage(report));
}
