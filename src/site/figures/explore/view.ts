import type { Texts } from '../../languages/texts.ts';
import type { DaySpan } from '../days.ts';
import { type Changes, linkTo } from '../links.ts';
import { chartFigures } from './chart.ts';
import { writeOperation } from './graph.ts';
import { type FigureRow, nameDimension, nameMeasure, nameValue } from './names.ts';
import { type Question, isKeptBy, listVariables, readQuestion } from './question.ts';
import { type Lists, makeTable } from './table.ts';

const PATH = '/oversight/explore';

/** Answer of `pages/oversight/explore`; without its parts if the question was refused. */
interface ExploreAnswer extends Partial<Lists> {
  readonly recordedSince: string | null;
  readonly about?: { readonly span: DaySpan; readonly asOf: string };
}

interface Shown {
  readonly query: URLSearchParams;
  readonly texts: Texts;
  readonly today: string;
  /** The agencies that filters may name. */
  readonly agencies: readonly { readonly id: string; readonly name: string }[];
}

/** The answer to a question as its page shows it; null where the question was refused. */
export function viewFigures(answer: ExploreAnswer, { query, texts, today, agencies }: Shown) {
  const { about, rows, totals, recordedSince } = answer;
  if (!about || !rows || !totals) return null;
  const question = readQuestion(query);
  const { dimensions, measures, slice } = question;
  const lists = { ...answer, rows, totals };
  const table = makeTable(question, lists, Number.parseInt(query.get('page') ?? '', 10) || 1, texts);
  const link = (changes: Changes) => linkTo(PATH, question.query, { page: null, ...changes });
  const pageAt = (other: number) => (other < 1 || other > table.last ? null : link({ page: String(other) }));
  const currencies = totals.nodes.flatMap((row) => (row['currency'] === null ? [] : [String(row['currency'])]));
  const currency = currencies.find((one) => one === query.get('charted')) ?? largestIn(totals.nodes, question);
  const asked = [...dimensions, ...Object.keys(slice)];
  const nameChosen = (dimension: string, value: string) =>
    agencies.find(({ id }) => dimension === 'agency' && id === value)?.name ?? nameValue(dimension, value, texts);
  return {
    ...about,
    title: titleOf(question, texts),
    table,
    pages: { previous: pageAt(table.page - 1), next: pageAt(table.page + 1) },
    /** Ordering by a head: its link, and the present order. */
    orderOf: (name: string) => orderOf(question, name, link),
    chosen: Object.entries(slice).flatMap(([dimension, values]) =>
      values.map((value) => ({
        dimension: nameDimension(dimension, texts),
        name: nameChosen(dimension, value),
        link: linkWithout(question.query, dimension, value),
      })),
    ),
    /** The currencies of the chart, where there is more than one. */
    currencies: (currencies.length > 1 ? currencies : []).map((one) => ({
      currency: one,
      link: link({ charted: one }),
      isCharted: one === currency,
    })),
    chart: chartFigures(question, lists, { span: about.span, currency, recordedSince, today }, texts),
    /** Measures that are not kept by what is asked for, so that nothing was found of them. */
    notKept: measures
      .filter((name) => rows.nodes.length === 0 && !isKeptBy(name, asked))
      .map((name) => nameMeasure(name, texts)),
    graph: writeOperation(question),
    fileOf: (ending: string) => `/oversight/files/explore.${ending}?${fileQuery(question, about.span)}`,
  };
}

/** Title of a question: `Net revenue, Payments by Agency`. */
function titleOf({ dimensions, measures }: Question, texts: Texts): string {
  const { t, join } = texts;
  const measure = join(measures.map((name) => nameMeasure(name, texts)));
  const by = join(dimensions.map((name) => nameDimension(name, texts)));
  return by === '' ? measure : t('explore.chart', { measure, by });
}

/** Currency with most of the leading measure; null if figures are not told by currency. */
function largestIn(totals: readonly FigureRow[], { lead }: Question): string | null {
  const [row] = totals.toSorted((a, b) => Number(b[lead] ?? 0) - Number(a[lead] ?? 0));
  return (row?.['currency'] ?? null) as string | null;
}

/** A head that rows are ordered by turns them round; another begins with the largest figure, or the first value. */
function orderOf({ order, by }: Question, name: string, link: (changes: Changes) => string) {
  const isTime = order === null && name === by[0];
  const now = order?.name === name ? order.direction : isTime ? 'asc' : null;
  const first = by.includes(name) ? 'asc' : 'desc';
  const direction = now === null ? first : now === 'asc' ? 'desc' : 'asc';
  const sorted = now === null ? null : now === 'asc' ? ('ascending' as const) : ('descending' as const);
  return { link: link({ order: name, direction }), sorted };
}

/** The address of a question without one of the values that it is limited to. */
function linkWithout(query: URLSearchParams, name: string, value: string): string {
  const others = new URLSearchParams([...query].filter(([one, said]) => one !== name || said.trim() !== value));
  return linkTo(PATH, others, { page: null });
}

/** The query of a file with the same rows: what is asked of the graph, each value by its name, and the days. */
function fileQuery(question: Question, { fromDate, toDate }: DaySpan): URLSearchParams {
  const { by, order } = question;
  const { slice, orderBy: _list, preset: _preset, ...variables } = listVariables(question);
  const ordered = order && {
    [by.includes(order.name) ? 'orderByDimension' : 'orderBy']: order.name,
    direction: order.direction,
  };
  const values = Object.entries({ ...variables, fromDate, toDate, ...ordered, ...(slice as object | undefined) });
  return new URLSearchParams(
    values.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );
}
