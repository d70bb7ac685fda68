import type { Chart, Mark } from '../../charts/chart.ts';
import type { Texts } from '../../languages/texts.ts';
import { type DaySpan, type Step, daysIn, lengthOf, nameStep, periodsOf, stepAt, stepsOf } from '../days.ts';

/** A day, week or month; null where nothing was recorded yet. */
interface Point {
  readonly net: number | null;
}

/** Revenue over time in one currency, and in the periods that it is compared with. */
export interface StepsOfTotal {
  readonly steps: readonly Point[];
  readonly stepsBefore: readonly Point[];
  readonly stepsYearAgo: readonly Point[];
}

export const NO_STEPS: StepsOfTotal = { steps: [], stepsBefore: [], stepsYearAgo: [] };

/** What an agency should collect in a fiscal year. */
export interface Target {
  readonly agencyId: string;
  readonly currency: string;
  readonly fromDate: string;
  readonly toDate: string;
  readonly target: number;
}

/** Revenue over time, of a period and of those that it is compared with. */
export interface Steps extends StepsOfTotal {
  readonly span: DaySpan;
  readonly targets: readonly Target[] | null;
  /** The first day of which anything is recorded; null while nothing is. */
  readonly recordedSince: string | null;
}

/** A line of revenue, with those of other periods, and what should be collected where `hasTarget`. */
export function chartSteps(
  { span, steps, stepsBefore, stepsYearAgo, targets, recordedSince }: Steps,
  unit: string,
  length: Step,
  {
    hasTarget,
    today,
    marks = [],
  }: { readonly hasTarget: boolean; readonly today: string; readonly marks?: readonly Mark[] },
  { t: say, language }: Pick<Texts, 't' | 'language'>,
): Chart {
  const days = daysIn(span, length);
  const keys = [...days.keys()];
  const others = periodsOf(span);
  const target = hasTarget ? targetsOf(targets ?? [], unit, span, length) : null;
  return {
    kind: 'lines',
    name: 'revenue',
    title: say(`oversight.over.${length}`),
    description: say('oversight.overAbout', { from: span.fromDate, to: span.toDate, currency: unit }),
    head: say(`oversight.step.${length}`),
    labels: keys.map(nameOf),
    unit: { currency: unit },
    running: keys.at(-1) === stepAt(today, length),
    marks,
    series: [
      { name: say('oversight.current'), values: valuesOf(steps, keys) },
      ...compared(say('oversight.before'), stepsBefore, others.before),
      ...compared(say('oversight.yearAgo'), stepsYearAgo, others.yearAgo),
      ...(target ? [{ name: say('oversight.target'), values: target, as: 'target' as const }] : []),
    ],
  };

  /** A step, with how many days it has of a week or month of which the span has but a part. */
  function nameOf(key: string, index: number): string {
    const step = nameStep(key, length, language);
    const running = index === keys.length - 1 && key === stepAt(today, length);
    const count = days.get(key)!;
    return running || count === lengthOf(key, length) ? step : say('oversight.someDays', { step, count });
  }

  /** A period compared with another, first day with first day; nothing where none of it is recorded. */
  function compared(name: string, points: readonly Point[], other: DaySpan) {
    const values = valuesOf(points, stepsOf(other, length));
    if (values.every((value) => value === null)) return [];
    return [{ name, values: keys.map((_key, index) => values[index] ?? null), as: 'comparison' as const }];
  }

  /** What nothing was collected in is zero where something could have been recorded: neither before that nor to come. */
  function valuesOf(points: readonly Point[], own: readonly string[]): (number | null)[] {
    const [first, last] = [recordedSince && stepAt(recordedSince, length), stepAt(today, length)];
    return own.map((key, index) => (first !== null && key >= first && key <= last ? (points[index]?.net ?? 0) : null));
  }
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
