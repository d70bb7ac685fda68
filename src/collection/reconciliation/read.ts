import { CsvError, parse } from 'csv-parse';
import { type Hash, createHash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { StatementFormat } from '../../adapters/payment/statement.ts';
import { Decimal, fitsJson } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { REACH, isWithinReach } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** A row of a statement that was paid. */
export interface StatementRow {
  /** Its line in the file, from 1, the header's. */
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
  /** Rows that were not paid: failures, fees, refunds. */
  readonly ignored: number;
  /** Hex SHA-256 of the file. */
  readonly hash: string;
}

const MOST_ROWS = 100_000;
const LONGEST = 255;
const LONGEST_ROW = 64 * 1024;

/** What is taken of a file in one turn of the event loop: bytes to split into rows, and rows to make sense of. */
const CHUNK = 32 * 1024;
const ROWS_A_TURN = 500;

/**
 * Reads a settlement statement: CSV in UTF-8 with a header, as RFC 4180 has it. Rows that cannot be read are refused by
 * its line. It is read a piece at a time, so that nobody else waits for a large one.
 */
export async function readStatement(file: Buffer, format: StatementFormat): Promise<Statement> {
  const hash = createHash('sha256');
  const records = parse({
    delimiter: format.delimiter,
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  });
  // What fails in either is thrown where the records are read.
  pipeline(Readable.from(readText(file, hash), { highWaterMark: 1 }), records, () => {});
  let readRow: ((record: readonly string[], line: number) => StatementRow | null) | null = null;
  const rows: StatementRow[] = [];
  let [ignored, count] = [0, 0];
  try {
    // With `info` each record comes with where it was found.
    for await (const { record, info } of records as AsyncIterable<{
      readonly record: string[];
      readonly info: { readonly lines: number };
    }>) {
      if (readRow === null) {
        readRow = makeRowReader(record, format);
        continue;
      }
      if (++count > MOST_ROWS)
        throw refuseValue('body', say`the statement has more than ${MOST_ROWS} rows; send it in parts`);
      if (count % ROWS_A_TURN === 0) await turn();
      const row = readRow(record, info.lines);
      if (row) rows.push(row);
      else ignored++;
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw refuseValue(
        'body',
        say`line ${Number(error['lines'] ?? 0)} is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`,
      );
    throw error;
  }
  if (readRow === null) throw refuseValue('body', say`the statement is empty`);
  return { rows, ignored, hash: hash.digest('hex') };
}

/** The text of a file in pieces, each in a turn of its own. */
async function* readText(file: Buffer, hash: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  // Of the line that the last piece ends in: the parser bounds what fields say, and not how many there are.
  let open = 0;
  for (let start = 0; start < file.length; start += CHUNK) {
    const chunk = file.subarray(start, start + CHUNK);
    hash.update(chunk);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: start + CHUNK < file.length });
    } catch {
      throw refuseValue('body', say`the statement is not UTF-8`);
    }
    const [rest = '', ...lines] = text.split(/[\r\n]/);
    if (open + rest.length > LONGEST_ROW) throw refuseValue('body', say`the statement has a line that is too long`);
    open = lines.at(-1)?.length ?? open + rest.length;
    yield text;
    await turn();
  }
}

/** How the rows under a header are read; null of a row that was not paid. */
function makeRowReader(
  names: readonly string[],
  { columns, paid, zone = 'Z' }: StatementFormat,
): (cells: readonly string[], line: number) => StatementRow | null {
  const header = names.map((name) => name.trim());
  const columnOf = (name: string) => {
    const index = header.indexOf(name);
    if (index < 0) throw refuseValue('body', say`the statement lacks the column ${name}`);
    return index;
  };
  const optionalColumnOf = (name: string | null) => (name === null ? null : columnOf(name));
  const at = {
    reference: columnOf(columns.reference),
    amount: columnOf(columns.amount),
    currency: optionalColumnOf(columns.currency),
    status: optionalColumnOf(columns.status),
    txnId: optionalColumnOf(columns.txnId),
    settledAt: optionalColumnOf(columns.settledAt),
    paidFor: header.includes(columns.paidFor ?? '') ? optionalColumnOf(columns.paidFor ?? null) : null,
  };
  return (cells, line) => {
    const cellAt = (index: number | null) => (index === null ? '' : (cells[index] ?? '').trim());
    const amount = parseAmount(cellAt(at.amount), line);
    if (
      (at.status !== null && paid.length > 0 && !paid.includes(cellAt(at.status).toLowerCase())) ||
      !amount.isPositive() ||
      amount.isZero()
    )
      return null;
    const reference = parseText(cellAt(at.reference), line);
    if (reference === null) throw refuseValue('body', say`line ${line} has no reference`);
    return {
      line,
      reference,
      amount,
      currency: parseText(cellAt(at.currency), line)?.toUpperCase() ?? null,
      txnId: parseText(cellAt(at.txnId), line),
      settledAt: parseMoment(cellAt(at.settledAt), zone, line),
      paidFor: parseText(cellAt(at.paidFor), line),
    };
  };
}

/** `585000`, `585,000.00`; less than nothing for what went back. */
function parseAmount(cell: string, line: number): Decimal {
  const plain = cell.replace(/(?<=\d),(?=\d{3}(\D|$))/g, '');
  if (!/^-?\d{1,15}(\.\d{1,4})?$/.test(plain)) throw refuseValue('body', say`line ${line} has no valid amount`);
  const amount = new Decimal(plain);
  if (!fitsJson(amount)) throw refuseValue('body', say`line ${line} has an amount with too many digits`);
  return amount;
}

function parseText(cell: string, line: number): string | null {
  if (cell === '') return null;
  if (findBadText(cell) !== null || cell.length > LONGEST)
    throw refuseValue('body', say`line ${line} has text that cannot be stored`);
  return cell;
}

function parseMoment(cell: string, zone: string, line: number): Date | null {
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(cell) ? cell : `${cell}${zone}`);
  if (cell === '' || Number.isNaN(at.getTime())) return null;
  if (!isWithinReach(at)) throw refuseValue('body', say`line ${line} has a moment that does not lie ${REACH}`);
  return at;
}
