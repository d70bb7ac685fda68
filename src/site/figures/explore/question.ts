import { DIMENSION_NAMES, type DimensionName, dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { GROUP_OF_MEASURE, groupOf } from '../../../oversight/figures/query/groups.ts';
import { SLICE_NAMES, type SliceName } from '../../../oversight/figures/query/slice.ts';
import { PRESETS } from '../../../oversight/figures/query/span.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import type { Filled } from '../../operations/fields.ts';
import { say } from '../../../kernel/text/said.ts';

export type Direction = 'asc' | 'desc';

/** A question about figures, as its address says it. What it names may not exist: the graph refuses that. */
export interface Question {
  /** The address that says it, whole: that of the first question too, which a bare address means. */
  readonly query: URLSearchParams;
  readonly by: readonly string[];
  /** The dimension whose values are columns; null where the measures are. */
  readonly column: string | null;
  readonly measures: readonly string[];
  /** The first of its measures that is kept by all dimensions of the question: what it is ordered by, and its chart. */
  readonly lead: string;
  readonly slice: { readonly [Name in SliceName]?: readonly string[] };
  /** What its days are: a preset, or the first and the last. */
  readonly span: { readonly preset?: string; readonly fromDate?: string; readonly toDate?: string };
  readonly timeZone: string;
  /** What rows are ordered by; null for the values of their dimensions. */
  readonly order: { readonly name: string; readonly direction: Direction } | null;
}

/** What is asked where nothing is said. */
const FIRST = new URLSearchParams('by=agency&measures=net&measures=payments&preset=last_30_days');

/** Where a question is in an answer, which is no part of it. */
const NOT_ASKED = ['page', 'charted', 'format', 'part'];

export const isDimension = (name: string): name is DimensionName =>
  (DIMENSION_NAMES as readonly string[]).includes(name);
export const isMeasure = (name: string): boolean => GROUP_OF_MEASURE.has(name);

/** A measure with its group: what it is null for, and whether it is an amount. */
export function measureOf(name: string) {
  const figures = GROUP_OF_MEASURE.get(name)!;
  const group = groupOf(figures);
  return { figures, group, ...group.measures[name]! };
}

/** Whether there are figures of a measure by some dimensions. */
export function isKeptBy(measure: string, dimensions: readonly string[]): boolean {
  const group = GROUP_OF_MEASURE.get(measure);
  return (
    group !== undefined && dimensions.every((name) => (groupOf(group).dimensions as readonly string[]).includes(name))
  );
}

/** Whether the values of a dimension have an order of their own: that of time. */
export function isOrdered(name: string): boolean {
  return isDimension(name) && (dimensionOf(name).period !== undefined || name === 'weekday' || name === 'hour');
}

export function readQuestion(asked: URLSearchParams): Question {
  const isAsked = [...asked].some(([name, value]) => value !== '' && !NOT_ASKED.includes(name));
  const query = isAsked ? asked : new URLSearchParams([...FIRST, ...asked]);
  const all = (name: string) => [...new Set(query.getAll(name).map((value) => value.trim()))].filter(Boolean);
  const [column = null] = all('columns');
  const by = all('by').filter((name) => name !== column);
  const measures = all('measures');
  const [[preset], [fromDate], [toDate]] = [all('preset'), all('fromDate'), all('toDate')];
  const slice = SLICE_NAMES.map((name) => [name, all(name)] as const).filter(([, values]) => values.length > 0);
  const shown = measures.length > 0 ? measures : ['net'];
  const dimensions = [...by, ...(column === null ? [] : [column]), ...slice.map(([name]) => name)];
  const lead = shown.find((name) => isKeptBy(name, dimensions)) ?? shown[0]!;
  return {
    query,
    by: inOrder(by),
    column,
    measures: shown,
    slice: Object.fromEntries(slice),
    span: { ...(preset && { preset }), ...(fromDate && { fromDate }), ...(toDate && { toDate }) },
    timeZone: all('timeZone')[0] ?? 'country',
    lead,
    order: readOrder({ name: all('order')[0], direction: all('direction')[0] }, { by, measures: shown, lead }),
  };
}

/** Dimensions in the order in which rows have them. */
function inOrder(by: readonly string[]): string[] {
  const place = (name: string) => (isDimension(name) ? DIMENSION_NAMES.indexOf(name) : DIMENSION_NAMES.length);
  return by.toSorted((a, b) => place(a) - place(b));
}

/** The order that is asked for, unless the question has what it names no more; else time as it goes by, or the largest first. */
function readOrder(
  { name, direction }: { readonly name: string | undefined; readonly direction: string | undefined },
  { by, measures, lead }: Pick<Question, 'by' | 'measures' | 'lead'>,
): Question['order'] {
  const isGone = name !== undefined && (isDimension(name) || isMeasure(name)) && ![...by, ...measures].includes(name);
  if (name !== undefined && !isGone)
    return { name, direction: (direction ?? (by.includes(name) ? 'asc' : 'desc')) as Direction };
  return by.length === 0 || by.some(isOrdered) ? null : { name: lead, direction: 'desc' };
}

/** How the graph is asked for the order of rows. */
function orderOf({ order, by }: Question): Filled {
  if (!order) return {};
  const { name, direction } = order;
  return { orderBy: [{ [by.includes(name) ? 'dimension' : 'measure']: name, direction }] };
}

/** The variables of the question's cells as one list of rows: those of files, and of the operation that is shown. */
export function listVariables(question: Question): Filled {
  const { by, column, measures, slice, span, timeZone } = question;
  return {
    by: column === null ? by : inOrder([...by, column]),
    measures,
    ...span,
    ...(Object.keys(slice).length > 0 && { slice }),
    timeZone,
    ...orderOf(question),
  };
}

/** The variables that the page asks with. */
export function variablesOf(question: Question): Filled {
  const { by, column } = question;
  const { preset, ...days } = question.span;
  const hasDays = Object.keys(days).length > 0;
  if (preset && hasDays) throw refuseValue('preset', say`cannot be combined with ${'days'}`);
  return {
    ...listVariables(question),
    by,
    ...(column !== null && { cells: inOrder([...by, column]), columns: [column], pivoted: 'true' }),
    ...(preset && { span: { preset } }),
    ...(hasDays && { span: { days } }),
  };
}

export const PRESET_NAMES = Object.keys(PRESETS) as readonly string[];
