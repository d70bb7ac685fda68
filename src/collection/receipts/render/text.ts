import type { Row, Sheet } from './sheet.ts';

/** Columns of the narrowest common printer. */
const COLUMNS = 42;
const RULE = '-'.repeat(COLUMNS);

/** A page for any printer: lines of at most 42 characters, with the address of its QR code at the end. */
export function writeText({ title, notices, facts, services, shares, total, check }: Sheet): string {
  const lines = [
    ...[title, ...notices].flatMap((text) => wrap(text).map(centre)),
    RULE,
    ...facts.flatMap(pair),
    RULE,
    ...services.flatMap(wrap),
    RULE,
    ...shares.flatMap(({ row, proof }) => [...pair(row), ...(proof === '' ? [] : wrap(`  ${proof}`))]),
    ...pair(total),
    RULE,
    ...(check ? [...pair(check.code), ...wrap(check.said)] : []),
    // Broken anywhere: a reader joins the lines.
    ...(check?.url.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? []),
  ];
  return `${lines.join('\n')}\n`;
}

/** In characters, of which each takes a column. */
const lengthOf = (text: string) => Array.from(text).length;

function centre(text: string): string {
  return ' '.repeat(Math.floor((COLUMNS - lengthOf(text)) / 2)) + text;
}

/** A label and its value at both ends of a line; below one another where one line is too short. */
function pair([label, value]: Row): string[] {
  const gap = COLUMNS - lengthOf(label) - lengthOf(value);
  return gap > 0 ? [label + ' '.repeat(gap) + value] : [...wrap(label), ...wrap(`  ${value}`)];
}

/** Text in lines, broken between words; a longer word goes on in the next line. */
function wrap(text: string): string[] {
  const form = new RegExp(`.{1,${COLUMNS}}(?=\\s|$)|.{1,${COLUMNS}}`, 'gu');
  return (text.match(form) ?? []).map((line, index) => (index === 0 ? line.trimEnd() : line.trim()));
}
