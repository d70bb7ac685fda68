import { CsvError, parse } from 'csv-parse';
import { parse as parseLine } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import { Readable, pipeline } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { refuseValue } from '../refusal.ts';
import { type Said, say } from './said.ts';

/** What is expected of a file. */
export interface CsvForm {
  /** Columns that it is not read without. */
  readonly needed: readonly string[];
  readonly mostRows: number;
  /** What parts its columns, if not a comma; a semicolon and a tab are tried too. */
  readonly delimiter?: string;
  /** Its encoding, if not UTF-8; UTF-16 says so by its mark. */
  readonly encoding?: string | undefined;
  /** The refusal of bytes that are not of that encoding. */
  readonly sayOtherBytes: (line: number, encoding: string) => Said;
  /** Is handed its bytes, piece by piece. */
  readonly passing?: (piece: Buffer) => void;
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** Its line in the file, from 1. */
  readonly line: number;
}

export interface CsvFile {
  /** The names of its columns, without odd blanks. */
  readonly header: readonly string[];
  /** Those with something in them, to be read once. */
  readonly rows: AsyncIterable<CsvRow>;
}

const LONGEST_ROW = 64 * 1024;
/** Exports have lines about the account before the header. */
const MOST_BEFORE_HEADER = 50;
const DELIMITERS = [',', ';', '\t'];

/** Amount of a file for one turn of the event loop: bytes to split into rows, and rows to read. */
const CHUNK = 32 * 1024;
const ROWS_A_TURN = 100;

/**
 * Opens CSV with a header, as exports and spreadsheets write it. It is read a piece at a time, so that nobody else waits
 * for a large one.
 */
export function openCsv(file: Buffer, form: CsvForm): CsvFile {
  const encoding = encodingOf(file, form);
  const header = findHeader(file, encoding, form);
  return { header: header.names, rows: readRows(file, encoding, header, form) };
}

/** The place of a column in a header; -1 where it is not there. One that is there twice is refused. */
export function columnIn(header: readonly string[], name: string): number {
  const index = header.indexOf(foldBlanks(name));
  if (index >= 0 && header.includes(header[index]!, index + 1))
    throw refuseValue('body', say`the file has the column ${name} twice`);
  return index;
}

/** A header as it is compared: spreadsheets and web pages leave blanks of other kinds in it. */
export function foldBlanks(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

/** A cell without what spreadsheets put around text that looks like a number: `="0123"`, `'0123`. */
export function unwrapCell(cell = ''): string {
  return cell
    .trim()
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'/, '')
    .trim();
}

type Header = ReturnType<typeof findHeader>;

async function* readRows(file: Buffer, encoding: string, header: Header, form: CsvForm): AsyncGenerator<CsvRow> {
  const records = parse({
    delimiter: header.delimiter,
    info: true,
    max_record_size: LONGEST_ROW,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  // Errors of both are thrown where the records are read.
  pipeline(Readable.from(readText(file, encoding, header.length, form), { highWaterMark: 1 }), records, () => {});
  let count = 0;
  try {
    // With `info` each record comes with where it was found.
    for await (const { record, info } of records as AsyncIterable<{
      readonly record: string[];
      readonly info: { readonly lines: number };
    }>) {
      if (record.every((cell) => cell.trim() === '')) continue;
      if (++count > form.mostRows)
        throw refuseValue('body', say`the file has more than ${form.mostRows} rows; send it in parts`);
      if (count % ROWS_A_TURN === 0) await turn();
      yield { cells: record, line: header.line + info.lines };
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw refuseValue(
        'body',
        say`line ${header.line + Number(error['lines'] ?? 0)} is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`,
      );
    throw error;
  }
}

/** UTF-16 says so by its mark. */
function encodingOf(file: Buffer, { encoding = 'utf-8' }: CsvForm): string {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  return file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : encoding;
}

/** End of the header, its columns, and their delimiter: the first row that has every column asked for. */
function findHeader(file: Buffer, encoding: string, { needed, delimiter: first = ',' }: CsvForm) {
  const text = new TextDecoder(encoding).decode(file.subarray(0, LONGEST_ROW * 2), { stream: true });
  if (text.trim() === '') throw refuseValue('body', say`the file is empty`);
  const lines = text.match(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)!.slice(0, MOST_BEFORE_HEADER);
  if (lines.some((line) => line.length > LONGEST_ROW)) throw refuseLongLine();
  for (const delimiter of new Set([first, ...DELIMITERS])) {
    let length = 0;
    for (const [index, line] of lines.entries()) {
      length += line.length;
      const names = cellsOf(line, delimiter).map(foldBlanks);
      if (needed.every((name) => names.includes(name))) return { delimiter, names, length, line: index + 1 };
    }
  }
  const names = new Set(lines.flatMap((line) => cellsOf(line, first).map(foldBlanks)));
  throw refuseValue('body', say`the file lacks the column ${needed.find((name) => !names.has(name)) ?? needed[0]!}`);
}

const refuseLongLine = () => refuseValue('body', say`the file has a line that is too long`);

/** The cells of one line; none of a line that is not CSV, as lines before a header may be. */
function cellsOf(line: string, delimiter: string): string[] {
  try {
    return parseLine(line, { delimiter, relax_column_count: true, relax_quotes: true })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** The text of a file after its header in pieces, each in a turn of its own. */
async function* readText(
  file: Buffer,
  encoding: string,
  headerLength: number,
  { sayOtherBytes, passing }: CsvForm,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // For the line that the last piece ends in: the parser bounds what fields say, and not how many there are.
  let open = 0;
  let skipped = headerLength;
  for (let start = 0; start < file.length; start += CHUNK) {
    const chunk = file.subarray(start, start + CHUNK);
    passing?.(chunk);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: start + CHUNK < file.length });
    } catch {
      throw refuseValue('body', sayOtherBytes(lineOfOtherBytes(file), encoding.toUpperCase()));
    }
    const [rest = '', ...lines] = text.split(/[\r\n]/);
    if (open + rest.length > LONGEST_ROW) throw refuseLongLine();
    open = lines.at(-1)?.length ?? open + rest.length;
    yield text.slice(skipped);
    skipped = Math.max(0, skipped - text.length);
    await turn();
  }
}

/** The first line of a file that is not UTF-8. */
function lineOfOtherBytes(file: Buffer): number {
  let line = 1;
  for (let start = 0; start < file.length; line++) {
    const end = file.indexOf('\n', start) + 1 || file.length;
    if (!isUtf8(file.subarray(start, end))) return line;
    start = end;
  }
  return line;
}
