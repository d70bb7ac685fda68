import { stringify } from 'csv-stringify/sync';
import type { Column, Row } from './rows.ts';

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
  let header = true;
  for await (const page of pages) {
    const rows = page.map((row) => names.map((name) => cellOf(row[name])));
    yield Buffer.from(
      stringify(rows, {
        header,
        columns: names,
        escape_formulas: true,
        record_delimiter: 'windows',
        bom: bom && header,
      }),
    );
    header = false;
  }
}

function cellOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
