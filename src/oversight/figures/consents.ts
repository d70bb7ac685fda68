import { type Cell, FEWEST_PEOPLE, findTooSmall } from './small-cells.ts';
import { formatDay } from '../../kernel/time.ts';

const PERIODS = ['year', 'month', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export interface ConsentFigures {
  readonly mda: string | null;
  readonly period: string;
  readonly count: number | null;
}

/** How many characters of a day, `YYYY-MM-DD`, name the period that it lies in. */
const NAMED_BY: Readonly<Record<Period, number>> = { year: 4, month: 7, day: 10 };

/** How many people's first consent a day brought, of one agency; where days are not asked for, a longer period, by its first day. */
export interface ConsentDay extends Cell {
  readonly day: string;
}

/** The counts of the periods that a span touches, from the days of whole years. */
export function countInSpan(
  period: Period,
  { from, to }: { readonly from: Date; readonly to: Date },
  days: readonly ConsentDay[],
): { period: string; count: number | null }[] {
  const [earliest, latest] = [from, to].map((day) => formatDay(day).slice(0, NAMED_BY[period]));
  return countConsents(period, days).filter((row) => row.period >= earliest! && row.period <= latest!);
}

interface Part extends Cell {
  readonly name: string;
  readonly days: readonly ConsentDay[];
}

/**
 * The counts of an agency by period, from its days of whole years; null where a count, or the difference of some, would
 * be about few people.
 */
export function countConsents(period: Period, days: readonly ConsentDay[]): { period: string; count: number | null }[] {
  const counts: { period: string; count: number | null }[] = [];
  const descend = (part: Part, level: Period, hidden: boolean): void => {
    if (level === period) {
      counts.push({ period: part.name, count: hidden ? null : part.people });
      return;
    }
    const below = PERIODS[PERIODS.indexOf(level) + 1]!;
    const parts = partsOf(part.days, below);
    const out = findTooSmall(parts);
    // What is told of the parts of something hidden would tell of it.
    for (const one of parts) descend(one, below, hidden || out.has(one));
  };
  for (const year of partsOf(days, 'year')) descend(year, 'year', year.people < FEWEST_PEOPLE);
  return counts;
}

function partsOf(days: readonly ConsentDay[], period: Period): Part[] {
  return [...Map.groupBy(days, ({ day }) => day.slice(0, NAMED_BY[period]))].map(([name, within]) => ({
    name,
    days: within,
    people: within.reduce((sum, { people }) => sum + people, 0),
  }));
}
