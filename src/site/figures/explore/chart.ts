import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, nameStep, stepAt, stepsOf } from '../days.ts';
import { type Nodes, type Recorded, drawPanel, isRecordedIn } from '../panel.ts';
import { type FigureRow, compareTimes, fieldOf, nameDimension, nameIn, nameMeasure, nameValue } from './names.ts';
import { type Question, isOrdered, isPeriod, measureOf } from './question.ts';
import type { Lists } from './table.ts';

/** Most lines of a chart, as many as there are tones; and most bars, and measures of bars. */
const MOST_LINES = 6;
const MOST_BARS = 15;
const MOST_MEASURES = 3;
/** Most dimensions in the label of a bar. */
const MOST_NAMED = 2;

interface Charted extends Recorded {
  readonly span: DaySpan;
  /** The currency of the amounts; null where figures are not told by currency. */
  readonly currency: string | null;
}

/** The chart that fits a question: lines over time, bars of anything else; null where it would say nothing. */
export function chartFigures(question: Question, lists: Lists, about: Charted, texts: Texts): Chart | null {
  const { by, column, measures, lead } = question;
  const { type } = measureOf(lead);
  if (type === 'DateTime') return null;
  const alike = [lead, ...measures.filter((name) => name !== lead && measureOf(name).type === type)];
  const inCurrency = (list: Nodes<FigureRow> | undefined) =>
    (list?.nodes ?? []).filter((row) => row['currency'] === about.currency);
  const isNamed = (name: string) => name !== 'currency';
  const dimensions = question.dimensions.filter(isNamed);
  const time = dimensions.find(isPeriod);
  const others = dimensions.filter((name) => name !== time);
  if (time !== undefined && others.length <= 1)
    return drawLines(time, others[0], inCurrency(column === null ? lists.rows : lists.cells));
  const ofRows = by.filter(isNamed);
  return ofRows.length > 0 ? drawBars(ofRows, lists.rows) : drawBars(dimensions, lists.columns);

  /** Description of a chart, by the dimensions that it shows. */
  function describe(kind: 'lines' | 'bars', shown: readonly string[]) {
    const names = shown.map((name) => nameDimension(name, texts));
    const list = texts.join(names);
    return {
      kind,
      name: 'explore',
      title: texts.t('explore.chart', { measure: nameMeasure(lead, texts), by: list }),
      description: texts.t(`explore.${kind}About`, { by: list }),
      head: names[0]!,
      unit: type === 'Decimal' && about.currency !== null ? { currency: about.currency } : ('count' as const),
    };
  }

  /** A line for each of the largest values of the other dimension, or for each measure. */
  function drawLines(period: string, other: string | undefined, rows: readonly FigureRow[]) {
    const at = fieldOf(period);
    const steps = isStep(period) ? stepsOf(about.span, period) : listPeriods(rows, at);
    const isKnown = isStep(period) ? isRecordedIn(period, about) : () => false;
    const lineOf = (name: string, own: readonly FigureRow[], measure: string) => {
      const byStep = new Map(own.map((row) => [row[at] ?? null, row]));
      const figure = figureOf(measure);
      const isZero = measureOf(measure).group.nothing !== null;
      const nothing = (key: string | null) => (isZero && key !== null && isKnown(key) ? 0 : null);
      const of = (key: string | null) => (byStep.has(key) ? figure(byStep.get(key)!) : nothing(key));
      return { name, of };
    };
    if (steps.length < 2) return null;
    return drawPanel({
      ...describe('lines', other === undefined ? [period] : [period, other]),
      rows: steps,
      label: (key) =>
        key !== null && isStep(period) ? nameStep(key, period, texts.language) : nameValue(period, key, texts),
      running: isStep(period) && steps.at(-1) === stepAt(about.today, period),
      columns:
        other === undefined
          ? alike.slice(0, MOST_LINES).map((measure) => lineOf(nameMeasure(measure, texts), rows, measure))
          : largestOf(rows, other).map((own) => lineOf(nameIn(own[0]!, other, texts), own, lead)),
    });
  }

  /** The rows of each value of a dimension, those with the largest sum first. */
  function largestOf(rows: readonly FigureRow[], dimension: string): FigureRow[][] {
    const sum = (own: readonly FigureRow[]) => own.reduce((whole, row) => whole + Number(row[lead] ?? 0), 0);
    const groups = [...Map.groupBy(rows, (row) => row[fieldOf(dimension)] ?? null).values()];
    return groups.toSorted((a, b) => sum(b) - sum(a)).slice(0, MOST_LINES);
  }

  /** A bar for each of the largest rows; of what has an order of its own, for each. */
  function drawBars(own: readonly string[], list: Nodes<FigureRow> | undefined) {
    const [first] = own;
    if (first === undefined || own.length > MOST_NAMED) return null;
    const known = inCurrency(list).filter((row) => row[lead] != null);
    const valueOf = (row: FigureRow) => row[fieldOf(first)] ?? null;
    const rows =
      own.length === 1 && isOrdered(first)
        ? known.toSorted((a, b) => compareTimes(valueOf(a), valueOf(b)))
        : known.toSorted((a, b) => Number(b[lead]) - Number(a[lead])).slice(0, MOST_BARS);
    if (rows.length < 2) return null;
    return drawPanel({
      ...describe('bars', own),
      rows,
      label: (row) => own.map((name) => nameIn(row, name, texts)).join(', '),
      columns: alike.slice(0, MOST_MEASURES).map((name) => ({ name: nameMeasure(name, texts), of: figureOf(name) })),
    });
  }
}

const isStep = (dimension: string): dimension is Step => ['day', 'week', 'month'].includes(dimension);

const figureOf = (measure: string) => (row: FigureRow) => (row[measure] == null ? null : Number(row[measure]));

/** Those of quarters and years of which there are figures, from left to right. */
function listPeriods(rows: readonly FigureRow[], at: string): (string | null)[] {
  return [...new Set(rows.map((row) => (row[at] ?? null) as string | null))].toSorted(compareTimes);
}
