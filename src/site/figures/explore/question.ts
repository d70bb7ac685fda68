import { DIMENSION_NAMES, type DimensionName, dimensionOf } from '../../../oversight/figures/query/dimensions.ts';
import { GROUP_OF_MEASURE, groupOf } from '../../../oversight/figures/query/groups.ts';
import { SLICE_NAMES } from '../../../oversight/figures/query/slice.ts';
import { PRESETS } from '../../../oversight/figures/query/span.ts';
import { refuseValue } from '../../../kernel/refusal.ts';
import type { Filled } from '../../operations/fields.ts';
import { say } from '../../../kernel/text/said.ts';

/** A question about figures, as its address says it. What it names may not exist: the graph refuses that. */
export type Question = ReturnType<typeof readQuestion>;

/** Default question. */
const FIRST = new URLSearchParams('by=agency&measures=net&measures=payments&preset=last_30_days');

/** Parameters of a question's answer that are no part of the question. */
const NOT_ASKED = ['page', 'charted', 'format', 'part'];

const isDimension = (name: string): name is DimensionName => (DIMENSION_NAMES as readonly string[]).includes(name);

/** True if a dimension is a period: a day, a week, a month or longer. */
export const isPeriod = (name: string): boolean => isDimension(name) && dimensionOf(name).period !== undefined;

/** True if the values of a dimension have an order of their own: that of time. */
export const isOrdered = (name: string): boolean => isPeriod(name) || name === 'weekday' || name === 'hour';

/** A measure with its group: what it is null for, and whether it is an amount. */
export function measureOf(name: string) {
  const figures = GROUP_OF_MEASURE.get(name)!;
  const group = groupOf(figures);
  return { figures, group, ...group.measures[name]! };
}

/** True if there are figures of a measure by some dimensions. */
export function isKeptBy(measure: string, dimensions: readonly string[]): boolean {
  const group = GROUP_OF_MEASURE.get(measure);
  const kept: readonly string[] = group === undefined ? [] : groupOf(group).dimensions;
  return group !== undefined && dimensions.every((name) => kept.includes(name));
}

export function readQuestion(asked: URLSearchParams) {
  const isAsked = [...asked].some(([name, value]) => value !== '' && !NOT_ASKED.includes(name));
  const query = isAsked ? asked : new URLSearchParams([...FIRST, ...asked]);
  const all = (name: string) => [...new Set(query.getAll(name).map((value) => value.trim()))].filter(Boolean);
  const [column = null] = all('columns');
  const by = inOrder(all('by').filter((name) => name !== column));
  const measures = all('measures').length > 0 ? all('measures') : ['net'];
  const span = ['preset', 'fromDate', 'toDate'].flatMap((name) =>
    all(name)
      .slice(0, 1)
      .map((value) => [name, value]),
  );
  const slice = SLICE_NAMES.map((name) => [name, all(name)] as const).filter(([, values]) => values.length > 0);
  const dimensions = column === null ? by : [...by, column];
  const kept = [...dimensions, ...slice.map(([name]) => name)];
  const lead = measures.find((name) => isKeptBy(name, kept)) ?? measures[0]!;
  return {
    /** The address that says it, whole: that of the first question too, which a bare address means. */
    query,
    by,
    /** The dimension whose values are columns; null where the measures are. */
    column,
    /** Dimensions of rows and columns. */
    dimensions,
    measures,
    /** The first of its measures that all its dimensions keep: what it is ordered by, and its chart. */
    lead,
    slice: Object.fromEntries(slice) as Readonly<Record<string, readonly string[]>>,
    /** Its days: a preset, or the first and the last. */
    span: Object.fromEntries(span) as Readonly<Record<string, string>>,
    timeZone: all('timeZone')[0] ?? 'country',
    /** Order of rows; null for the values of their dimensions. */
    order: readOrder(all('order')[0], all('direction')[0], by, measures, lead),
  };
}

/** Dimensions in the order in which rows have them. */
function inOrder(by: readonly string[]): string[] {
  const place = (name: string) => (isDimension(name) ? DIMENSION_NAMES.indexOf(name) : DIMENSION_NAMES.length);
  return by.toSorted((a, b) => place(a) - place(b));
}

/** The order that is asked for, unless the question no longer has what it names; else that of time, or the largest first. */
function readOrder(
  name: string | undefined,
  direction: string | undefined,
  by: readonly string[],
  measures: readonly string[],
  lead: string,
) {
  const isKnown = name !== undefined && (isDimension(name) || GROUP_OF_MEASURE.has(name));
  const isGone = isKnown && ![...by, ...measures].includes(name);
  if (name !== undefined && !isGone) return { name, direction: direction ?? (by.includes(name) ? 'asc' : 'desc') };
  return by.length === 0 || by.some(isOrdered) ? null : { name: lead, direction: 'desc' };
}

/** The variables of the question's cells as one list of rows: those of files, and of the operation that is shown. */
export function listVariables({ by, dimensions, measures, slice, span, timeZone, order }: Question): Filled {
  const orderBy = order && [
    { [by.includes(order.name) ? 'dimension' : 'measure']: order.name, direction: order.direction },
  ];
  return {
    by: inOrder(dimensions),
    measures,
    ...span,
    ...(Object.keys(slice).length > 0 && { slice }),
    timeZone,
    ...(orderBy && { orderBy }),
  };
}

/** The variables that the page asks with. */
export function variablesOf(question: Question): Filled {
  const { by, column, dimensions } = question;
  const { preset, ...days } = question.span;
  const hasDays = Object.keys(days).length > 0;
  if (preset && hasDays) throw refuseValue('preset', say`cannot be combined with ${'days'}`);
  return {
    ...listVariables(question),
    by,
    ...(column !== null && { cells: inOrder(dimensions), columns: [column], pivoted: 'true' }),
    ...(preset && { span: { preset } }),
    ...(hasDays && { span: { days } }),
  };
}

export const PRESET_NAMES = Object.keys(PRESETS) as readonly string[];
