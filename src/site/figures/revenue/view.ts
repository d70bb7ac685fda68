import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, dayBefore, isRecorded, periodsOf, stepsOf } from '../days.ts';
import { nameValue } from '../explore/names.ts';
import { linkTo } from '../links.ts';
import type { Nodes } from '../panel.ts';
import { type Happened, marksOf, whereOf } from '../why/marks.ts';
import { type Compared, PARTS, type Part, type PartRow, chartParts, keyOf, nameOf } from './parts.ts';
import { NO_STEPS, type Steps, type StepsOfTotal, chartSteps } from './steps.ts';

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

/** The filters of the page. */
const FILTERS = [
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

interface Asked {
  readonly query: URLSearchParams;
  readonly path: string;
  readonly texts: Texts;
  /** Agencies by their code, for those of which there is no row. */
  readonly agencies: readonly { readonly id: string; readonly name: string; readonly country: string }[];
  /** The clock of the rail. */
  readonly timeZone: string;
  /** The day that it is. */
  readonly today: string;
}

/** Revenue over time and by its parts, in one currency: that which is asked for, or in which most was collected. */
export function viewRevenue(answer: RevenueAnswer, { query, path, texts, agencies, today, timeZone }: Asked) {
  const { recordedSince, totals, targets } = answer;
  const { span } = totals;
  const largest = totals.nodes.toSorted((a, b) => b.current - a.current)[0]?.currency ?? 'UGX';
  const currency = query.get('currency') ?? largest;
  const step = (['week', 'month'] as const).find((length) => length === query.get('step')) ?? 'day';
  const by = PARTS.find((part) => part === query.get('by')) ?? 'agency';
  const link = (changes: Readonly<Record<string, string | null>>) => linkTo(path, query, changes);
  const recordedOf = (period: DaySpan) => {
    const { before, yearAgo } = periodsOf(period);
    return { before: isRecorded(before, recordedSince), yearAgo: isRecorded(yearAgo, recordedSince) };
  };
  const recorded = recordedOf(span);
  // Whole days are compared with whole days.
  const over = { fromDate: span.fromDate, toDate: span.toDate < today ? span.toDate : dayBefore(today, 1) };
  const why = (part: Readonly<Record<string, string>>) =>
    recorded.before && over.fromDate <= over.toDate
      ? linkTo('/oversight/why', query, { by: null, of: null, step: null, order: null, currency, ...over, ...part })
      : null;
  const next = DOWN.find((part) => part !== by && !query.get(part)) ?? null;
  const totalIn = <T extends Compared>({ nodes }: Nodes<T>) => nodes.find((row) => row.currency === currency);
  const total = totalIn(totals) ?? null;
  const show = (row: PartRow) => {
    const key = keyOf(row, by);
    const down = key !== null && next !== null && link({ [by]: key, by: next, ...(by === 'service' && { of: by }) });
    return {
      ...row,
      key,
      name: nameOf(row, by, texts),
      /** Its part of all of the currency; null where that is not more than nothing. */
      share: total && total.current > 0 ? row.current / total.current : null,
      /** Where it is taken apart itself. */
      link: down || null,
      /** Where it is said why it rose or fell; null where there is nothing to compare with. */
      why: key === null ? null : why({ [by]: key }),
    };
  };
  const partsIn = ({ nodes }: Nodes<PartRow>) => nodes.filter((row) => row.currency === currency).map(show);
  const parts = partsIn(answer.parts);
  const nameChosen = (value: string, filter: Part) => {
    const row = answer.parts.nodes.find((one) => keyOf(one, filter) === value);
    if (row) return nameOf(row, filter, texts);
    const agency = filter === 'agency' ? agencies.find(({ id }) => id === value) : undefined;
    return agency?.name ?? nameValue(filter, value, texts);
  };
  /** What the page is narrowed to, with where it is not. */
  const chosen = FILTERS.flatMap((filter) => {
    const value = query.get(filter);
    const wider = link({ [filter]: null, ...(filter === 'service' && { of: null }) });
    return value ? [{ filter, name: nameChosen(value, filter), link: wider }] : [];
  });
  const whole = answer.whole && totalIn(answer.whole);
  const compared = whole ?? total;
  const ofWhole = whole ? recordedOf({ ...span, toDate: dayBefore(today, 1) }) : recorded;
  const { before, yearAgo } = ofWhole;
  const marks = marksOf(
    { fees: null, health: null, holidays: null, ...answer, anomalies: null },
    step === 'day' ? stepsOf(span, 'day') : [],
    { texts, timeZone, ...whereOf(query, agencies) },
  );
  // Targets are those of whole agencies: nothing says how much of one a sector, service or channel should collect.
  const isTargeted = targets?.some((target) => target.currency === currency);
  const noTarget = chosen.some(({ filter }) => filter !== 'agency') ? 'narrowed' : isTargeted ? null : 'none';
  const currencies = totals.nodes.map((row) => row.currency);
  return {
    currency,
    /** Those in which something was collected, if that is not the one that is shown alone. */
    currencies: currencies.every((one) => one === currency) ? [] : currencies,
    by,
    total,
    /** Other periods, whether enough of them was recorded to be compared with, and the change; null on nothing. */
    against: compared
      ? ([
          { period: 'before', recorded: before, amount: compared.before, change: compared.changeOnBefore },
          { period: 'yearAgo', recorded: yearAgo, amount: compared.yearAgo, change: compared.changeOnYearAgo },
        ] as const)
      : [],
    recorded,
    /** Whether the period goes on: today is part of it, and of no other. */
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
      parts: chartParts(
        answer.charted ? partsIn(answer.charted) : parts,
        currency,
        texts.t(`oversight.by.${by}`),
        recorded.before,
        texts,
      ),
    },
    /** Why there is no line of what should be collected; null where there is one. */
    noTarget,
    why: why({}),
    link,
  };
}
