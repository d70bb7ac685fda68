import { CsvError, parse } from 'csv-parse';
import { parse as parseLine } from 'csv-parse/sync';
import { isUtf8 } from 'node:buffer';
import { type Hash, createHash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { StatementFormat } from '../../adapters/payment/statement.ts';
import { type Decimal, readAmount } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { makeDateReader } from '../../kernel/text/dates.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { REACH, isWithinReach } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** A row of a statement that was paid, or, below zero, given back. */
export interface StatementRow {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly amount: Decimal;
  /** null where the statement names none. */
  readonly currency: string | null;
  readonly txnId: string | null;
  readonly settledAt: Date | null;
  /** The payment reference that was paid, in a statement of a payment point that says so. */
  readonly paidFor: string | null;
}

export interface Statement {
  readonly rows: readonly StatementRow[];
  /** Rows that were not paid: failures, fees, totals. */
  readonly ignored: number;
  /** Number of them for each status that is not that of a payment. */
  readonly ignoredStatuses: Readonly<Record<string, number>>;
  /** Hex SHA-256 of the file. */
  readonly hash: string;
}

const MOST_ROWS = 100_000;
const LONGEST = 255;
const LONGEST_ROW = 64 * 1024;
/** Exports have lines about the account before the header. */
const MOST_BEFORE_HEADER = 50;
/** Delimiters to try after that of the format. */
const DELIMITERS = [',', ';', '\t'];
/** Statuses in which nothing was paid, in any format. */
const UNPAID = new Set(
  'failed failure declined rejected cancelled canceled expired pending processing reversed refunded error tf ta tip te'.split(
    ' ',
  ),
);

/** Amount of a file for one turn of the event loop: bytes to split into rows, and rows to read. */
const CHUNK = 32 * 1024;
const ROWS_A_TURN = 500;

/**
 * Reads a settlement statement: CSV with a header, as exports and spreadsheets write it. Rows that cannot be read are
 * refused by their line. It is read a piece at a time, so that nobody else waits for a large one. Dates that name no
 * offset are by the clock of a place.
 */
export async function readStatement(file: Buffer, format: StatementFormat, timeZone: string): Promise<Statement> {
  const hash = createHash('sha256');
  const encoding = encodingOf(file, format);
  const header = findHeader(file, encoding, format);
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
  pipeline(Readable.from(readText(file, encoding, header.length, hash), { highWaterMark: 1 }), records, () => {});
  const readRow = makeRowReader(header.names, format, timeZone);
  const rows: StatementRow[] = [];
  const ignoredByStatus = new Map<string, number>();
  let [ignored, count] = [0, 0];
  try {
    // With `info` each record comes with where it was found.
    for await (const { record, info } of records as AsyncIterable<{
      readonly record: string[];
      readonly info: { readonly lines: number };
    }>) {
      if (record.every((cell) => cell.trim() === '')) continue;
      if (++count > MOST_ROWS)
        throw refuseValue('body', say`the statement has more than ${MOST_ROWS} rows; send it in parts`);
      if (count % ROWS_A_TURN === 0) await turn();
      const row = readRow(record, header.line + info.lines);
      if ('reference' in row) {
        rows.push(row);
        continue;
      }
      ignored++;
      if (row.status !== null) ignoredByStatus.set(row.status, (ignoredByStatus.get(row.status) ?? 0) + 1);
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw refuseValue(
        'body',
        say`line ${header.line + Number(error['lines'] ?? 0)} is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`,
      );
    throw error;
  }
  refuseUnknownStatuses(rows, ignoredByStatus);
  return { rows, ignored, ignoredStatuses: Object.fromEntries(ignoredByStatus), hash: hash.digest('hex') };
}

/** Refuses a statement of which no row has a status that is known: its payments would all be missing. */
function refuseUnknownStatuses(rows: readonly StatementRow[], byStatus: ReadonlyMap<string, number>): void {
  const statuses = [...byStatus];
  if (rows.length > 0 || statuses.length === 0 || statuses.some(([status]) => UNPAID.has(status.toLowerCase()))) return;
  const found = statuses.slice(0, 10).map(([status, count]) => `${status || 'blank'} (${count})`);
  throw refuseValue(
    'body',
    say`the statement has no status that is known: ${found.join(', ')}; name those of payments as paid in statements`,
  );
}

/** UTF-16 says so by its mark. */
function encodingOf(file: Buffer, { encoding }: StatementFormat): string {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  return file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : (encoding ?? 'utf-8');
}

/** End of the header, its columns, and their delimiter: the first row that has every column asked for. */
function findHeader(file: Buffer, encoding: string, format: StatementFormat) {
  const text = new TextDecoder(encoding).decode(file.subarray(0, LONGEST_ROW * 2), { stream: true });
  if (text.trim() === '') throw refuseValue('body', say`the statement is empty`);
  const needed = neededColumns(format);
  const lines = text.match(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)!.slice(0, MOST_BEFORE_HEADER);
  if (lines.some((line) => line.length > LONGEST_ROW)) throw refuseLongLine();
  for (const delimiter of new Set([format.delimiter, ...DELIMITERS])) {
    let length = 0;
    for (const [index, line] of lines.entries()) {
      length += line.length;
      const names = cellsOf(line, delimiter).map(foldBlanks);
      if (needed.every((name) => names.includes(name))) return { delimiter, names, length, line: index + 1 };
    }
  }
  const names = new Set(lines.flatMap((line) => cellsOf(line, format.delimiter).map(foldBlanks)));
  throw refuseValue(
    'body',
    say`the statement lacks the column ${needed.find((name) => !names.has(name)) ?? needed[0]!}`,
  );
}

const refuseLongLine = () => refuseValue('body', say`the statement has a line that is too long`);

/** The cells of one line; none of a line that is not CSV, as lines before a header may be. */
function cellsOf(line: string, delimiter: string): string[] {
  try {
    return parseLine(line, { delimiter, relax_column_count: true, relax_quotes: true })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** A header as it is compared: spreadsheets and web pages leave blanks of other kinds in it. */
function foldBlanks(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

/** The text of a file after its header in pieces, each in a turn of its own. */
async function* readText(file: Buffer, encoding: string, headerLength: number, hash: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // For the line that the last piece ends in: the parser bounds what fields say, and not how many there are.
  let open = 0;
  let skipped = headerLength;
  for (let start = 0; start < file.length; start += CHUNK) {
    const chunk = file.subarray(start, start + CHUNK);
    hash.update(chunk);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: start + CHUNK < file.length });
    } catch {
      const name = encoding.toUpperCase();
      throw refuseValue(
        'body',
        say`line ${lineOfOtherBytes(file)} is not ${name}: save the statement as UTF-8, or set its encoding in statements`,
      );
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

const neededColumns = ({ columns }: StatementFormat) =>
  Object.entries(columns).flatMap(([member, name]) => (name && member !== 'paidFor' ? foldBlanks(name) : []));

/** A row that nothing was paid by; its status where that is why. */
interface Ignored {
  readonly status: string | null;
}

/** Reader of the rows under a header. */
function makeRowReader(
  header: readonly string[],
  format: StatementFormat,
  timeZone: string,
): (cells: readonly string[], line: number) => StatementRow | Ignored {
  const { columns, paid } = format;
  const columnOf = (name: string | null | undefined) => {
    const index = name == null ? -1 : header.indexOf(foldBlanks(name));
    if (index >= 0 && header.includes(header[index]!, index + 1))
      throw refuseValue('body', say`the statement has the column ${name!} twice`);
    return index;
  };
  const at = {
    reference: columnOf(columns.reference),
    amount: columnOf(columns.amount),
    currency: columnOf(columns.currency),
    status: paid.length > 0 ? columnOf(columns.status) : -1,
    txnId: columnOf(columns.txnId),
    settledAt: columnOf(columns.settledAt),
    paidFor: columnOf(columns.paidFor),
  };
  const others = [at.currency, at.status, at.txnId, at.settledAt].filter(
    (index) => index >= 0 && index !== at.reference,
  );
  const readDate = makeDateReader(format.dateFormat ?? null, timeZone);
  return (cells, line) => {
    const cellAt = (index: number) => unwrap(cells[index] ?? '');
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      throw refuseValue('body', say`line ${line} has more cells than the header has columns`);
    // A line about the account, or a total.
    if (cellAt(at.amount) === '' && others.every((index) => cellAt(index) === '')) return { status: null };
    const short = Object.values(at).find((index) => index >= cells.length);
    if (short !== undefined) throw refuseValue('body', say`line ${line} has no cell for the column ${header[short]!}`);
    const status = at.status < 0 ? null : cellAt(at.status);
    if (status !== null && !paid.includes(status.toLowerCase())) return { status };
    if (cellAt(at.amount) === '') return { status: null };
    const { amount, currency: written } = parseAmount(cellAt(at.amount), line);
    const isTotal = others.length > 0 && others.every((index) => cellAt(index) === '');
    if (amount.isZero() || isTotal) return { status: null };
    const reference = parseText(cellAt(at.reference), line);
    if (reference === null && amount.isNegative()) return { status: null };
    if (reference === null) throw refuseValue('body', say`line ${line} has no reference`);
    const currency = parseText(cellAt(at.currency), line)?.toUpperCase() ?? written;
    if (written !== null && written !== currency) throw refuseValue('body', say`line ${line} has two currencies`);
    return {
      line,
      reference,
      amount,
      currency,
      txnId: parseText(cellAt(at.txnId), line),
      settledAt: parseMoment(cellAt(at.settledAt), readDate, format, line),
      paidFor: parseText(cellAt(at.paidFor), line),
    };
  };
}

/** A cell without what spreadsheets put around text that looks like a number: `="0123"`, `'0123`. */
function unwrap(cell: string): string {
  return cell
    .trim()
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'/, '')
    .trim();
}

function parseAmount(cell: string, line: number) {
  const written = readAmount(cell);
  if (written) return written;
  if (/^\d+([.,]\d+)?E[+-]?\d+$/i.test(cell))
    throw refuseValue('body', say`line ${line} has the amount ${cell}, which has lost digits: export it as text`);
  throw refuseValue('body', say`line ${line} has no valid amount`);
}

function parseText(cell: string, line: number): string | null {
  if (cell === '') return null;
  if (findBadText(cell) !== null || cell.length > LONGEST)
    throw refuseValue('body', say`line ${line} has text that cannot be stored`);
  return cell;
}

function parseMoment(
  cell: string,
  readDate: (text: string) => Date | null,
  { dateFormat }: StatementFormat,
  line: number,
): Date | null {
  if (cell === '') return null;
  const at = readDate(cell);
  if (!at)
    throw refuseValue(
      'body',
      say`line ${line} has a date that is not written as ${dateFormat ?? 'yyyy-MM-dd HH:mm:ss'}: set date_format in statements`,
    );
  if (!isWithinReach(at)) throw refuseValue('body', say`line ${line} has a moment that does not lie ${REACH}`);
  return at;
}
