import { CsvError, parse } from 'csv-parse/sync';
import type { StatementFormat } from '../connections.ts';
import { Decimal, fitsJson } from '../money.ts';
import { invalid } from '../refusal.ts';
import { badText } from '../text.ts';
import { REACH, isWithinReach } from '../time.ts';

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
}

export interface Statement {
  readonly rows: readonly StatementRow[];
  /** Rows that were not paid: failures, fees, refunds. */
  readonly ignored: number;
}

const MOST_ROWS = 100_000;
const LONGEST = 255;
const LONGEST_ROW = 64 * 1024;

/** Reads a settlement statement: CSV in UTF-8 with a header, as RFC 4180 has it. Whatever cannot be read is refused by its line. */
export function readStatement(file: Buffer, { delimiter, columns, paid }: StatementFormat): Statement {
  const { header, records } = parseCsv(file, delimiter);
  const column = (name: string) => {
    const index = header.indexOf(name);
    if (index < 0) throw invalid('body', `the statement has no column ${name}`);
    return index;
  };
  const optional = (name: string | null) => (name === null ? null : column(name));
  const at = {
    reference: column(columns.reference),
    amount: column(columns.amount),
    currency: optional(columns.currency),
    status: optional(columns.status),
    txnId: optional(columns.txnId),
    settledAt: optional(columns.settledAt),
  };
  const rows: StatementRow[] = [];
  let ignored = 0;
  for (const { cells, line } of records) {
    const cell = (index: number | null) => (index === null ? '' : (cells[index] ?? '').trim());
    const amount = amountOf(cell(at.amount), line);
    if ((at.status !== null && paid.length > 0 && !paid.includes(cell(at.status).toLowerCase())) || !amount.isPositive() || amount.isZero()) {
      ignored++;
      continue;
    }
    const reference = textOf(cell(at.reference), line);
    if (reference === null) throw invalid('body', `line ${line} has no reference`);
    rows.push({
      line,
      reference,
      amount,
      currency: textOf(cell(at.currency), line)?.toUpperCase() ?? null,
      txnId: textOf(cell(at.txnId), line),
      settledAt: momentOf(cell(at.settledAt), line),
    });
  }
  return { rows, ignored };
}

function parseCsv(file: Buffer, delimiter: string): { header: string[]; records: { cells: string[]; line: number }[] } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw invalid('body', 'the statement is not UTF-8');
  }
  try {
    const parsed: unknown = parse(text, {
      delimiter,
      bom: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_ROW,
      to: MOST_ROWS + 2,
    });
    // With `info` each record comes with where it was found.
    const [first, ...rest] = parsed as { readonly record: string[]; readonly info: { readonly lines: number } }[];
    if (!first) throw invalid('body', 'the statement is empty');
    if (rest.length > MOST_ROWS) throw invalid('body', `the statement has more than ${MOST_ROWS} rows; send it in parts`);
    return { header: first.record.map((name) => name.trim()), records: rest.map(({ record, info }) => ({ cells: record, line: info.lines })) };
  } catch (error) {
    if (error instanceof CsvError)
      throw invalid('body', `line ${Number(error['lines'] ?? 0)} is not CSV: ${error.code.toLowerCase().replaceAll('_', ' ')}`);
    throw error;
  }
}

/** `585000`, `585,000.00`; less than nothing for what went back. */
function amountOf(cell: string, line: number): Decimal {
  const plain = cell.replace(/(?<=\d),(?=\d{3}(\D|$))/g, '');
  if (!/^-?\d{1,15}(\.\d{1,4})?$/.test(plain)) throw invalid('body', `line ${line} has no amount that could be read`);
  const amount = new Decimal(plain);
  if (!fitsJson(amount)) throw invalid('body', `line ${line} has an amount of too many digits`);
  return amount;
}

function textOf(cell: string, line: number): string | null {
  if (cell === '') return null;
  if (badText(cell) !== null || cell.length > LONGEST) throw invalid('body', `line ${line} has text that cannot be kept`);
  return cell;
}

function momentOf(cell: string, line: number): Date | null {
  // Without a zone it is UTC, as all else here.
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(cell) ? cell : `${cell}Z`);
  if (cell === '' || Number.isNaN(at.getTime())) return null;
  if (!isWithinReach(at)) throw invalid('body', `line ${line} has a moment that does not lie ${REACH}`);
  return at;
}
