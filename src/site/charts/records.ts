import type { Drawn } from './chart.ts';

/** The figures of a chart as rows, for files: a column for what its labels are, and one for each series. */
export function recordsOf({ head, labels, series }: Pick<Drawn, 'head' | 'labels' | 'series'>) {
  return {
    names: [head, ...series.map(({ name }) => name)],
    rows: labels.map((label, index) => [label, ...series.map(({ values }) => values[index] ?? null)]),
  };
}
