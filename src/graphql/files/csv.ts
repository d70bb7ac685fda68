import type { Column, Row } from './rows.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const END = '\r\n';

/**
 * Encodes rows as CSV with a header (RFC 4180), with a byte order mark if asked; what a spreadsheet would take for a
 * formula is marked as text.
 */
export async function* encodeCsv(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
  bom: boolean,
): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => name);
  const heads = columns.map(({ name, head = name }) => head);
  let header = (bom ? BYTE_ORDER_MARK : '') + heads.map(writeCell).join(',') + END;
  for await (const page of pages) {
    const text = header + writeRows(names, page);
    if (text) yield Buffer.from(text);
    header = '';
  }
}

/** A table that is at hand whole, as CSV with a header and a byte order mark. */
export function writeCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return BYTE_ORDER_MARK + [header, ...rows].map((row) => row.map(writeCell).join(',') + END).join('');
}

function writeRows(names: readonly string[], rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) {
    let separator = '';
    for (const name of names) {
      text += separator + writeCell(row[name]);
      separator = ',';
    }
    text += END;
  }
  return text;
}

/** A cell; nothing is an empty one, as false is. */
function writeCell(value: unknown): string {
  if (typeof value === 'string') return IS_ODD.test(value) ? writeOdd(value) : value;
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return '1';
  // A number is no formula, though it begins with a minus; nor is JSON, which begins with a bracket or a quote.
  return typeof value === 'number' ? String(value) : quote(JSON.stringify(value));
}

/** Characters by which a spreadsheet knows a formula, in their usual and their wide forms. */
const BEGINS_FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** One look at what most cells are: neither. */
const IS_ODD = new RegExp(`${BEGINS_FORMULA.source}|${NEEDS_QUOTES.source}`);
const QUOTE = /"/g;

function writeOdd(text: string): string {
  return quote(BEGINS_FORMULA.test(text) ? `'${text}` : text);
}

function quote(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replace(QUOTE, '""')}"` : cell;
}
