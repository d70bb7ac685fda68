import type { Chart } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, dayBefore, isRecorded, periodsOf, stepsOf } from '../days.ts';
import { linkTo } from '../links.ts';
import { type Happened, marksOf, whereOf } from '../why/marks.ts';
import {
  type Compared,
  MOST_BARS,
  PARTS,
  type Part,
  type PartRow,
  type ShownPart,
  chartParts,
  keyOf,
  nameKey,
  nameOf,
} from './parts.ts';
import { NO_STEPS, type Steps, type StepsOfTotal, type Target, chartSteps } from './steps.ts';

interface Nodes<T> {
  readonly nodes: readonly T[];
}

/** What `pages/oversight/revenue` answers. */
export interface RevenueAnswer
  extends Pick<Steps, 'targets' | 'recordedSince'>, Partial<Pick<Happened, 'fees' | 'health' | 'holidays'>> {
  readonly totals: Nodes<Compared & StepsOfTotal> & { readonly span: DaySpan };
  /** The same up to yesterday, where the period goes on: whole days are compared with whole days. */
  readonly whole?: Nodes<Compared>;
  readonly parts: Nodes<PartRow>;
  /** The parts that charts show, on later pages of the table. */
  readonly charted?: Nodes<PartRow>;
}

/** Agencies by their code, for those of which there is no row. */
type Agencies = readonly { readonly id: string; readonly name: string; readonly country: string }[];

