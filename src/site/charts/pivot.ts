/** Rows turned into the columns of a chart. */
interface Pivoted {
  readonly labels: readonly string[];
  readonly series: readonly { readonly key: string; readonly values: readonly (number | null)[] }[];
}

/**
 * Rows of two dimensions as one column for each value of the second, over the values of the first: both in the order in
 * which they come first, the labels sorted where they are days or months. Of a cell without a row, `none`.
 */
export function pivot<Row>(
  rows: readonly Row[],
  labelOf: (row: Row) => string,
  keyOf: (row: Row) => string,
  valueOf: (row: Row) => number | null,
  none: number | null = null,
): Pivoted {
  const seen = [...new Set(rows.map(labelOf))];
  const labels = seen.every((label) => /^\d{4}-\d\d/.test(label)) ? seen.toSorted((a, b) => (a < b ? -1 : 1)) : seen;
  const cells = new Map(rows.map((row) => [`${keyOf(row)}\n${labelOf(row)}`, valueOf(row)]));
  return {
    labels,
    series: [...new Set(rows.map(keyOf))].map((key) => ({
      key,
      values: labels.map((label) => cells.get(`${key}\n${label}`) ?? none),
    })),
  };
}

/** Beyond so many days, a chart goes by months. */
const MOST_DAYS = 100;
const DAY_MS = 86_400_000;

/** Counts of something on days. */
interface Counted {
  readonly day: string;
  readonly count: number;
}

/** Counts of each of some keys over all days of a span, those on which there was nothing too; of long spans, by month. */
export function spread<Row extends Counted>(
  rows: readonly Row[],
  { fromDate, toDate }: { readonly fromDate: string; readonly toDate: string },
  keys: readonly string[],
  keyOf: (row: Row) => string,
): Pivoted & { readonly by: 'day' | 'month' } {
  const [from, to] = [Date.parse(fromDate), Date.parse(toDate)];
  const days = Array.from({ length: Math.round((to - from) / DAY_MS) + 1 }, (_, index) =>
    new Date(from + index * DAY_MS).toISOString().slice(0, 10),
  );
  const by = days.length > MOST_DAYS ? 'month' : 'day';
  const labelOf = (day: string) => (by === 'month' ? day.slice(0, 7) : day);
  const labels = [...new Set(days.map(labelOf))];
  const sums = new Map<string, number>();
  for (const row of rows) {
    const cell = `${keyOf(row)}\n${labelOf(row.day)}`;
    sums.set(cell, (sums.get(cell) ?? 0) + row.count);
  }
  return {
    by,
    labels,
    series: keys.map((key) => ({ key, values: labels.map((label) => sums.get(`${key}\n${label}`) ?? 0) })),
  };
}
