import type { Chart } from '../charts/chart.ts';
import type { Texts } from '../languages/texts.ts';
import { type DaySpan, type Step, daysIn, nameStep, periodsOf, stepsOf } from './days.ts';

/** A row by days, weeks or months. */
interface StepRow {
  readonly currency: string;
  readonly day: string | null;
  readonly week: string | null;
  readonly month: string | null;
  readonly net: number;
}

interface Compared {
  readonly currency: string;
  readonly current: number;
  readonly before: number;
  readonly yearAgo: number;
  readonly difference: number;
  readonly changeOnBefore: number | null;
  readonly changeOnYearAgo: number | null;
}

interface PartRow extends Compared {
  readonly agencyId: string | null;
  readonly agency: { readonly mdaName: string } | null;
  readonly sector: string | null;
  readonly family: string | null;
  readonly serviceId: string | null;
  readonly serviceName: string | null;
  readonly channel: string | null;
  readonly country: string | null;
  readonly region: string | null;
  readonly district: string | null;
  readonly station: string | null;
}

interface Target {
  readonly agencyId: string;
  readonly currency: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly target: number;
}

interface Nodes<T> {
  readonly nodes: readonly T[];
}

/** What `rooms/oversight/revenue` answers. */
export interface RevenueAnswer {
  readonly span: DaySpan;
  readonly totals: Nodes<Compared>;
  readonly steps: Nodes<StepRow>;
  readonly before: Nodes<StepRow>;
  readonly yearAgo: Nodes<StepRow>;
  readonly parts: Nodes<PartRow>;
  readonly targets: readonly Target[] | null;
}

/** Agencies by their code, for those of which there is no row. */
type Agencies = readonly { readonly id: string; readonly mdaName: string }[];

/** By what revenue is taken apart on the page, and the filter that goes with it: from the whole to its parts. */
export const PARTS = [
  'sector',
  'family',
  'service',
  'mda',
  'channel',
  'station',
  'country',
  'region',
  'district',
] as const;
export type Part = (typeof PARTS)[number];

/** The filters of the page. */
export const FILTERS = [
  'mda',
  'sector',
  'family',
  'service',
  'channel',
  'country',
  'region',
  'district',
  'station',
] as const;

/** The way down: what a part is taken apart by next, unless that has been chosen. */
const DOWN: readonly Part[] = ['sector', 'family', 'service', 'mda', 'channel'];

const MOST_BARS = 15;

/** A part of revenue, as the page shows it. */
interface ShownPart extends Compared {
  readonly key: string | null;
  readonly name: string;
  /** Where it is taken apart itself. */
  readonly link: string | null;
}

interface RevenueView {
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly step: Step;
  readonly by: Part;
  readonly total: Compared | null;
  readonly parts: readonly ShownPart[];
  /** What the page is narrowed to, with where it is not. */
  readonly chosen: readonly { readonly filter: Part; readonly name: string; readonly link: string }[];
  readonly charts: { readonly steps: Chart; readonly parts: Chart | null; readonly shares: Chart | null };
  /** The address of the page with something else in its query; what is null is left out. */
  readonly link: (changes: Readonly<Record<string, string | null>>) => string;
}

interface Asked {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly texts: Pick<Texts, 't' | 'language'>;
  readonly agencies: Agencies;
}

/** Revenue over time and by its parts, in one currency: that which is asked for, or in which most was collected. */
export function viewRevenue(answer: RevenueAnswer, { query, path, texts, agencies }: Asked): RevenueView {
  const { t, language } = texts;
  const currencies = answer.totals.nodes.map(({ currency }) => currency);
  const currency = currencies.find((one) => one === query.get('currency')) ?? largestOf(answer.totals.nodes);
  const step = stepOf(query);
  const by = PARTS.find((part) => part === query.get('by')) ?? 'mda';
  const link = (changes: Readonly<Record<string, string | null>>) => linkTo(path, query, changes);
  const next = DOWN.find((part) => part !== by && !query.get(part)) ?? null;
  const parts = answer.parts.nodes
    .filter((row) => row.currency === currency)
    .map((row): ShownPart => {
      const key = keyOf(row, by);
      const down =
        key === null || next === null ? null : link({ [by]: key, by: next, ...(by === 'service' && { of: by }) });
      return { ...row, key, name: nameOf(row, by, texts), link: down };
    });
  const chosen = FILTERS.flatMap((filter) => {
    const value = query.get(filter);
    if (!value) return [];
    return [
      {
        filter,
        name: nameChosen(value, filter),
        link: link({ [filter]: null, ...(filter === 'service' && { of: null }) }),
      },
    ];
  });
  return {
    currency,
    currencies,
    step,
    by,
    total: answer.totals.nodes.find((row) => row.currency === currency) ?? null,
    parts,
    chosen,
    charts: {
      steps: chartSteps(
        answer,
        currency,
        step,
        chosen.every(({ filter }) => filter === 'mda'),
        texts,
      ),
      parts: chartParts(parts.slice(0, MOST_BARS), currency, t(`oversight.by.${by}`), texts),
      shares: chartShares(parts, currency, t(`oversight.by.${by}`), texts),
    },
    link,
  };

  function nameChosen(value: string, filter: Part): string {
    const row = answer.parts.nodes.find((one) => keyOf(one, filter) === value);
    if (row) return nameOf(row, filter, texts);
    const agency = filter === 'mda' ? agencies.find(({ id }) => id === value) : undefined;
    return agency?.mdaName ?? nameKey(value, filter, texts);
  }

  function stepOf(asked: URLSearchParams): Step {
    const said = asked.get('step');
    return said === 'week' || said === 'month' ? said : 'day';
  }

  function chartSteps(
    { span, steps, before, yearAgo, targets }: RevenueAnswer,
    unit: string,
    length: Step,
    hasTarget: boolean,
    { t: say }: Asked['texts'],
  ): Chart {
    const keys = stepsOf(span, length);
    const others = periodsOf(span);
    const target = hasTarget ? targetsOf(targets ?? [], unit, span, length) : null;
    return {
      kind: 'lines',
      name: 'revenue',
      title: say(`oversight.over.${length}`),
      description: say('oversight.overAbout', { from: span.fromDate, to: span.toDate, currency: unit }),
      head: say(`oversight.step.${length}`),
      labels: keys.map((key) => nameStep(key, length, language)),
      unit: { currency: unit },
      series: [
        { name: say('oversight.current'), values: valuesOf(steps.nodes, unit, keys, length) },
        compared(say('oversight.before'), before.nodes, stepsOf(others.before, length)),
        compared(say('oversight.yearAgo'), yearAgo.nodes, stepsOf(others.yearAgo, length)),
        ...(target ? [{ name: say('oversight.target'), values: target, as: 'target' as const }] : []),
      ],
    };

    /** A period beside another: the first day beside the first. */
    function compared(name: string, rows: readonly StepRow[], own: readonly string[]) {
      const values = valuesOf(rows, unit, own, length);
      return { name, values: keys.map((_key, index) => values[index] ?? null), as: 'comparison' as const };
    }
  }
}

