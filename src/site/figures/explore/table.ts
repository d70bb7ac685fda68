import type { Texts } from '../../languages/texts.ts';
import { type FigureRow, fieldOf, nameDimension, nameIn, nameMeasure } from './names.ts';
import { type Question, isOrdered, measureOf } from './question.ts';

/** A figure in a table, or why there is none. */
export interface Cell {
  readonly text: string;
  /** Whether it stands for a figure that is not there. */
  readonly isWord: boolean;
}

interface Head {
  readonly text: string;
  /** What rows can be ordered by there. */
  readonly order: string | null;
}

export interface Table {
  /** The heads of what rows are about. */
  readonly keys: readonly Head[];
  /** Groups of columns, in a table with values of a dimension as columns. */
  readonly groups: readonly string[];
  /** The heads of figures, as many for each group. */
  readonly figures: readonly Head[];
  readonly rows: readonly { readonly names: readonly string[]; readonly cells: readonly Cell[] }[];
  /** What all rows come to together, by currency. */
  readonly totals: readonly { readonly currency: string | null; readonly cells: readonly Cell[] }[];
  /** How many values of the columns' dimension are not shown. */
  readonly further: number;
}

/** The lists of rows that a table is made of. */
export interface Lists {
  readonly rows: readonly FigureRow[];
  readonly totals: readonly FigureRow[];
  /** By rows and columns, and by columns alone, where a dimension is columns. */
  readonly cells?: readonly FigureRow[];
  readonly columns?: readonly FigureRow[];
}

/** How many values of a dimension are columns. */
const MOST_COLUMNS = 40;

/** What tells rows apart by some of their fields. */
const idOf = (row: FigureRow, fields: readonly string[]): string =>
  JSON.stringify(fields.map((name) => row[name] ?? null));

/** Rows as a table, of which those from `begin` on are shown. */
export function makeTable(
  question: Question,
  lists: Lists,
  page: { readonly begin: number; readonly most: number },
  texts: Texts,
): Table {
  const { by, column, measures } = question;
  const hasCurrency = ![...by, column].includes('currency') && lists.rows.some((row) => row['currency'] != null);
  const fields = [...by.map(fieldOf), ...(hasCurrency ? ['currency'] : [])];
  const keys = [
    ...by.map((name) => ({ text: nameDimension(name, texts), order: name })),
    ...(hasCurrency ? [{ text: texts.t('explore.dimension.currency'), order: null }] : []),
  ];
  const distinct = new Map(lists.rows.map((row) => [idOf(row, fields), row]));
  const shown = [...distinct.values()].slice(page.begin, page.begin + page.most);
  const namesOf = (row: FigureRow) => [
    ...by.map((name) => nameIn(row, name, texts)),
    ...(hasCurrency ? [String(row['currency'] ?? '')] : []),
  ];
  const write = (row: FigureRow | undefined, currency: string | null) =>
    measures.map((measure) => writeFigure(row, measure, currency, texts));
  const heads = (canOrder: boolean) =>
    measures.map((measure) => ({ text: nameMeasure(measure, texts), order: canOrder ? measure : null }));
  const ofRow = (row: FigureRow) => row['currency'] as string | null;
  if (column === null)
    return {
      keys,
      groups: [],
      figures: heads(true),
      rows: shown.map((row) => ({ names: namesOf(row), cells: write(row, ofRow(row)) })),
      totals:
        by.length === 0 ? [] : lists.totals.map((row) => ({ currency: ofRow(row), cells: write(row, ofRow(row)) })),
      further: 0,
    };

  // Currencies are columns, and never added: there is nothing that a row comes to.
  const isMoney = column === 'currency';
  const at = fieldOf(column);
  const values = orderColumns(lists.columns ?? [], question);
  const columns = values.slice(0, MOST_COLUMNS);
  const byCell = new Map((lists.cells ?? []).map((row) => [idOf(row, [...fields, at]), row]));
  const byColumn = new Map((lists.columns ?? []).map((row) => [idOf(row, isMoney ? [at] : [at, 'currency']), row]));
  const currencyIn = (row: FigureRow, value: FigureRow) => ofRow(isMoney ? value : row);
  const acrossOf = (row: FigureRow, find: (value: FigureRow) => FigureRow | undefined) =>
    columns.flatMap((value) => write(find(value), currencyIn(row, value)));
  const whole = (row: FigureRow) => (isMoney ? [] : write(row, ofRow(row)));
  const foot = isMoney ? lists.totals.slice(0, 1) : lists.totals;
  return {
    keys,
    groups: [...columns.map((row) => nameIn(row, column, texts)), ...(isMoney ? [] : [texts.t('explore.all')])],
    figures: [...columns.flatMap(() => heads(false)), ...(isMoney ? [] : heads(true))],
    rows: shown.map((row) => ({
      names: namesOf(row),
      cells: [
        ...acrossOf(row, (value) => byCell.get(idOf({ ...row, [at]: value[at] ?? null }, [...fields, at]))),
        ...whole(row),
      ],
    })),
    totals:
      by.length === 0
        ? []
        : foot.map((row) => ({
            currency: isMoney ? null : ofRow(row),
            cells: [
              ...acrossOf(row, (value) =>
                byColumn.get(
                  isMoney
                    ? idOf(value, [at])
                    : idOf({ [at]: value[at] ?? null, currency: ofRow(row) }, [at, 'currency']),
                ),
              ),
              ...whole(row),
            ],
          })),
    further: values.length - columns.length,
  };
}

