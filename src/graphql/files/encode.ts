import { encodeCsv } from './csv.ts';
import { encodeNdjson } from './ndjson.ts';
import type { Column, Row } from './rows.ts';

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';
export const PARQUET = 'application/vnd.apache.parquet';
export type FileFormat = typeof CSV | typeof NDJSON | typeof PARQUET;

/** A format of files. */
interface Form {
  /** The ending of a file's name. */
  readonly ending: string;
  readonly contentType: string;
  /** True if it is smaller when it is compressed on its way. */
  readonly compresses: boolean;
  /** Its type for generated clients (JSON Schema). */
  readonly schema: Readonly<Record<string, string>>;
}

export const FORMS: Readonly<Record<FileFormat, Form>> = {
  [CSV]: {
    ending: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    compresses: true,
    schema: { type: 'string' },
  },
  [NDJSON]: { ending: 'ndjson', contentType: NDJSON, compresses: true, schema: { type: 'string' } },
  [PARQUET]: {
    ending: 'parquet',
    contentType: PARQUET,
    compresses: false,
    schema: { type: 'string', format: 'binary' },
  },
};

export const FILE_FORMATS = Object.keys(FORMS) as FileFormat[];

/** The header fields of a file. */
export function fileHeaders(name: string, format: FileFormat): Readonly<Record<string, string>> {
  const { contentType, ending } = FORMS[format];
  return { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}.${ending}"` };
}

/**
 * Encodes rows as the bytes of a file, page by page: as much is in memory as a page, or a row group, takes. `bom` is
 * for CSV alone.
 */
export async function* encodeFile(
  format: FileFormat,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Row[]>,
  { bom = false }: { readonly bom?: boolean } = {},
): AsyncGenerator<Uint8Array> {
  if (format === CSV) return yield* encodeCsv(columns, pages, bom);
  if (format === NDJSON) return yield* encodeNdjson(pages);
  // Loaded for the first such file: most processes write none.
  const { encodeParquet } = await import('./parquet.ts');
  yield* encodeParquet(columns, pages);
}
