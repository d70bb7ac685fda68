import { createHash } from 'node:crypto';
import { ROW_KINDS, type RowKind, type StatementFormat } from '../../adapters/payment/statement.ts';
import { type Decimal, readAmount } from '../../kernel/money.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { columnIn, foldBlanks, openCsv, unwrapCell } from '../../kernel/text/csv.ts';
import { makeDateReader } from '../../kernel/text/dates.ts';
import { findBadText } from '../../kernel/text/free-text.ts';
import { REACH, isWithinReach } from '../../kernel/time.ts';
import { say } from '../../kernel/text/said.ts';

/** A row of a statement that was paid, or, below zero, given back; or one of another kind. */
export interface StatementRow {
  /** null: a payment, or a refund. */
  readonly kind: RowKind | null;
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
/** Statuses in which nothing was paid, in any format. */
const UNPAID = new Set(
  'failed failure declined rejected cancelled canceled expired pending processing reversed refunded error tf ta tip te'.split(
    ' ',
  ),
);

/**
 * Reads a settlement statement: CSV with a header, as exports and spreadsheets write it. Rows that cannot be read are
 * refused by their line. It is read a piece at a time, so that nobody else waits for a large one. Dates that name no
 * offset are by the clock of a place.
 */
export async function readStatement(file: Buffer, format: StatementFormat, timeZone: string): Promise<Statement> {
  const hash = createHash('sha256');
  const { header, rows: records } = openCsv(file, {
    needed: neededColumns(format),
    mostRows: MOST_ROWS,
    delimiter: format.delimiter,
    encoding: format.encoding,
    sayOtherBytes: (line, encoding) =>
      say`line ${line} is not ${encoding}: save the statement as UTF-8, or set its encoding in statements`,
    passing: (piece) => void hash.update(piece),
  });
  const readRow = makeRowReader(header, format, timeZone);
  const rows: StatementRow[] = [];
  const ignoredByStatus = new Map<string, number>();
  let ignored = 0;
  for await (const { cells, line } of records) {
    const row = readRow(cells, line);
    if ('reference' in row) {
      rows.push(row);
      continue;
    }
    ignored++;
    if (row.status !== null) ignoredByStatus.set(row.status, (ignoredByStatus.get(row.status) ?? 0) + 1);
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

const neededColumns = ({ columns, kinds }: StatementFormat) =>
  Object.entries({ ...columns, kind: kinds?.column }).flatMap(([member, name]) =>
    name && member !== 'paidFor' ? foldBlanks(name) : [],
  );

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
  const { columns, paid, kinds } = format;
  const columnOf = (name: string | null | undefined) => (name == null ? -1 : columnIn(header, name));
  const at = {
    reference: columnOf(columns.reference),
    amount: columnOf(columns.amount),
    currency: columnOf(columns.currency),
    status: paid.length > 0 ? columnOf(columns.status) : -1,
    txnId: columnOf(columns.txnId),
    settledAt: columnOf(columns.settledAt),
    paidFor: columnOf(columns.paidFor),
    kind: columnOf(kinds?.column),
  };
  const others = [at.currency, at.status, at.txnId, at.settledAt].filter(
    (index) => index >= 0 && index !== at.reference,
  );
  const readDate = makeDateReader(format.dateFormat ?? null, timeZone);
  return (cells, line) => {
    const cellAt = (index: number) => unwrapCell(cells[index]);
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      throw refuseValue('body', say`line ${line} has more cells than the header has columns`);
    // A line about the account, or a total.
    if (cellAt(at.amount) === '' && others.every((index) => cellAt(index) === '')) return { status: null };
    const short = Object.values(at).find((index) => index >= cells.length);
    if (short !== undefined) throw refuseValue('body', say`line ${line} has no cell for the column ${header[short]!}`);
    const word = at.kind < 0 ? '' : cellAt(at.kind).toLowerCase();
    const kind = ROW_KINDS.find((one) => kinds?.[one].includes(word)) ?? null;
    const status = at.status < 0 ? null : cellAt(at.status);
    const isDone = kind ? !UNPAID.has(status?.toLowerCase() ?? '') : paid.includes(status?.toLowerCase() ?? '');
    if (status !== null && !isDone) return { status };
    if (cellAt(at.amount) === '') return { status: null };
    const { amount, currency: written } = parseAmount(cellAt(at.amount), line);
    const isTotal = others.length > 0 && others.every((index) => cellAt(index) === '');
    if (amount.isZero() || isTotal) return { status: null };
    const reference = parseText(cellAt(at.reference), line);
    if (reference === null && !kind && amount.isNegative()) return { status: null };
    const txnId = parseText(cellAt(at.txnId), line);
    const named = reference ?? (kind && (txnId ?? kind));
    if (named === null) throw refuseValue('body', say`line ${line} has no reference`);
    const currency = parseText(cellAt(at.currency), line)?.toUpperCase() ?? written;
    if (written !== null && written !== currency) throw refuseValue('body', say`line ${line} has two currencies`);
    return {
      kind,
      line,
      reference: named,
      amount,
      currency,
      txnId,
      settledAt: parseMoment(cellAt(at.settledAt), readDate, format, line),
      paidFor: parseText(cellAt(at.paidFor), line),
    };
  };
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
