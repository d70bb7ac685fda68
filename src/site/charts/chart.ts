/** Unit of figures: amounts of a currency, shares, durations, or counts of something. */
export type Unit = { readonly currency: string } | 'percent' | 'seconds' | 'milliseconds' | 'count';

/** A column of figures, one for each label; null where there is none. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Its relation to the others: a comparison, or a target. */
  readonly as?: 'comparison' | 'target';
  /** Number of its colour, if its place among the others does not decide it. */
  readonly tone?: number;
}

/** An event at one of the labels of a chart over time. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

/** A chart, as the table behind it has it: what templates hand to `it.chart`. */
export interface Chart {
  /** `lines` and `stacked` go over time from left to right, `bars` go down a list. */
  readonly kind: 'lines' | 'stacked' | 'bars';
  /** Its name on the page and that of its files: a word. */
  readonly name: string;
  readonly title: string;
  /** Description in a sentence, for readers who do not see it. */
  readonly description: string;
  /** Meaning of the labels, as the head of their column. */
  readonly head: string;
  readonly labels: readonly string[];
  /** Address that each label leads to, if any. */
  readonly links?: readonly (string | null)[];
  readonly unit: Unit;
  readonly series: readonly Series[];
  /** True if the last of its labels is a day, week or month that is not over. */
  readonly running?: boolean;
  /** Events meanwhile: numbered on the picture, and explained beneath it. */
  readonly marks?: readonly Mark[];
}

/** A chart as it is drawn, by the server and by browsers: with what follows from its unit and its reader. */
export interface Drawn extends Chart {
  readonly language: string;
  /** Decimals of its amounts. */
  readonly digits: number;
  readonly series: readonly (Series & { readonly tone: number })[];
}

/** Format of a figure; short if there is little room. */
export function formatOf(
  { unit, language, digits }: Pick<Drawn, 'unit' | 'language' | 'digits'>,
  short = false,
): (value: number) => string {
  const write = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(language, options);
    // Below zero with the sign that is as wide as a digit, and not with a hyphen.
    return (value: number) => format.format(value).replace('-', '\u2212');
  };
  const decimals = short ? 0 : 1;
  if (unit === 'percent') return write({ style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: 1 });
  if (unit === 'milliseconds') return write({ style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  if (unit === 'seconds') return write({ style: 'unit', unit: 'second', maximumFractionDigits: 1 });
  if (short) return write({ notation: 'compact', maximumFractionDigits: 1 });
  if (unit === 'count') return write({ maximumFractionDigits: 1 });
  const amount = write({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value) => `${unit.currency}\u00a0${amount(value)}`;
}

/** The part of a chart over time that goes from one of its labels to another. */
export function sliceChart(chart: Drawn, from: number, to: number): Drawn {
  const part = <T>(list: readonly T[]) => list.slice(from, to + 1);
  return {
    ...chart,
    labels: part(chart.labels),
    ...(chart.links && { links: part(chart.links) }),
    running: chart.running === true && to >= chart.labels.length - 1,
    ...(chart.marks && { marks: chart.marks.map((mark) => ({ ...mark, at: mark.at - from })) }),
    series: chart.series.map((series) => ({ ...series, values: part(series.values) })),
  };
}
