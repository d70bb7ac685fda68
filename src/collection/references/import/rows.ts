import { DateScalar, ScalarMistake } from '../../../graphql/scalars.ts';
import { type Decimal, readAmount } from '../../../kernel/money.ts';
import { type Detail, Refusal, refuseValue } from '../../../kernel/refusal.ts';
import { columnIn, openCsv, unwrapCell } from '../../../kernel/text/csv.ts';
import { findBadText, readText, requireText, shorten } from '../../../kernel/text/free-text.ts';
import { say } from '../../../kernel/text/said.ts';
import { MOST_OF_ONE } from '../../assessments/create.ts';
import { LONGEST_REFERENCE } from '../../assessments/labels.ts';
import type { LineInput } from '../../assessments/lines/offers.ts';
import { requireNin } from '../../citizens/nin.ts';
import { MOST_DAYS } from '../issue.ts';

export const MOST_ROWS = 10_000;
export const LONGEST_KEY = LONGEST_REFERENCE;

/** Columns of a file; the first two are always there, and one of the next two. */
export const COLUMNS = [
  'key',
  'service',
  'number',
  'citizen',
  'category',
  'quantity',
  'base_amount',
  'stated_amount',
  'period',
  'due_on',
  'reference_days',
  'notify',
] as const;
type Column = (typeof COLUMNS)[number];

/** A row of a file: an assessment that is asked for. */
export interface ImportRow {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly key: string;
  /** Who owes, and the column that says so: a NIN or TIN, or a docname. */
  readonly payer: string;
  readonly payerColumn: 'number' | 'citizen';
  readonly asked: LineInput;
  readonly dueDate: Date | null;
  /** For how many days it can be paid by a number; null: it gets none. */
  readonly referenceDays: number | null;
  /** True if the payer is to be told. */
  readonly notify: boolean;
}

/** A row that cannot become an assessment. */
export interface WrongRow {
  readonly line: number;
  /** Null where there is none, or it cannot be told. */
  readonly key: string | null;
  readonly mistake: Detail;
}

/** Reads a file of assessments. A row that is wrong, or has the key of an earlier one, is told from those that are not. */
export async function readRows(file: Buffer): Promise<(ImportRow | WrongRow)[]> {
  const { header, rows } = openCsv(file, {
    needed: ['key', 'service'],
    mostRows: MOST_ROWS,
    sayOtherBytes: (line, encoding) => say`line ${line} is not ${encoding}: save the file as UTF-8`,
  });
  const unknown = header.find((name) => name !== '' && !(COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw refuseValue('body', say`the file has the column ${shorten(unknown)}, which is not known`);
  const places = new Map<Column, number>(COLUMNS.map((column) => [column, columnIn(header, column)]));
  if (places.get('number')! < 0 && places.get('citizen')! < 0)
    throw refuseValue('body', say`the file lacks the column ${'number'}`);
  const keys = new Set<string>();
  const read: (ImportRow | WrongRow)[] = [];
  for await (const { cells, line } of rows) {
    const cellOf = (column: Column) => unwrapCell(cells[places.get(column)!]);
    const key = cellOf('key');
    read.push(
      takeRow(line, key, () => {
        if (cells.some((cell, place) => !header[place] && cell.trim() !== ''))
          throw refuseValue('key', say`has a cell without a column`);
        const row = readRow(line, cellOf);
        if (keys.has(row.key)) throw refuseValue('key', say`stands in an earlier row of the file`, 'key_repeated');
        return row;
      }),
    );
    keys.add(key);
  }
  return read;
}

function takeRow(line: number, key: string, take: () => ImportRow): ImportRow | WrongRow {
  try {
    return take();
  } catch (error) {
    return { line, key: isKey(key) ? key : null, mistake: mistakeIn(error) };
  }
}

const isKey = (key: string) => key !== '' && key.length <= LONGEST_KEY && findBadText(key) === null;

/** The first mistake of a refusal; everything else that is thrown is a bug. */
export function mistakeIn(error: unknown): Detail {
  const [mistake] = error instanceof Refusal ? error.details : [];
  if (!mistake) throw error;
  return mistake;
}

function readRow(line: number, cellOf: (column: Column) => string): ImportRow {
  for (const column of COLUMNS) {
    const mistake = findBadText(cellOf(column));
    if (mistake) throw refuseValue(column, mistake);
  }
  const [number, citizen] = [cellOf('number'), cellOf('citizen')];
  if (number !== '' && citizen !== '') throw refuseValue('citizen', say`is not asked for here`);
  return {
    line,
    key: requireText('key', cellOf('key'), LONGEST_KEY),
    payer: citizen === '' ? requireNin('number', number) : citizen,
    payerColumn: citizen === '' ? 'number' : 'citizen',
    asked: {
      service: requireText('service', cellOf('service')),
      category: readText('category', cellOf('category')),
      quantity: readWhole('quantity', cellOf('quantity'), MOST_OF_ONE),
      baseAmount: readDecimal('base_amount', cellOf('base_amount')),
      statedAmount: readDecimal('stated_amount', cellOf('stated_amount')),
      period: cellOf('period'),
    },
    dueDate: readDate('due_on', cellOf('due_on')),
    referenceDays: readWhole('reference_days', cellOf('reference_days'), MOST_DAYS),
    notify: readFlag('notify', cellOf('notify')),
  };
}

function readWhole(column: Column, cell: string, most: number): number | null {
  if (cell === '') return null;
  const number = /^\d{1,6}$/.test(cell) ? Number(cell) : 0;
  if (number < 1 || number > most) throw refuseValue(column, say`must be a whole number from 1 to ${most}`);
  return number;
}

function readDecimal(column: Column, cell: string): Decimal | null {
  if (cell === '') return null;
  const written = readAmount(cell);
  if (!written || written.currency !== null) throw refuseValue(column, say`must be a number`);
  return written.amount;
}

function readDate(column: Column, cell: string): Date | null {
  if (cell === '') return null;
  try {
    return DateScalar.parseValue(cell);
  } catch (error) {
    throw error instanceof ScalarMistake ? refuseValue(column, error.said) : error;
  }
}

function readFlag(column: Column, cell: string): boolean {
  const flag = cell.toLowerCase();
  if (!['', 'true', 'false'].includes(flag)) throw refuseValue(column, say`must be true or false`);
  return flag === 'true';
}
