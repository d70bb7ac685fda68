import { encodeCsv } from './csv.ts';
import { encodeParquet } from './parquet.ts';
import type { Column, Row } from './rows.ts';

export const CSV = 'text/csv';
export const PARQUET = 'application/vnd.apache.parquet';
export type FileFormat = typeof CSV | typeof PARQUET;

/** The ending of a file's name, by its format. */
export const EXTENSIONS: Readonly<Record<FileFormat, string>> = { [CSV]: 'csv', [PARQUET]: 'parquet' };

/**
 * Encodes rows as the bytes of a file, page by page: as much is in memory as a page, or a row group, takes. `bom` is
 * for CSV alone.
 */
export function encodeFile(
  format: FileFormat,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
  { bom = false }: { readonly bom?: boolean } = {},
): AsyncIterable<Uint8Array> {
  return format === CSV ? encodeCsv(columns, pages, bom) : encodeParquet(columns, pages);
}
