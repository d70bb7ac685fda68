import type { Chart, Series } from '../charts/chart.ts';
import type { Texts } from '../languages/texts.ts';
import { type Step, stepAt } from './days.ts';

/** A list of rows, as the graph answers it. */
export interface Nodes<Row> {
  readonly nodes: readonly Row[];
}

/** A figure that each row of a panel has. */
interface Column<Row> extends Pick<Series, 'name' | 'as'> {
  readonly of: (row: Row, index: number) => number | null;
}

/** Rows of figures, and which of their figures are drawn; a column that does not apply is null. */
interface Panel<Row> extends Omit<Chart, 'labels' | 'links' | 'series'> {
  readonly rows: readonly Row[];
  readonly label: (row: Row, index: number) => string;
  readonly link?: (row: Row) => string | null;
  readonly columns: readonly (Column<Row> | null)[];
}

/** The chart of a panel. */
export function drawPanel<Row>({ rows, label, link, columns, ...about }: Panel<Row>): Chart {
  const drawn = columns.filter((column) => column !== null);
  return {
    ...about,
    labels: rows.map(label),
    ...(link && { links: rows.map(link) }),
    series: drawn.map(({ of, ...column }) => ({ ...column, values: rows.map(of) })),
  };
}

/** Question to a page: its address, its reader, and the time. */
export interface Asked {
  readonly query: URLSearchParams;
  readonly texts: Texts;
  /** All agencies: of some there is no row. */
  readonly agencies: readonly { readonly id: string; readonly name: string; readonly country: string }[];
  /** The clock of the rail. */
  readonly timeZone: string;
  /** The day that it is. */
  readonly today: string;
}

/** Days of figures: the first with records, null without any, and today. */
export interface Recorded {
  readonly recordedSince: string | null;
  readonly today: string;
}

/** True if a step can have records: not before the first, nor in the future. */
export function isRecordedIn(step: Step, { recordedSince, today }: Recorded): (key: string) => boolean {
  const [first, last] = [recordedSince && stepAt(recordedSince, step), stepAt(today, step)];
  return (key) => first !== null && key >= first && key <= last;
}
