import { readFileSync, writeFileSync } from 'node:fs';
import { MEASURES } from './measures.ts';
import type { Soaked } from './run.ts';

/** The page that has the last record, and the headings between which it stands. */
const PAGE = { path: 'docs/performance.md', from: '\n## Last soak\n', to: '\n## Last result\n' };

/** The results of a run, as a table. */
export function writeTable(soaked: Soaked, at: Date): string {
  const { minutes, flows, asked, hungUp, streamed, polled, samples, rows, failures } = soaked;
  const rounded = (value: number | null) => (value === null ? '' : value.toFixed(Math.abs(value) < 10 ? 2 : 0));
  const counts = [flows, asked, hungUp, streamed, polled].map((count) => count.toLocaleString('en'));
  return [
    `${at.toISOString().slice(0, 10)}, ${minutes} minutes: ${counts[0]} payments, ${counts[1]} other requests, ${counts[2]} whose clients hung up, ${counts[3]} messages by streams and ${counts[4]} by polls; ${samples} samples.`,
    '',
    '| what | mean | a minute (± standard error) | at most | idle | |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ measure, mean, slope, error, most, idle, grows }) => {
      const { what, unit } = MEASURES[measure];
      return `| ${what} | ${rounded(mean)} ${unit} | ${slope.toFixed(2)} ± ${error.toFixed(2)} | ${most.toFixed(2)} | ${rounded(idle)} | ${grows ? '**grows**' : 'holds'} |`;
    }),
    ...(failures.length > 0 ? ['', ...failures.map((failure) => `- ${failure}`)] : []),
  ].join('\n');
}

/** Puts the table of a run into the documentation, in the place of the one before. */
export function writeRecord(table: string): void {
  const text = readFileSync(PAGE.path, 'utf8');
  const [start, end] = [text.indexOf(PAGE.from), text.indexOf(PAGE.to)];
  if (start < 0 || end < start) throw new Error(`${PAGE.path} has no “Last soak” in front of “Last result”`);
  writeFileSync(PAGE.path, `${text.slice(0, start)}${PAGE.from}\n${table}\n${text.slice(end)}`);
}
