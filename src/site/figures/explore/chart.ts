import type { Chart, Series } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, nameStep, stepAt, stepsOf } from '../days.ts';
import { type FigureRow, fieldOf, nameDimension, nameIn, nameMeasure, nameValue } from './names.ts';
import { type Question, isDimension, isOrdered, measureOf } from './question.ts';
import { dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { type Lists, compareTimes } from './table.ts';

/** How many lines a chart has at most, as many as there are tones; and how many bars, and for how many measures. */
const MOST_LINES = 6;
const MOST_BARS = 15;
const MOST_MEASURES = 3;
/** How many dimensions the label of a bar has room for. */
const MOST_NAMED = 2;

interface Charted {
  readonly span: DaySpan;
  /** The currency of the amounts; null where figures are not told by currency. */
  readonly currency: string | null;
  /** The first day of which anything is recorded; null while nothing is. */
  readonly recordedSince: string | null;
  readonly today: string;
}

/** The chart that fits a question: lines over time, bars of anything else; null where it would say nothing. */
export function chartFigures(question: Question, lists: Lists, about: Charted, texts: Texts): Chart | null {
  const { by, column, measures, lead: first } = question;
  if (measureOf(first).type === 'DateTime') return null;
  const isAlike = (name: string) => name !== first && measureOf(name).type === measureOf(first).type;
  const alike = [first, ...measures.filter(isAlike)];
  const inCurrency = (rows: readonly FigureRow[] = []) => rows.filter((row) => row['currency'] === about.currency);
  const dimensions = [...by, ...(column === null ? [] : [column])].filter((name) => name !== 'currency');
  const time = dimensions.find((name) => isDimension(name) && dimensionOf(name).period !== undefined);
  const others = dimensions.filter((name) => name !== time);
  const overTime = time !== undefined && others.length <= 1;
  const shown = overTime
    ? drawLines(time, others[0] ?? null, inCurrency(column === null ? lists.rows : lists.cells))
    : drawBars();
  if (shown === null || shown.labels.length < 2) return null;
  const { told: shownBy, ...drawn } = shown;
  const list = new Intl.ListFormat(texts.language, { type: 'conjunction' });
  const names = list.format(shownBy.map((name) => nameDimension(name, texts)));
  const unit = measureOf(first).type === 'Decimal' && about.currency !== null ? { currency: about.currency } : 'count';
  return {
    name: 'explore',
    title: texts.t('explore.chart', { measure: nameMeasure(first, texts), by: names }),
    description: texts.t(overTime ? 'explore.linesAbout' : 'explore.barsAbout', { by: names }),
    head: nameDimension(shownBy[0]!, texts),
    unit,
    ...drawn,
  };

  /** A line for each of the largest values of the other dimension, or for each measure. */
  function drawLines(dimension: string, other: string | null, rows: readonly FigureRow[]) {
    const at = fieldOf(dimension);
    const steps = stepsWithin(dimension, rows, about.span);
    const labels = steps.map((key) => nameKey(dimension, key));
    const running = isStep(dimension) && steps.at(-1) === stepAt(about.today, dimension);
    const valuesOf = (own: readonly FigureRow[], measure: string) => {
      const byStep = new Map(own.map((row) => [row[at] ?? null, row[measure] ?? null]));
      return steps.map((key) =>
        byStep.has(key) ? Number(byStep.get(key) ?? Number.NaN) : nothingIn(dimension, key, measure),
      );
    };
    const series =
      other === null
        ? alike.slice(0, MOST_LINES).map((name) => ({ name: nameMeasure(name, texts), values: valuesOf(rows, name) }))
        : largestOf(rows, other)
            .slice(0, MOST_LINES)
            .map((own) => ({ name: nameIn(own[0]!, other, texts), values: valuesOf(own, first) }));
    const told = [dimension, ...(other === null ? [] : [other])];
    return { kind: 'lines' as const, told, labels, running, series: series.map(withoutGaps) };
  }

  /** The rows of each value of a dimension, those with the largest sum first. */
  function largestOf(rows: readonly FigureRow[], dimension: string): FigureRow[][] {
    const sum = (own: readonly FigureRow[]) => own.reduce((whole, row) => whole + Number(row[first] ?? 0), 0);
    return [...Map.groupBy(rows, (row) => row[fieldOf(dimension)] ?? null).values()].toSorted(
      (a, b) => sum(b) - sum(a),
    );
  }

  /** A bar for each of the largest rows; of what has an order of its own, for each. */
  function drawBars() {
    const dimensionsOfRows = by.filter((name) => name !== 'currency');
    const [rows, own] =
      dimensionsOfRows.length > 0
        ? [inCurrency(lists.rows), dimensionsOfRows]
        : [inCurrency(lists.columns), column === null || column === 'currency' ? [] : [column]];
    const [dimension] = own;
    if (dimension === undefined || own.length > MOST_NAMED) return null;
    const known = rows.filter((row) => row[first] != null);
    const inOrder = own.length === 1 && isOrdered(dimension);
    const shownRows = inOrder
      ? known.toSorted((a, b) => compareTimes(a[fieldOf(dimension)] ?? null, b[fieldOf(dimension)] ?? null))
      : known.toSorted((a, b) => Number(b[first]) - Number(a[first])).slice(0, MOST_BARS);
    return {
      kind: 'bars' as const,
      told: own,
      labels: shownRows.map((row) => own.map((name) => nameIn(row, name, texts)).join(', ')),
      series: alike.slice(0, MOST_MEASURES).map((name) => ({
        name: nameMeasure(name, texts),
        values: shownRows.map((row) => (row[name] == null ? null : Number(row[name]))),
      })),
    };
  }

  function nameKey(dimension: string, key: string | null): string {
    if (key !== null && isStep(dimension)) return nameStep(key, dimension, texts.language);
    return nameValue(dimension, key, texts);
  }

  /** What nothing was recorded in is zero where something could have been: neither before the first day nor to come. */
  function nothingIn(dimension: string, key: string | null, measure: string): number {
    const { recordedSince, today } = about;
    if (key === null || recordedSince === null || !isStep(dimension) || measureOf(measure).group.nothing === null)
      return Number.NaN;
    const could = key >= stepAt(recordedSince, dimension) && key <= stepAt(today, dimension);
    return could ? 0 : Number.NaN;
  }
}

function withoutGaps({ name, values }: { readonly name: string; readonly values: readonly number[] }): Series {
  return { name, values: values.map((value) => (Number.isNaN(value) ? null : value)) };
}

const isStep = (dimension: string): dimension is Step => ['day', 'week', 'month'].includes(dimension);

/** The periods of a chart, from left to right: all of the span, or of longer ones those of which there are figures. */
function stepsWithin(dimension: string, rows: readonly FigureRow[], span: DaySpan): (string | null)[] {
  if (isStep(dimension)) return stepsOf(span, dimension);
  const keys = [...new Set(rows.map((row) => (row[fieldOf(dimension)] ?? null) as string | null))];
  return keys.toSorted(compareTimes);
}
