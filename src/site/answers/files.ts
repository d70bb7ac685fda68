import type { Answer, StreamedAnswer } from '../../platform/call/answers.ts';
import { FILE_FORMATS, FORMS, type FileFormat, encodeFile, fileHeaders } from '../../graphql/files/encode.ts';
import { columnsOfOperation, readPages } from '../../graphql/files/rows.ts';
import type { PageContext } from '../page-context.ts';
import type { FileDocument } from '../operations/documents.ts';
import { seenTable } from '../figures/files.ts';
import { orderOf } from '../figures/revenue/parts.ts';
import { readFields } from '../operations/fields.ts';

/** The formats of files, by the ending of their address. */
export const FORMATS = FILE_FORMATS.map((format) => ({ format, ending: FORMS[format].ending }));

/**
 * Answers the whole of a list as a file: its pages one after another, the first before anything is answered. A table of
 * figures has the columns that the reader sees; with `columns=all`, all there are, by the names that programs know.
 */
export async function writeFile(
  { path, fields, rows }: FileDocument,
  format: FileFormat,
  { call, query, texts, timeZone }: Pick<PageContext, 'call' | 'query' | 'texts' | 'timeZone'>,
): Promise<StreamedAnswer> {
  call.rail.slots.exports.take(call);
  const asked = readQuery(query);
  const filled = { ...asked, ...orderOf(query.get('order')), _timeZone: timeZone };
  const { limit: _limit, after: _after, ...variables } = readFields(fields, filled);
  const { pages } = await readPages(rows, call, variables);
  const list = path.split('/').at(-1)!;
  const all = columnsOfOperation(rows);
  const { name, columns } = seenTable(list, asked, all, texts) ?? { name: list, columns: all };
  return {
    status: 200,
    headers: fileHeaders(name, format),
    // Spreadsheets, which people open it with, know UTF-8 by its mark.
    body: encodeFile(format, columns, pages, { bom: true }),
    passing: { compressed: FORMS[format].compresses },
  };
}

/** Values of a query string, by name; all of them for a repeated name. */
export function readQuery(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const said = query.getAll(name);
      return [name, said.length > 1 ? said : said[0]];
    }),
  );
}

/** True if an answer goes on, page by page. */
export function isStreamed(answer: Answer | StreamedAnswer): answer is StreamedAnswer {
  return typeof answer.body === 'object' && Symbol.asyncIterator in answer.body;
}
