import type { Texts } from '../../languages/texts.ts';
import type { Nodes } from '../panel.ts';
import { type FigureRow, compareTimes, fieldOf, nameDimension, nameIn, nameMeasure } from './names.ts';
import { type Question, isOrdered, measureOf } from './question.ts';

/** The lists of rows that an answer is made of: where a dimension is columns, by rows and columns, and by columns, too. */
export interface Lists {
  readonly rows: Nodes<FigureRow>;
  readonly totals: Nodes<FigureRow>;
  readonly cells?: Nodes<FigureRow>;
  readonly columns?: Nodes<FigureRow>;
}

/** Most values of a dimension that are columns. */
const MOST_COLUMNS = 40;
/** Most rows of a table on a page. */
const MOST_ROWS = 100;

/** Identity of rows by some of their fields. */
const idOf = (row: FigureRow, fields: readonly string[]): string =>
  JSON.stringify(fields.map((name) => row[name] ?? null));

const currencyOf = (row: FigureRow) => row['currency'] as string | null;

/** A page of an answer's rows as a table, or the last page where it has fewer. */
export function makeTable(question: Question, lists: Lists, asked: number, texts: Texts) {
  const { by, column, measures } = question;
  const hasCurrency = ![...by, column].includes('currency') && lists.rows.nodes.some((row) => row['currency'] != null);
  // Currencies are columns, and never added: there is nothing that a row comes to.
  const isSummed = column !== 'currency';
  const fields = [...by.map(fieldOf), ...(hasCurrency ? ['currency'] : [])];
  const at = fieldOf(column ?? '');
  const values = orderColumns(lists.columns?.nodes ?? [], question);
  const columns = values.slice(0, MOST_COLUMNS);
  const rows = [...new Map(lists.rows.nodes.map((row) => [idOf(row, fields), row])).values()];
  const last = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  const page = Math.min(last, Math.max(1, asked));

  const heads = (canOrder: boolean) =>
    measures.map((measure) => ({ text: nameMeasure(measure, texts), order: canOrder ? measure : null }));
  const write = (row: FigureRow | undefined, currency: string | null) =>
    measures.map((measure) => writeFigure(row, measure, currency, texts));
  /** The cells of rows: of each, those of its columns, and what it comes to. */
  const fill = (list: Nodes<FigureRow> | undefined, names: readonly string[]) => {
    const found = new Map(list?.nodes.map((row) => [idOf(row, names), row]));
    return (row: FigureRow) => {
      const places = columns.map((value) => ({ ...row, [at]: value[at] ?? null }));
      const cells = places.flatMap((place) => write(found.get(idOf(place, names)), currencyOf(place)));
      return isSummed ? [...cells, ...write(row, currencyOf(row))] : cells;
    };
  };
  const [cellsOf, totalsOf] = [fill(lists.cells, [...fields, at]), fill(lists.columns, [at, 'currency'])];
  const totals = isSummed ? lists.totals.nodes : lists.totals.nodes.slice(0, 1);
  return {
    count: rows.length,
    page,
    last,
    keys: [
      ...by.map((name) => ({ text: nameDimension(name, texts), order: name })),
      ...(hasCurrency ? [{ text: texts.t('explore.dimension.currency'), order: null }] : []),
    ],
    /** Groups of columns, in a table with values of a dimension as columns. */
    groups:
      column === null
        ? []
        : [...columns.map((row) => nameIn(row, column, texts)), ...(isSummed ? [texts.t('explore.all')] : [])],
    /** The heads of figures, as many for each group. */
    figures: [...columns.flatMap(() => heads(false)), ...(isSummed ? heads(true) : [])],
    rows: rows.slice((page - 1) * MOST_ROWS, page * MOST_ROWS).map((row) => ({
      names: [...by.map((name) => nameIn(row, name, texts)), ...(hasCurrency ? [String(row['currency'] ?? '')] : [])],
      cells: cellsOf(row),
    })),
    /** Totals of all rows, by currency. */
    totals: (by.length === 0 ? [] : totals).map((row) => ({
      currency: isSummed ? currencyOf(row) : null,
      cells: totalsOf(row),
    })),
    /** Number of values of the columns' dimension that are not shown. */
    further: values.length - columns.length,
  };
}

/** A row for each value that is a column: in the order of time, or the largest first. */
function orderColumns(rows: readonly FigureRow[], { column, lead }: Question): FigureRow[] {
  if (column === null) return [];
  const at = fieldOf(column);
  const largest = rows.toSorted((a, b) => Number(b[lead] ?? 0) - Number(a[lead] ?? 0));
  const values = [...new Map(largest.toReversed().map((row) => [row[at] ?? null, row])).values()].toReversed();
  return isOrdered(column) ? values.toSorted((a, b) => compareTimes(a[at] ?? null, b[at] ?? null)) : values;
}

/** Reasons for which figures are null that other pages have words for. */
const KNOWN_WORDS: Readonly<Record<string, string>> = { few_people: 'figure.kept' };

/** A figure as pages write it, or a word where there is none. */
export function writeFigure(row: FigureRow | undefined, measure: string, currency: string | null, texts: Texts) {
  const { figures, type } = measureOf(measure);
  const value = row ? (row[measure] ?? null) : zeroOf(measure);
  if (value === null) {
    const reason = reasonOf(row, figures);
    const word = reason === null ? 'figure.none' : (KNOWN_WORDS[reason] ?? `explore.hidden.${reason}`);
    return { text: texts.t(word), isWord: true };
  }
  if (type === 'DateTime') return { text: texts.moment(value, 'UTC'), isWord: false };
  const text = type === 'Decimal' && currency !== null ? texts.money(value, currency) : texts.number(value);
  return { text, isWord: false };
}

/** Value of a measure without records; null if that cannot be told. */
function zeroOf(measure: string): number | null {
  const { group, of, type } = measureOf(measure);
  const value = group.nothing === null || type === 'Float' ? null : of(group.nothing, null);
  return value === null ? null : Number(value);
}

/** Reason why figures of a measure group are null in a row: `sizes: not_kept_by_this_dimension; payers: few_people`. */
function reasonOf(row: FigureRow | undefined, figures: string): string | null {
  const reasons = String(row?.['hidden'] ?? '').split('; ');
  return reasons.map((one) => one.split(': ')).find(([name]) => name === figures)?.[1] ?? null;
}