/** The filters of the page. */
export const FILTERS = [
  'agency',
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
const DOWN: readonly Part[] = ['sector', 'family', 'service', 'agency', 'channel'];

/** What was collected, compared with another period. */
interface Against {
  readonly period: 'before' | 'yearAgo';
  /** Whether enough of that period was recorded to be compared with. */
  readonly recorded: boolean;
  readonly amount: number;
  /** Null where nothing was collected then. */
  readonly change: number | null;
}

interface RevenueView {
  readonly currency: string;
  /** Those in which something was collected, if that is not the one that is shown alone. */
  readonly currencies: readonly string[];
  readonly step: Step;
  readonly by: Part;
  readonly total: Compared | null;
  readonly against: readonly Against[];
  /** Of which other periods there is enough to compare parts with. */
  readonly recorded: Readonly<Record<'before' | 'yearAgo', boolean>>;
  /** Whether the period goes on: today is part of it, and of no other. */
  readonly running: boolean;
  readonly parts: readonly ShownPart[];
  /** What the page is narrowed to, with where it is not. */
  readonly chosen: readonly { readonly filter: Part; readonly name: string; readonly link: string }[];
  readonly charts: { readonly steps: Chart; readonly parts: Chart | null };
  /** Why there is no line of what should be collected; null where there is one. */
  readonly noTarget: 'narrowed' | 'none' | null;
  /** Where it is said why the whole rose or fell; null where there is nothing to compare with. */
  readonly why: string | null;
  /** The address of the page with something else in its query; what is null is left out. */
  readonly link: (changes: Readonly<Record<string, string | null>>) => string;
}

interface Asked {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly texts: Texts;
  readonly agencies: Agencies;
  /** The clock of the rail. */
  readonly timeZone: string;
  /** The day that it is. */
  readonly today: string;
}

/** Revenue over time and by its parts, in one currency: that which is asked for, or in which most was collected. */
export function viewRevenue(
  answer: RevenueAnswer,
  { query, path, texts, agencies, today, timeZone }: Asked,
): RevenueView {
  const { t } = texts;
  const currencies = answer.totals.nodes.map(({ currency }) => currency);
  const currency = query.get('currency') ?? largestOf(answer.totals.nodes);
  const step = stepOf(query);
  const by = PARTS.find((part) => part === query.get('by')) ?? 'agency';
  const link = (changes: Readonly<Record<string, string | null>>) => linkTo(path, query, changes);
  const { recordedSince } = answer;
  const { span } = answer.totals;
  const recorded = recordedOf(span, recordedSince);
  // Whole days are compared with whole days.
  const over = { fromDate: span.fromDate, toDate: span.toDate < today ? span.toDate : dayBefore(today, 1) };
  const why = (part: Readonly<Record<string, string>>) =>
    recorded.before && over.fromDate <= over.toDate
      ? linkTo('/oversight/why', query, { by: null, of: null, step: null, order: null, currency, ...over, ...part })
      : null;
  const next = DOWN.find((part) => part !== by && !query.get(part)) ?? null;
  const totalIn = <T extends Compared>({ nodes }: Nodes<T>) => nodes.find((row) => row.currency === currency);
  const total = totalIn(answer.totals) ?? null;
  const show = (row: PartRow): ShownPart => {
    const key = keyOf(row, by);
    const down =
      key === null || next === null ? null : link({ [by]: key, by: next, ...(by === 'service' && { of: by }) });
    const share = total && total.current > 0 ? row.current / total.current : null;
    return {
      ...row,
      key,
      name: nameOf(row, by, texts),
      share,
      link: down,
      why: key === null ? null : why({ [by]: key }),
    };
  };
  const partsIn = ({ nodes }: Nodes<PartRow>) => nodes.filter((row) => row.currency === currency).map(show);
  const parts = partsIn(answer.parts);
  const charted = answer.charted ? partsIn(answer.charted) : parts;
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
  const whole = answer.whole && totalIn(answer.whole);
  const compared = whole ?? totalIn(answer.totals);
  const recordedWhole = whole ? recordedOf({ ...span, toDate: dayBefore(today, 1) }, recordedSince) : recorded;
  const against: Against[] = compared
    ? [
        { period: 'before', recorded: recordedWhole.before, amount: compared.before, change: compared.changeOnBefore },
        {
          period: 'yearAgo',
          recorded: recordedWhole.yearAgo,
          amount: compared.yearAgo,
          change: compared.changeOnYearAgo,
        },
      ]
    : [];
  const happened = { fees: null, health: null, holidays: null, ...answer, anomalies: null };
  const marks = marksOf(happened, step === 'day' ? stepsOf(span, 'day') : [], {
    texts,
    timeZone,
    ...whereOf(query, agencies),
  });
  const noTarget = whyNoTarget(answer.targets, currency, chosen);
  return {
    currency,
    currencies: currencies.every((one) => one === currency) ? [] : currencies,
    step,
    by,
    total,
    against,
    recorded,
    running: span.toDate >= today,
    parts,
    chosen,
    charts: {
      steps: chartSteps(
        { ...answer, span, ...(total ?? NO_STEPS) },
        currency,
        step,
        { hasTarget: noTarget === null, today, marks },
        texts,
      ),
      parts: chartParts(charted.slice(0, MOST_BARS), currency, t(`oversight.by.${by}`), recorded.before, texts),
    },
    noTarget,
    why: why({}),
    link,
  };

  function nameChosen(value: string, filter: Part): string {
    const row = answer.parts.nodes.find((one) => keyOf(one, filter) === value);
    if (row) return nameOf(row, filter, texts);
    const agency = filter === 'agency' ? agencies.find(({ id }) => id === value) : undefined;
    return agency?.name ?? nameKey(value, filter, texts);
  }

  function stepOf(asked: URLSearchParams): Step {
    const said = asked.get('step');
    return said === 'week' || said === 'month' ? said : 'day';
  }
}

function recordedOf(span: DaySpan, since: string | null): RevenueView['recorded'] {
  const { before, yearAgo } = periodsOf(span);
  return { before: isRecorded(before, since), yearAgo: isRecorded(yearAgo, since) };
}

function largestOf(totals: readonly Compared[]): string {
  return totals.toSorted((a, b) => b.current - a.current)[0]?.currency ?? 'UGX';
}

/** Targets are those of whole agencies: nothing says how much of one a sector, service or channel should collect. */
function whyNoTarget(
  targets: readonly Target[] | null,
  currency: string,
  chosen: RevenueView['chosen'],
): RevenueView['noTarget'] {
  if (chosen.some(({ filter }) => filter !== 'agency')) return 'narrowed';
  return targets?.some((target) => target.currency === currency) ? null : 'none';
}
