import { type DaySpan, dayBefore, isRecorded, periodsOf, stepsOf } from '../days.ts';
import { type FigureRow, nameIn, nameValue } from '../explore/names.ts';
import { type Changes, linkTo } from '../links.ts';
import type { Asked, Nodes } from '../panel.ts';
import { type Happened, marksOf } from '../why/marks.ts';
import { type StepsOfTotal, type Target, chartParts, chartSteps } from './charts.ts';
import { PARTS } from './parts.ts';

/** Collections, compared with other periods. */
interface Compared {
  readonly currency: string;
  readonly current: number;
  readonly before: number;
  readonly yearAgo: number;
  readonly difference: number;
  readonly changeOnBefore: number | null;
  readonly changeOnYearAgo: number | null;
}

/** Collections of a part, with the value of each dimension by which it is one. */
type PartRow = Compared & FigureRow;

/** Answer of `pages/oversight/revenue`. */
export interface RevenueAnswer extends Omit<Happened, 'anomalies'> {
  readonly recordedSince: string | null;
  readonly targets: readonly Target[] | null;
  readonly totals: Nodes<Compared & StepsOfTotal> & { readonly span: DaySpan };
  /** The same up to yesterday, where the period goes on: whole days are compared with whole days. */
  readonly whole?: Nodes<Compared>;
  readonly parts: Nodes<PartRow>;
  /** The parts that charts show, on later pages of the table. */
  readonly charted?: Nodes<PartRow>;
}

/** The filters of the page, in the order in which it names them. */
const FILTERS = ['agency', 'sector', 'family', 'service', 'channel', 'country', 'region', 'district', 'station'];

/** The way down: what a part is taken apart by next, unless that has been chosen. */
const DOWN = ['sector', 'family', 'service', 'agency', 'channel'];

/** Revenue over time and by its parts, in one currency: that which is asked for, or in which most was collected. */
export function viewRevenue(answer: RevenueAnswer, asked: Asked) {
  const { query, texts, agencies, today } = asked;
  const { recordedSince, totals } = answer;
  const { span } = totals;
  const largest = totals.nodes.toSorted((a, b) => b.current - a.current)[0]?.currency ?? 'UGX';
  const currency = query.get('currency') ?? largest;
  const isShown = (row: { readonly currency: string }) => row.currency === currency;
  const total = totals.nodes.find(isShown) ?? null;
  const step = (['week', 'month'] as const).find((length) => length === query.get('step')) ?? 'day';
  const by = PARTS.find((part) => part === query.get('by')) ?? 'agency';
  const link = (changes: Changes) => linkTo('/oversight', query, changes);
  const recordedOf = (period: DaySpan) => {
    const { before, yearAgo } = periodsOf(period);
    return { before: isRecorded(before, recordedSince), yearAgo: isRecorded(yearAgo, recordedSince) };
  };
  const recorded = recordedOf(span);

  // Whole days are compared with whole days.
  const over = { fromDate: span.fromDate, toDate: span.toDate < today ? span.toDate : dayBefore(today, 1) };
  const why = (part: Changes) =>
    recorded.before && over.fromDate <= over.toDate
      ? linkTo('/oversight/why', query, { by: null, of: null, step: null, order: null, currency, ...over, ...part })
      : null;
  const next = DOWN.find((part) => part !== by && !query.get(part));
  const show = (row: PartRow) => {
    const key = row[by] as string | null;
    const down = key !== null && next !== undefined;
    return {
      ...row,
      name: nameIn(row, by, texts),
      /** Its part of all of the currency; null where that is not more than nothing. */
      share: total && total.current > 0 ? row.current / total.current : null,
      /** Link to its own breakdown. */
      link: down ? link({ [by]: key, by: next, ...(by === 'service' && { of: by }) }) : null,
      /** Link to why it rose or fell; null if there is nothing to compare with. */
      why: key === null ? null : why({ [by]: key }),
    };
  };
  const parts = answer.parts.nodes.filter(isShown).map(show);

  const nameChosen = (filter: string, value: string) => {
    const row = answer.parts.nodes.find((one) => one[filter] === value);
    const agency = filter === 'agency' ? agencies.find(({ id }) => id === value) : undefined;
    return row ? nameIn(row, filter, texts) : (agency?.name ?? nameValue(filter, value, texts));
  };
  /** Filters of the page, each with the link that removes it. */
  const chosen = FILTERS.flatMap((filter) => {
    const value = query.get(filter);
    const wider = link({ [filter]: null, ...(filter === 'service' && { of: null }) });
    return value ? [{ filter, name: nameChosen(filter, value), link: wider }] : [];
  });

  const whole = answer.whole?.nodes.find(isShown);
  const compared = whole ?? total;
  const against = whole ? recordedOf({ ...span, toDate: dayBefore(today, 1) }) : recorded;
  // Targets are those of whole agencies: nothing says how much of one a sector, service or channel should collect.
  const targets = (answer.targets ?? []).filter(isShown);
  const isNarrowed = chosen.some(({ filter }) => filter !== 'agency');
  const noTarget = isNarrowed ? 'narrowed' : targets.length > 0 ? null : 'none';
  const currencies = totals.nodes.map((row) => row.currency);
  const days = step === 'day' ? stepsOf(span, 'day') : [];
  return {
    currency,
    /** Those in which something was collected, if that is not the one that is shown alone. */
    currencies: currencies.every((one) => one === currency) ? [] : currencies,
    by,
    total,
    /** Other periods, whether enough of them was recorded to be compared with, and the change; null on nothing. */
    against: compared
      ? ([
          { period: 'before', recorded: against.before, amount: compared.before, change: compared.changeOnBefore },
          { period: 'yearAgo', recorded: against.yearAgo, amount: compared.yearAgo, change: compared.changeOnYearAgo },
        ] as const)
      : [],
    recorded,
    /** True if the period goes on: today is part of it, and of no other. */
    running: span.toDate >= today,
    parts,
    chosen,
    charts: {
      steps: chartSteps(
        {
          ...total,
          span,
          step,
          currency,
          targets: noTarget === null ? targets : null,
          marks: marksOf({ ...answer, anomalies: null }, days, asked),
          recordedSince,
          today,
        },
        texts,
      ),
      parts: chartParts(
        answer.charted?.nodes.filter(isShown).map(show) ?? parts,
        { currency, head: texts.t(`oversight.by.${by}`), compared: recorded.before },
        texts,
      ),
    },
    /** Reason why there is no line of the target; null if there is one. */
    noTarget,
    why: why({}),
    link,
  };
}