/** How many rows a table has in all: of a row for each currency one, where currencies are columns. */
export function countRows({ by, column }: Question, rows: readonly FigureRow[]): number {
  const fields = [...by.map(fieldOf), ...(column === 'currency' ? [] : ['currency'])];
  return new Set(rows.map((row) => idOf(row, fields))).size;
}

/** A row for each value that is a column: in the order of time, or the largest first. */
function orderColumns(rows: readonly FigureRow[], { column, lead }: Question): FigureRow[] {
  const at = fieldOf(column!);
  const largest = rows.toSorted((a, b) => Number(b[lead] ?? 0) - Number(a[lead] ?? 0));
  const values = [...new Map(largest.toReversed().map((row) => [row[at] ?? null, row])).values()].toReversed();
  if (!isOrdered(column!)) return values;
  return values.toSorted((a, b) => compareTimes(a[at] ?? null, b[at] ?? null));
}

/** What has no time comes last. */
export function compareTimes(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}

/** Reasons for which figures are null that other pages have words for. */
const KNOWN_WORDS: Readonly<Record<string, string>> = { few_people: 'figure.kept' };

/** A figure as pages write it; nothing where nothing was recorded, if nothing can be told from what is not known. */
export function writeFigure(row: FigureRow | undefined, measure: string, currency: string | null, texts: Texts): Cell {
  const { figures, group, type } = measureOf(measure);
  const value = row ? (row[measure] ?? null) : group.nothing === null || type === 'Float' ? null : zeroOf(measure);
  if (value === null) {
    const reason = reasonOf(row, figures);
    const word = reason === null ? 'figure.none' : (KNOWN_WORDS[reason] ?? `explore.hidden.${reason}`);
    return { text: texts.t(word), isWord: true };
  }
  if (type === 'DateTime') return { text: texts.moment(value, 'UTC'), isWord: false };
  const text = type === 'Decimal' && currency !== null ? texts.money(value, currency) : texts.number(value);
  return { text, isWord: false };
}

/** What a measure is of nothing; null where that cannot be told. */
function zeroOf(measure: string): number | null {
  const { group, of } = measureOf(measure);
  const value = group.nothing && of(group.nothing, null);
  return value === null ? null : Number(value);
}

/** Why the figures of a measure group are null in a row: `sizes: not_kept_by_this_dimension; payers: few_people`. */
function reasonOf(row: FigureRow | undefined, figures: string): string | null {
  const told = String(row?.['hidden'] ?? '')
    .split('; ')
    .map((one) => one.split(': '));
  return told.find(([name]) => name === figures)?.[1] ?? null;
}
