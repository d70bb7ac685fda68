import type { Chart, Series } from '../charts/chart.ts';

/** A list of rows, as the graph answers it. */
export interface Nodes<Row> {
  readonly nodes: readonly Row[];
}

/** A figure that each row of a panel has. */
interface Column<Row> extends Pick<Series, 'name' | 'as'> {
  readonly of: (row: Row, index: number) => number | null;
}

/** Rows of figures in one currency, and which of their figures are drawn; a column that does not apply is null. */
interface Panel<Row> extends Omit<Chart, 'labels' | 'links' | 'unit' | 'series'> {
  readonly currency: string;
  readonly rows: readonly Row[];
  readonly label: (row: Row, index: number) => string;
  readonly link?: (row: Row) => string | null;
  readonly columns: readonly (Column<Row> | null)[];
}

/** The chart of a panel. */
export function drawPanel<Row>(panel: Panel<Row>): Chart {
  const { currency, rows, label, link, columns, kind, name, title, description, head, ...more } = panel;
  const about = { kind, name, title, description, head };
  const labels = { labels: rows.map(label), ...(link && { links: rows.map(link) }), unit: { currency } };
  const drawn = columns.filter((column) => column !== null);
  const series = drawn.map(({ of, name: told, as }) => ({ name: told, values: rows.map(of), ...(as && { as }) }));
  return { ...about, ...labels, ...more, series };
}