function largestOf(totals: readonly Compared[]): string {
  return totals.toSorted((a, b) => b.current - a.current)[0]?.currency ?? 'UGX';
}

function valuesOf(rows: readonly StepRow[], currency: string, keys: readonly string[], step: Step): number[] {
  const net = new Map(rows.filter((row) => row.currency === currency).map((row) => [row[step], row.net]));
  return keys.map((key) => net.get(key) ?? 0);
}

/** What agencies should collect in each step: as much of the year's target as the step has of its days; null without. */
function targetsOf(targets: readonly Target[], currency: string, span: DaySpan, step: Step): number[] | null {
  const own = targets.filter((target) => target.currency === currency);
  if (own.length === 0) return null;
  const aDay = own.reduce(
    (sum, { target, fromDate, toDate }) => sum + target / daysIn({ fromDate, toDate }, 'day').size,
    0,
  );
  return [...daysIn(span, step).values()].map((days) => Math.round(aDay * days));
}

function chartParts(parts: readonly ShownPart[], currency: string, by: string, { t }: Asked['texts']): Chart | null {
  if (parts.length === 0) return null;
  return {
    kind: 'bars',
    name: 'comparison',
    title: t('oversight.compared', { by }),
    description: t('oversight.comparedAbout', { currency }),
    head: by,
    labels: parts.map(({ name }) => name),
    links: parts.map(({ link }) => link),
    unit: { currency },
    series: [
      { name: t('oversight.current'), values: parts.map(({ current }) => current) },
      { name: t('oversight.before'), values: parts.map(({ before }) => before), as: 'comparison' },
    ],
  };
}

function chartShares(parts: readonly ShownPart[], currency: string, by: string, { t }: Asked['texts']): Chart | null {
  const some = parts.filter(({ current }) => current > 0);
  if (some.length < 2) return null;
  return {
    kind: 'treemap',
    name: 'shares',
    title: t('oversight.shares', { by }),
    description: t('oversight.sharesAbout', { currency }),
    head: by,
    labels: some.map(({ name }) => name),
    links: some.map(({ link }) => link),
    unit: { currency },
    series: [{ name: t('oversight.current'), values: some.map(({ current }) => current) }],
  };
}

function keyOf(row: PartRow, part: Part): string | null {
  if (part === 'mda') return row.agencyId;
  return part === 'service' ? row.serviceId : row[part];
}

/** What a part is called. */
function nameOf(row: PartRow, part: Part, texts: Asked['texts']): string {
  const key = keyOf(row, part);
  if (key === null) return texts.t('oversight.none');
  if (part === 'mda') return row.agency?.mdaName ?? key;
  if (part === 'service') return row.serviceName ?? key;
  return nameKey(key, part, texts);
}

function nameKey(key: string, part: Part, { t, language }: Asked['texts']): string {
  if (part === 'channel') return t(`channel.${key}`);
  if (part === 'station') return t(`oversight.station.${key}`);
  if (part === 'country') return new Intl.DisplayNames(language, { type: 'region' }).of(key) ?? key;
  return key;
}

/** An address with something else in its query. */
export function linkTo(path: string, query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const changed = new URLSearchParams(query);
  for (const name of ['first', 'after', 'last', 'before', 'done']) changed.delete(name);
  for (const [name, value] of Object.entries(changes))
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  for (const name of new Set(changed.keys())) if (changed.get(name) === '') changed.delete(name);
  const said = changed.toString();
  return said === '' ? path : `${path}?${said}`;
}
